"""What is purged is gone, with every copy of its words; what is still held stays."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.manual_edits import Curation
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy, to_bin
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Turn, reply_id
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Status
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore
from astrbot_plugin_tidemark.core.privacy.purging import PurgeCount, Purging
from astrbot_plugin_tidemark.core.records.evidence import evidence_id

from ...kit import FakeClock, Fragile, Fuse, Interruption
from ...samples import ANN, BOT, HERE, memory
from ..engine.test_manual_edits import CORRECTING, unreported


class Meanwhile(Fuse):
    """Does something else, once, before the call of that number goes through."""

    def __init__(self, number: int, action: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._number = number
        self._action = action
        self.answer: object = None

    async def through(self, call: Callable[[], Awaitable[Any]]) -> Any:
        self.calls += 1
        if self.calls == self._number:
            self.answer = await self._action()
        return await call()


@pytest.fixture
def curation(store: MemoryStore, journal: Journal) -> Curation:
    return Curation(store, journal, FakeClock(1000.0), BinPolicy(7.0), Tiered(), unreported)


async def say(journal: Journal, text: str, at: float) -> Turn:
    turn = NewTurn(HERE, Role.USER, ANN, text, at)
    return (await journal.append(turn, lambda episode, turn: None)).turn


async def answer(journal: Journal, asked: Turn, text: str) -> Turn:
    turn = NewTurn(HERE, Role.ASSISTANT, BOT, text, asked.at, reply_id(asked.seq))
    return (await journal.append(turn, lambda episode, turn: None)).turn


async def evidence(store: MemoryStore, journal: Journal, turn: Turn, *cues: str) -> Memory:
    raw = memory(
        turn.text,
        id=evidence_id(journal.id, turn.seq),
        kind=Kind.EVIDENCE,
        cues=cues,
        origin=Origin(turns=(turn.seq,), episode=turn.episode),
    )
    await store.put([raw])
    return raw


async def test_a_purged_memory_is_gone_with_the_message_and_the_answer_behind_it(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    said = await say(journal, "I keep bees", 1.0)
    replied = await answer(journal, said, "How many?")
    raw = await evidence(store, journal, said)
    await store.put([memory(origin=Origin(turns=(said.seq,)))])
    await curation.forget(["m1"], by="901")
    assert await curation.purge(["m1"], by="900") == PurgeCount(memories=1, turns=2)
    assert await store.find(["m1", raw.id]) == []
    assert [await journal.turn(turn.seq) for turn in (said, replied)] == [None, None]


async def test_what_is_left_of_a_purged_memory_is_who_did_it(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    await store.put([memory()])
    await curation.forget(["m1"], by="901")
    await curation.purge(["m1"], by="900")
    (entry,) = await journal.audit_of("m1")
    assert (entry.action, entry.by) == ("purged", "900")
    assert json.loads(entry.detail) == {"binned_at": 1000.0}


async def test_what_is_not_in_the_bin_is_not_purged(curation: Curation, store: MemoryStore) -> None:
    await store.put([memory()])
    assert await curation.purge(["m1", "unknown"], by="900") == PurgeCount()
    assert (await store.get("m1")).standing.status is Status.LIVE


async def test_a_message_whose_evidence_is_still_held_stays(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    said = await say(journal, "I keep bees", 1.0)
    await store.put([memory(origin=Origin(turns=(said.seq,)))])
    await curation.forget(["m1"], by="901")
    raw = await evidence(store, journal, said)
    assert await curation.purge(["m1"], by="900") == PurgeCount(memories=1, turns=0)
    assert await journal.turn(said.seq) == said
    assert await store.get(raw.id) == raw


async def test_no_later_evidence_is_found_by_the_words_of_a_purged_message(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    said = await say(journal, "I keep bees " * 40, 1.0)
    replied = await answer(journal, said, "How many?")
    later = await say(journal, "Seven hives", 3.0)
    raw = await evidence(store, journal, said)
    after = await evidence(store, journal, later, said.text[:200], replied.text, "other")
    await curation.forget([raw.id], by="901")
    await curation.purge([raw.id], by="900")
    assert await store.get(after.id) == replace(after, cues=("other",))


async def test_what_it_had_corrected_loses_its_text(curation: Curation, store: MemoryStore) -> None:
    old = memory("Ann lives in Paris")
    await store.put([old])
    done = await curation.correct(old, "Ann lives in Rome", CORRECTING)
    await curation.forget([done.id], by="901")
    await curation.purge([done.id], by="900")
    after = await store.get(old.id)
    assert (after.feedback.accurate, after.feedback.correction) == (False, None)


async def test_a_purge_that_was_interrupted_anywhere_is_finished_by_repeating_it(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    for step in range(1, 20):
        for after in (False, True):
            said = await say(journal, "I keep bees", float(step))
            raw = await evidence(store, journal, said)
            await store.put([memory(id=f"m{said.seq}", origin=Origin(turns=(said.seq,)))])
            await curation.forget([f"m{said.seq}"], by="901")
            fuse = Fuse(step, after)
            fragile = replace(curation, store=Fragile(store, fuse), journal=Fragile(journal, fuse))
            try:
                await fragile.purge([f"m{said.seq}"], by="900")
            except Interruption:
                await curation.purge([f"m{said.seq}"], by="900")
            assert await store.find([f"m{said.seq}", raw.id]) == []
            assert await journal.turn(said.seq) is None


async def test_what_is_due_goes_with_its_messages_unless_something_living_rests_on_them(
    store: MemoryStore, journal: Journal
) -> None:
    alone, held = await say(journal, "I keep bees", 1.0), await say(journal, "and a boat", 2.0)
    policy = BinPolicy(7.0)
    for turn in (alone, held):
        raw = await evidence(store, journal, turn)
        await store.amend(
            [raw.id], lambda each: to_bin(each, now=0.0, reason="test", policy=policy)
        )
    await store.put([memory("Ann has a boat", origin=Origin(turns=(held.seq,)))])
    assert await Purging(store, journal, 6 * DAY).due() == 0
    assert await Purging(store, journal, 8 * DAY).due() == 2
    assert await journal.turn(alone.seq) is None
    kept = await journal.turn(held.seq)
    assert kept.text == "and a boat"


async def test_a_message_goes_with_what_rested_on_it(store: MemoryStore, journal: Journal) -> None:
    said = await say(journal, "I keep bees", 1.0)
    await store.put([memory("Ann keeps bees", origin=Origin(turns=(said.seq,)))])
    await store.amend(
        ["m1"], lambda each: to_bin(each, now=0.0, reason="test", policy=BinPolicy(7.0))
    )
    assert await Purging(store, journal, 8 * DAY).due() == 1
    assert await journal.turn(said.seq) is None
    assert [(e.action, e.by) for e in await journal.audit_of("m1")] == [("purged", "bin")]


@pytest.mark.parametrize("by_hand", [True, False])
async def test_what_was_restored_during_a_purge_stays_with_its_message_and_its_history(
    curation: Curation, store: MemoryStore, journal: Journal, by_hand: bool
) -> None:
    """The status was read first, and the ids deleted many steps later in whatever status."""
    for step in range(1, 12):
        said = await say(journal, f"I keep bees, {step}", float(step))
        id = f"m{said.seq}"
        await store.put([memory(id=id, origin=Origin(turns=(said.seq,)))])
        await curation.forget([id], by="901")
        restoring = Meanwhile(step, lambda id=id: curation.restore([id], by="900"))
        beside = Fragile(store, restoring), Fragile(journal, restoring)
        if by_hand:
            purge = replace(curation, store=beside[0], journal=beside[1])
            purged = await purge.purge([id], by="900")
        else:
            both = beside
            await Purging(both[0], both[1], 9 * DAY).due()
            purged = None
        left = await store.find([id])
        assert [each.standing.status for each in left] == [Status.LIVE] * len(left)
        assert bool(left) is bool(restoring.answer)
        assert purged in (None, PurgeCount() if left else PurgeCount(memories=1, turns=1))
        assert (await journal.turn(said.seq) is None) is not bool(left)
        actions = [entry.action for entry in await journal.audit_of(id)]
        assert actions == (["binned", "restored"] if left else ["purged"])


async def test_evidence_keeps_its_own_time_in_the_bin(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    """It was deleted, and not noted, as soon as another memory of its turn came due."""
    said = await say(journal, "I keep bees", 1.0)
    raw = await evidence(store, journal, said)
    await store.put([memory("Ann keeps bees", origin=Origin(turns=(said.seq,)))])
    for id, since in (("m1", 0.0), (raw.id, 5 * DAY)):
        await store.amend(
            [id],
            lambda each, since=since: to_bin(each, now=since, reason="test", policy=BinPolicy(7.0)),
        )
    assert await Purging(store, journal, 8 * DAY).due() == 1
    assert await journal.turn(said.seq) == said
    assert [each.after.text for each in await curation.restore([raw.id], by="900")] == [raw.text]
    await store.amend(
        [raw.id], lambda each: to_bin(each, now=5 * DAY, reason="test", policy=BinPolicy(7.0))
    )
    assert await Purging(store, journal, 13 * DAY).due() == 1
    assert await journal.turn(said.seq) is None
    assert [e.action for e in await journal.audit_of(raw.id)] == ["purged"]


async def test_everything_that_goes_with_a_purged_memory_is_noted(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    said = await say(journal, "I keep bees", 1.0)
    raw = await evidence(store, journal, said)
    await store.put([memory(origin=Origin(turns=(said.seq,)))])
    await curation.forget(["m1"], by="901")
    await curation.purge(["m1"], by="900")
    for id in ("m1", raw.id):
        assert [(e.action, e.by) for e in await journal.audit_of(id)] == [("purged", "900")]
