"""Nights of a jumping clock, of people erased, of sleeps asked for twice and of cyclic edges."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Sleep
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts.nights import drained

from ...rig import START, Rig
from ...samples import ANNS, GROUP

running = pytest.fixture(lambda: False)


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
