"""A crash at any step of learning, and the work done again, leave what one clean run leaves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Work, WorkKind
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ...kit import Fragile, Fuse, Interruption, item, learnt
from ...rig import Rig, open_rig
from ...samples import ANNS
from ...strength import strength
from .conftest import PATIENT


def reply(hives: int, smoker: int) -> dict[str, Any]:
    """What the model says of the two known memories, by the numbers they were shown under."""
    return learnt(
        item("Ann's hives are in Wells", 1, corrects=hives),
        item("Ann sold the smoker", 1, updates=smoker),
        item("Ann's hives are in Wells", 1),
        useful=[smoker],
    )


@asynccontextmanager
async def prepared(folder: Path, fuse: Fuse) -> AsyncIterator[tuple[Rig, Work]]:
    """An episode with two injected memories is closed; its work is queued, nothing runs it."""
    store = Fragile(await open_store("sqlite", folder), fuse)
    journal = Fragile(await open_journal(folder), fuse)
    rig = await open_rig(folder, PATIENT, store=store, journal=journal)
    try:
        await _talk(rig)
        (learning,) = await _due(rig, WorkKind.LEARN)
        yield rig, learning
    finally:
        fuse.blow_at = 0
        await rig.engine.close()


async def _talk(rig: Rig) -> None:
    await rig.keep("Ann's hives are in Bath", ANNS, id="hives")
    await rig.keep("Ann lent out the smoker", ANNS, id="smoker")
    told = "The hives in Bath are in Wells now, and the smoker that was lent out is sold"
    recalled, _ = await rig.exchange(ANNS, told, "I see")
    numbers = {memory.id: number for number, memory in enumerate(recalled.memories, start=1)}
    rig.model.answers = [reply(**numbers)]
    for work in await _due(rig, WorkKind.INDEX_TURN):
        await rig.engine.jobs.index_turn(work)
    await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)


async def _due(rig: Rig, kind: WorkKind) -> list[Work]:
    return await rig.journal.due(rig.clock.at, kinds=frozenset({kind}), limit=100, skip=frozenset())


async def _outcome(rig: Rig) -> dict[str, Any]:
    """All that learning leaves behind, without what differs between any two journals."""
    memories = await rig.memories()
    names = {memory.id: f"{memory.kind} {memory.text}" for memory in memories}
    return {
        "memories": [_anonymous(memory, names) for memory in memories],
        "audit": [
            [(entry.action, entry.by) for entry in await rig.journal.audit_of(memory.id)]
            for memory in memories
        ],
        "verdicts": await rig.journal.verdict_counts(),
    }


def _anonymous(memory: Memory, names: dict[str, str]) -> tuple[Any, ...]:
    heir = memory.successor
    return (
        names[memory.id],
        None if heir is None else (heir.how, names[heir.memory]),
        replace(memory.vitality, judged=()),
        len(memory.vitality.judged),
        memory.access,
        memory.feedback,
        memory.standing,
        [(relation.predicate, names.get(relation.object)) for relation in memory.relations],
    )


async def test_a_clean_run_stores_links_and_judges(tmp_path: Path) -> None:
    async with prepared(tmp_path, Fuse()) as (rig, learning):
        await rig.engine.jobs.learn(learning)
        outcome = await _outcome(rig)
        assert outcome["verdicts"] == (1, 1)
        assert len(outcome["memories"]) == 5
        hives, smoker = await rig.store.find(["hives", "smoker"])
        assert (hives.recallable, smoker.recallable) == (False, True)
        assert (hives.vitality.useful_count, smoker.vitality.useful_count) == (0, 1)


@pytest.mark.parametrize("after", [False, True], ids=["before the step", "after the step"])
async def test_learning_interrupted_at_any_step_and_redone_leaves_the_same(
    tmp_path_factory: pytest.TempPathFactory, after: bool
) -> None:
    fuse = Fuse()
    async with prepared(tmp_path_factory.mktemp("clean"), fuse) as (rig, learning):
        began = fuse.calls
        await rig.engine.jobs.learn(learning)
        steps = fuse.calls - began
        expected = await _outcome(rig)
    assert steps > 10
    for step in range(1 + after, steps + 1, strength(4, 1)):
        fuse = Fuse(after=after)
        async with prepared(tmp_path_factory.mktemp(f"step{step}-"), fuse) as (rig, learning):
            fuse.blow_at = fuse.calls + step
            with pytest.raises(Interruption):
                await rig.engine.jobs.learn(learning)
            await rig.engine.jobs.learn(learning)
            assert await _outcome(rig) == expected, f"interrupted at step {step}"


async def test_learning_done_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    async with prepared(tmp_path, Fuse()) as (rig, learning):
        await rig.engine.jobs.learn(learning)
        once = await _outcome(rig)
        rig.clock.at += 3600
        await rig.engine.jobs.learn(learning)
        assert await _outcome(rig) == once
        assert len(rig.model.prompts) == 1


async def test_indexing_done_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    async with prepared(tmp_path, Fuse()) as (rig, _):
        before = await _outcome(rig)
        for work in await _due(rig, WorkKind.INDEX_TURN):
            await rig.engine.jobs.index_turn(work)
        assert await _outcome(rig) == before
