"""The work queue: each key once, oldest first, and nothing forgotten but what is done."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from astrbot_plugin_tidemark.core.ports import Journal, Work, WorkKind, WorkState
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened
from hypothesis import given
from hypothesis import strategies as st

EVERY_KIND = frozenset(WorkKind)
NOBODY = frozenset[int]()


async def due(
    journal: Journal,
    now: float = 0.0,
    *,
    kinds: frozenset[WorkKind] = EVERY_KIND,
    limit: int = 100,
    skip: frozenset[int] = NOBODY,
) -> list[Work]:
    return await journal.due(now, kinds=kinds, limit=limit, skip=skip)


async def keys_due(journal: Journal, now: float = 0.0) -> list[str]:
    return [work.key for work in await due(journal, now)]


async def test_work_comes_oldest_first_and_no_more_than_asked(journal: Journal) -> None:
    for name in ("c", "a", "b"):
        await journal.enqueue(WorkKind.ERASE, name, {})
    assert await keys_due(journal) == ["c", "a", "b"]
    assert [work.key for work in await due(journal, limit=2)] == ["c", "a"]
    assert await due(journal, limit=0) == []
    assert await due(journal, limit=-1) == []


async def test_only_the_kinds_asked_for_are_due(journal: Journal) -> None:
    for kind in WorkKind:
        await journal.enqueue(kind, kind.value, {})
    wanted = frozenset({WorkKind.LEARN, WorkKind.ERASE})
    assert {work.kind for work in await due(journal, kinds=wanted)} == wanted
    assert await due(journal, kinds=frozenset()) == []


async def test_skipped_ids_are_left_out_and_the_next_ones_come(journal: Journal) -> None:
    for n in range(4):
        await journal.enqueue(WorkKind.LEARN, f"{n}", {})
    first, second, *_ = await due(journal)
    rest = await due(journal, limit=1, skip=frozenset({first.id, second.id}))
    assert [work.key for work in rest] == ["2"]


async def test_queued_work_is_due_at_its_time_of_the_kinds_asked(journal: Journal) -> None:
    await journal.enqueue(WorkKind.UNSHARE, "later", {}, not_before=10.0)
    assert await keys_due(journal, 9.9) == []
    assert await keys_due(journal, 10.0) == ["later"]
    payload = {"scope": "群/1", "ids": ["a", "b"], "depth": 2, "lone": "\ud800"}
    assert await journal.enqueue(WorkKind.UNSHARE, "sweep:1", payload)
    [work] = await due(journal)
    assert (work.kind, work.key, work.payload) == (WorkKind.UNSHARE, "sweep:1", payload)
    assert (work.attempts, work.not_before) == (0, 0.0)


async def test_finished_work_is_gone_and_its_key_stays_known(journal: Journal) -> None:
    await journal.enqueue(WorkKind.LEARN, "key", {"long": "x" * 100})
    [work] = await due(journal)
    await journal.finish(work.id)
    await journal.finish(work.id)
    assert await due(journal) == []
    assert await journal.backlog() == {}
    assert not await journal.enqueue(WorkKind.LEARN, "key", {})
    assert await due(journal) == []


async def test_postponed_work_comes_back_at_its_time(journal: Journal) -> None:
    await journal.enqueue(WorkKind.LEARN, "key", {"n": 1})
    [work] = await due(journal)
    await journal.postpone(work.id, until=60.0, error="no answer")
    assert await due(journal, 59.0) == []
    [again] = await due(journal, 60.0)
    assert (again.id, again.attempts, again.not_before) == (work.id, 1, 60.0)
    assert again.payload == {"n": 1}
    assert not await journal.enqueue(WorkKind.LEARN, "key", {})


async def test_dead_work_is_never_due_and_is_kept_with_its_last_error(journal: Journal) -> None:
    await journal.enqueue(WorkKind.LEARN, "key", {"n": 1})
    [work] = await due(journal)
    await journal.postpone(work.id, until=0.0, error="first")
    await journal.bury(work.id, "last")
    assert await due(journal, 1e12) == []
    [(dead, error)] = await journal.dead()
    assert (dead.id, dead.attempts, dead.payload, error) == (work.id, 1, {"n": 1}, "last")
    assert not await journal.enqueue(WorkKind.LEARN, "key", {})


async def test_dead_work_is_listed_newest_first_and_stays_dead(journal: Journal) -> None:
    for n in range(12):
        await journal.enqueue(WorkKind.LEARN, f"{n}", {})
    for work in await due(journal):
        await journal.bury(work.id, f"error {work.key}")
    assert [work.key for work, _ in await journal.dead(limit=3)] == ["11", "10", "9"]
    assert len(await journal.dead()) == 10
    await journal.enqueue(WorkKind.LEARN, "key", {})
    [work] = await due(journal)
    await journal.bury(work.id, "given up")
    before = await journal.dead()
    await journal.postpone(work.id, until=0.0, error="late")
    assert await due(journal, 1.0) == []
    assert await journal.dead() == before


async def test_the_backlog_counts_ready_and_dead_work_by_kind(journal: Journal) -> None:
    for n in range(3):
        await journal.enqueue(WorkKind.LEARN, f"learn {n}", {}, not_before=99.0)
    await journal.enqueue(WorkKind.UNSHARE, "sweep", {})
    learn, done, _ = await due(journal, 99.0, kinds=frozenset({WorkKind.LEARN}))
    await journal.bury(learn.id, "error")
    await journal.finish(done.id)
    assert await journal.backlog() == {
        (WorkKind.LEARN, WorkState.READY): 1,
        (WorkKind.LEARN, WorkState.DEAD): 1,
        (WorkKind.UNSHARE, WorkState.READY): 1,
    }


async def test_ids_of_finished_work_are_not_given_again(journal: Journal) -> None:
    await journal.enqueue(WorkKind.LEARN, "one", {})
    [one] = await due(journal)
    await journal.finish(one.id)
    await journal.enqueue(WorkKind.LEARN, "two", {})
    [two] = await due(journal)
    assert two.id > one.id


@pytest.mark.parametrize("unknown", [0, -1, 2**63 - 1])
async def test_settling_unknown_work_changes_nothing(journal: Journal, unknown: int) -> None:
    await journal.enqueue(WorkKind.LEARN, "key", {})
    before = await due(journal)
    await journal.finish(unknown)
    await journal.postpone(unknown, until=9.0, error="")
    await journal.bury(unknown, "")
    assert await due(journal) == before


async def test_work_in_progress_at_the_end_is_due_again_after_reopening(tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        await journal.enqueue(WorkKind.LEARN, "key", {"n": 1})
        before = await due(journal)
    async with opened(tmp_path) as reopened:
        assert await due(reopened) == before


KEYS = st.sampled_from("abcd")
STEPS = st.lists(
    st.tuples(st.sampled_from(("enqueue", "finish", "postpone", "bury")), KEYS, st.integers(0, 5)),
    max_size=40,
)


@dataclass
class Item:
    """What the model expects of one key."""

    state: WorkState
    not_before: float
    attempts: int = 0


@given(STEPS)
def test_the_queue_does_what_a_dictionary_of_keys_would(steps: list[tuple[str, str, int]]) -> None:
    asyncio.run(_compare(steps))


async def _compare(steps: list[tuple[str, str, int]]) -> None:
    with TemporaryDirectory() as folder:
        async with opened(Path(folder)) as journal:
            expected: dict[str, Item] = {}
            for name, key, time in steps:
                await _settle(journal, expected, name, key, float(time))
            ready = [key for key, item in expected.items() if item.state is WorkState.READY]
            for now in (0.0, 2.0, 5.0):
                timely = [key for key in ready if expected[key].not_before <= now]
                assert await keys_due(journal, now) == timely
            attempts = {work.key: work.attempts for work in await due(journal, 5.0)}
            assert attempts == {key: expected[key].attempts for key in ready}


async def _settle(
    journal: Journal, expected: dict[str, Item], name: str, key: str, time: float
) -> None:
    if name == "enqueue":
        added = await journal.enqueue(WorkKind.ERASE, key, {}, not_before=time)
        assert added == (key not in expected)
        expected.setdefault(key, Item(WorkState.READY, time))
        return
    [work] = [w for w in await due(journal, 9.0) if w.key == key] or [None]
    if work is None:
        return
    match name:
        case "finish":
            await journal.finish(work.id)
            expected[key].state = WorkState.DONE
        case "postpone":
            await journal.postpone(work.id, until=time, error="")
            item = expected[key]
            expected[key] = Item(WorkState.READY, time, item.attempts + 1)
        case "bury":
            await journal.bury(work.id, "")
            expected[key].state = WorkState.DEAD
