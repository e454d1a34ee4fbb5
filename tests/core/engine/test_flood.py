"""A flood of messages in a group: nothing is lost, little runs at once, recall goes on."""

import asyncio
from pathlib import Path

from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import WorkKind, WorkState
from astrbot_plugin_tidemark.core.settings import LearningSettings, RecallSettings, Settings
from astrbot_plugin_tidemark.storage import open_store

from ...kit import place
from ...rig import open_rig
from ...strength import strength

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
MESSAGES, PEOPLE, BUDGET = strength(150, 1_000), 40, 5
CALLS = 2
AT_ONCE = 4 + CALLS + 1
"""Units of work: quick ones, calls of a model, a sleep."""


def message(number: int, at: float) -> NewTurn:
    who = number % PEOPLE
    speaker = Speaker(str(900 + who), f"P{who}")
    text = f"Ship {number} brought cargo {number * 7919 % 10_007} into the harbour"
    return NewTurn(place(GROUP), Role.BYSTANDER, speaker, text, at, f"m{number}")


def running() -> int:
    return sum(task.get_name().startswith("tidemark:") for task in asyncio.all_tasks())


async def test_a_flood_is_kept_in_order_and_done_a_few_at_a_time(tmp_path: Path) -> None:
    settings = Settings(
        recall=RecallSettings(deadline_ms=10_000),
        learning=LearningSettings(concurrency=CALLS, daily_calls=BUDGET),
    )
    rig = await open_rig(tmp_path, settings, store=await open_store("sqlite", tmp_path))
    rig.engine.start()
    counts: list[int] = []

    async def count() -> None:
        while True:
            counts.append(running())
            await asyncio.sleep(0.001)

    async def said(number: int) -> int:
        return (await rig.engine.observe(message(number, rig.clock.at + number * 0.06))).turn.seq

    counting = asyncio.create_task(count())

    flood = [asyncio.create_task(said(number)) for number in range(MESSAGES)]
    recalled = await rig.engine.recall(RecallRequest(GROUP, "Which cargo did ship 7 bring?", None))
    assert recalled is not None
    seqs = await asyncio.gather(*flood)
    assert len(set(seqs)) == MESSAGES
    await rig.settle()
    rig.clock.at += 3_600
    await rig.engine.sleep()
    await rig.engine.worker.drain(60.0)
    counting.cancel()
    raw = await rig.memories(Kind.EVIDENCE)
    left = await rig.journal.backlog()
    # Whatever is asserted below, no file may be left open for the next test to trip over.
    await rig.engine.close()
    assert 0 < max(counts) <= AT_ONCE
    assert len(rig.model.prompts) <= BUDGET
    assert sorted(seq for memory in raw for seq in memory.origin.turns) == sorted(seqs)
    assert not any(n for (_, state), n in left.items() if state is WorkState.DEAD)
    assert not left.get((WorkKind.INDEX_TURN, WorkState.READY))
    assert rig.reports == []
