"""Nights: over scopes with news and no others, whatever the clock, erased people and edges do."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Enrichment, Intention, Relation
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Left, Sleep, SleepCause
from astrbot_plugin_tidemark.core.ports import Filter, WorkKind
from astrbot_plugin_tidemark.core.records.manual import judged, pinned, text_digest
from astrbot_plugin_tidemark.core.sleep.pipeline import StepRun
from astrbot_plugin_tidemark.core.sleep.steps.merging import MergingStep
from astrbot_plugin_tidemark.scripts.nights import drained

from ...rig import START, Rig
from ...samples import ANNS, GROUP

LASTING = Vitality(strength=1_000_000)
running = pytest.fixture(lambda: False)


@pytest.fixture
def merged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    run = MergingStep.run

    async def noted(self: MergingStep, now: StepRun) -> None:
        seen.append(now.scope)
        await run(self, now)

    monkeypatch.setattr(MergingStep, "run", noted)
    return seen


async def hobby(rig: Rig, number: int, value: str = "bees", **changes: Any) -> Memory:
    text = f"Ann keeps {value} {'here' * number}"
    asked = Enrichment(text_digest(text))
    told = {"id": f"m{number}", "kind": Kind.SEMANTIC, "vitality": LASTING, "enrichment": asked}
    claim = Claim(own(""), "hobby", value, START)
    return await rig.keep(text, ANNS, claim=claim, **{**told, **changes})


async def night(rig: Rig, days: float = 1, cause: SleepCause = SleepCause.NIGHT) -> None:
    rig.clock.at += days * DAY
    await rig.engine.rhythm.begin([ANNS.key], cause, rig.clock.at)
    while due := await rig.journal.due(
        9e9, kinds=frozenset({WorkKind.SLEEP}), limit=9, skip=frozenset()
    ):
        for work in due:
            await rig.engine.pipeline.work(work)
            await rig.journal.finish(work.id)


async def everything(rig: Rig) -> Sequence[Memory]:
    return sorted(await rig.memories(), key=lambda memory: memory.id)


async def test_a_night_without_news_does_no_more_than_sweep(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1)
    await hobby(rig, 2)
    await night(rig)
    await night(rig)
    assert len(merged) == 2
    assert len([m for m in await everything(rig) if m.standing.status is Status.LIVE]) == 1
    before = await everything(rig)
    await night(rig)
    await night(rig)
    assert len(merged) == 2
    passed = await everything(rig)
    assert [m.vitality.strength for m in passed] <= [m.vitality.strength for m in before]
    await night(rig, 0, SleepCause.COMMAND)
    assert len(merged) == 3
    assert await everything(rig) == passed


async def test_what_a_night_would_find_is_found_a_night_after(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1)
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    await hobby(rig, 2)
    await night(rig)
    assert len(merged) == 2
    reports = await rig.journal.reports([ANNS.key])
    assert reports[0].counts.get(Deed.MERGED) == 1


@pytest.mark.parametrize("change", ["verdict", "forgotten", "pinned", "spoken", "embedded"])
async def test_news_are_verdicts_edits_and_turns(rig: Rig, merged: list[str], change: str) -> None:
    await hobby(rig, 1)
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    match change:
        case "verdict":
            hand = rig.engine.curation
            how = {"policy": hand.forgetting, "bin_policy": hand.bin_policy, "reason": "hand"}
            await hand.apply(["m1"], partial(judged, useful=True, **how), "useful", by="Ann")
        case "forgotten":
            await rig.engine.curation.forget(["m1"], by="Ann")
        case "pinned":
            await rig.engine.curation.apply(["m1"], partial(pinned, on=True), "pinned", by="Ann")
        case "spoken":
            await rig.say(ANNS, "The bees are asleep")
            await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
        case _:
            [vector] = await rig.embedder.embed_documents(["Ann keeps bees"])
            fingerprint = (await rig.embedder.identity()).fingerprint
            await rig.store.set_vectors(fingerprint, {"m1": vector})
    kinds = frozenset({WorkKind.INDEX_TURN, WorkKind.LEARN})
    for work in await rig.journal.due(9e9, kinds=kinds, limit=9, skip=frozenset()):
        await rig.journal.finish(work.id)
    await night(rig)
    assert len(merged) == 2


async def test_what_is_old_enough_to_be_enriched_is_news(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1, enrichment=None)
    for days in (1, 1, 0.5):
        await night(rig, days)
    assert len(merged) == 1
    await night(rig)
    assert len(merged) == 2


async def test_what_becomes_due_with_time_alone_is_news(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1, kind=Kind.PROSPECTIVE, intention=Intention(referenced_at=rig.clock.at))
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    await night(rig, 100)
    assert len(merged) == 2
    assert (await rig.store.get("m1")).standing.status is Status.ARCHIVED


async def test_while_a_model_gave_nothing_no_night_is_dropped(rig: Rig, merged: list[str]) -> None:
    async def wanting(self: MergingStep, run: StepRun) -> None:
        merged.append(run.scope)
        run.count(Left.FAILED)

    await hobby(rig, 1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(MergingStep, "run", wanting)
        for _ in range(3):
            await night(rig)
    assert len(merged) == 3


async def test_a_night_that_was_cut_short_does_not_count_as_one_that_found_nothing(
    rig: Rig, merged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cut(Exception):
        pass

    async def cut(self: MergingStep, run: StepRun) -> None:
        raise Cut

    await hobby(rig, 1)
    with monkeypatch.context() as patched:
        patched.setattr(MergingStep, "run", cut)
        with pytest.raises(Cut):
            await night(rig)
    await night(rig, 0)
    await night(rig)
    assert len(merged) == 2
    await night(rig)
    assert len(merged) == 2


@pytest.mark.parametrize(("kind", "found"), [(Kind.EVIDENCE, 1), (Kind.SEMANTIC, 2)])
async def test_raw_turns_that_time_takes_are_no_news_and_what_was_learnt_is(
    rig: Rig, merged: list[str], kind: Kind, found: int
) -> None:
    await hobby(rig, 1)
    asked = Enrichment(text_digest("it rained"))
    await rig.keep("it rained", ANNS, id="m9", kind=kind, vitality=Vitality(4), enrichment=asked)
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    while (await rig.store.get("m9")).standing.status is Status.LIVE:
        rig.clock.at += DAY
        await rig.engine.sweeper.decay(rig.clock.at, frozenset({ANNS.key}))
    await night(rig)
    assert len(merged) == found


async def said_twice(rig: Rig, scope: Scope, user: str, what: str) -> None:
    """Two memories of one claim, which sleep merges."""
    account = user if scope.kind is ScopeKind.GROUP else ""
    for told in ("likes", "enjoys"):
        await rig.keep(
            f"{user} {told} {what}",
            scope,
            id=f"{user} {told} {what}",
            kind=Kind.SEMANTIC,
            speaker=Speaker(user, user),
            claim=Claim(own(account), "hobby", what, START),
        )


async def live(rig: Rig, what: str) -> list[Memory]:
    every = [m async for m in rig.store.iterate(Filter(recallable=True))]
    return [memory for memory in every if what in memory.text]


async def slept(rig: Rig, scope: Scope = ANNS) -> Sleep:
    await rig.sleep(patience=30.0)
    return (await rig.journal.reports([scope.key]))[0]


def before_each_write(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, act: Callable[[list[Memory]], Awaitable[None]]
) -> None:
    """Something happens whenever memories are about to be put."""
    put = rig.store.put

    async def acting(memories: list[Memory], *more: Any) -> Any:
        await act(memories)
        return await put(memories, *more)

    monkeypatch.setattr(rig.store, "put", acting)


async def test_a_clock_that_jumps_in_the_middle_of_a_night_moves_nothing_of_that_night(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await said_twice(rig, ANNS, "901", "hiking")
    await said_twice(rig, ANNS, "901", "chess")
    await rig.keep("a fine day", ANNS, id="day", vitality=Vitality(9))
    jumps = [START + 400 * DAY, START - 400 * DAY]

    async def jump(memories: list[Memory]) -> None:
        if jumps:
            rig.clock.at = jumps.pop(0)

    before_each_write(rig, monkeypatch, jump)
    rig.engine.start()
    sleep = await slept(rig)
    assert (sleep.counts[Deed.MERGED], jumps) == (2, [])
    for decided in await rig.journal.decisions(sleep.id):
        _, *sources = await rig.store.find(decided.decision.memories)
        assert decided.at == START
        assert {source.standing.since for source in sources} == {START}
    # Set back, then right again: the next nights neither let go of it early nor merge anew.
    for at in (START - 400 * DAY, START + DAY):
        rig.clock.at = at
        await rig.sleep(patience=30.0)
    assert (await rig.store.get("day")).standing.status is Status.LIVE
    assert len(await live(rig, "hiking")) == len(await live(rig, "chess")) == 1


async def test_somebody_erased_while_their_memories_are_merged_leaves_nothing_and_others_all(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await said_twice(rig, GROUP, "901", "hiking")
    await said_twice(rig, GROUP, "902", "chess")
    erasing: list[asyncio.Task[Any]] = []

    async def erase(memories: list[Memory]) -> None:
        if not erasing and any("hiking" in memory.text for memory in memories):
            erasing.append(asyncio.create_task(rig.engine.eraser.erase(ANNS)))
            # The erasure halts the sleep here, before anything is written.
            await asyncio.Event().wait()

    before_each_write(rig, monkeypatch, erase)
    rig.engine.start()
    await rig.engine.begin_sleep()
    assert await drained(rig.engine.worker, 30.0)
    await asyncio.wait_for(erasing[0], 30)
    assert await drained(rig.engine.worker, 30.0)
    assert not [memory for memory in await rig.memories() if "hiking" in memory.text]
    assert len(await live(rig, "chess")) == 1
    [sleep] = await rig.journal.reports([GROUP.key])
    told = [decided.decision.memories for decided in await rig.journal.decisions(sleep.id)]
    assert not any("hiking" in id for ids in told for id in ids)


@pytest.mark.parametrize("predicate", ["supersedes", "caused_by", "contradicts", "corroborates"])
async def test_edges_that_go_round_end_in_sleep_and_after(rig: Rig, predicate: str) -> None:
    await said_twice(rig, ANNS, "901", "hiking")
    ids = ["901 likes hiking", "901 enjoys hiking"]
    for id, other in zip(ids, reversed(ids), strict=True):
        edges = (Relation(id, predicate, other), Relation(id, predicate, id))
        await rig.store.amend([id], lambda m, edges=edges: replace(m, relations=edges))
    rig.engine.start()
    await slept(rig)
    [one] = await live(rig, "hiking")
    assert not any(edge.object in ids for edge in one.relations if edge.predicate != "supersedes")
    assert await rig.texts(ANNS, "why does 901 like hiking?") == [one.text]


async def test_memories_that_each_took_the_others_place_are_left_as_they_are(rig: Rig) -> None:
    await said_twice(rig, ANNS, "901", "hiking")
    ids = ["901 likes hiking", "901 enjoys hiking"]
    for id, other in zip(ids, reversed(ids), strict=True):
        link = Successor(other, Succession.SUPERSEDES)
        await rig.store.amend([id], lambda m, link=link: replace(m, successor=link))
    rig.engine.start()
    await rig.sleep(patience=30.0)
    assert {memory.id for memory in await rig.memories()} == set(ids)
    await rig.ask(ANNS, "what did 901 like before hiking?")


@pytest.mark.parametrize("how", list(Succession))
async def test_a_thousand_memories_each_replaced_are_slept_over(rig: Rig, how: Succession) -> None:
    length = 1_000
    first = await rig.keep("901 likes hiking 0", ANNS, id="m0")
    chain = [
        replace(
            first,
            id=f"m{number}",
            text=f"901 likes hiking {number}",
            created_at=START - length + number,
            kind=Kind.SEMANTIC,
            successor=Successor(f"m{number + 1}", how) if number < length - 1 else None,
            relations=(Relation(f"m{number}", "caused_by", f"m{number - 1}"),) * (number > 0),
            vitality=Vitality(9),
        )
        for number in range(length)
    ]
    await rig.store.put(chain)
    rig.engine.start()
    await rig.sleep(patience=60.0)
    assert len([m for m in await rig.memories(Kind.SEMANTIC) if "hiking" in m.text]) == length
    for asked in ("why does 901 like hiking 999?", "what did 901 like before hiking?"):
        assert len((await rig.ask(ANNS, asked)).memories) < 50
    await rig.engine.curation.forget(["m999", "m500", "m0"], by="ann")
    await rig.sleep(patience=60.0)
    gone = await rig.store.find(["m999", "m500", "m0"])
    assert not any(memory.recallable for memory in gone)


async def test_a_scope_of_thousands_is_slept_over_while_others_are_served(rig: Rig) -> None:
    every = [
        replace(each, id=f"{each.id} {number}", text=f"{each.text} {number}")
        for each in [await rig.keep("a long life", ANNS, vitality=Vitality(9))]
        for number in range(2_000)
    ]
    await rig.store.put(every)
    await said_twice(rig, ANNS, "901", "hiking")
    rig.engine.start()
    await rig.engine.begin_sleep()
    answered = 0
    while not await drained(rig.engine.worker, 0.01):
        await rig.engine.recall_requests.search(frozenset({ANNS.key}), "hiking", limit=3)
        answered += 1
    [sleep] = await rig.journal.reports([ANNS.key])
    assert sleep.counts[Deed.MERGED] == 1
    assert answered > 0
