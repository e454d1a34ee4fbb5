"""An engine to sleep with, and what may come between: a kill at any call, or an erasure."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.sleeping import Decided, Deed, SleepCause
from astrbot_plugin_tidemark.core.ports import Completion, Prompt, WorkKind
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings, SleepSettings
from astrbot_plugin_tidemark.core.sleep.pipeline import Pipeline, Steps
from astrbot_plugin_tidemark.scripts.nights import drained

from ...kit import Fragile, Fuse, Interruption, learnt
from ...rig import Rig, open_rig
from ...samples import ANNS

PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))


@pytest.fixture
def running() -> bool:
    """Whether the engine is started; modules that do its work themselves have another."""
    return True


@pytest.fixture
async def rig(tmp_path: Path, running: bool) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, PATIENT)
    if running:
        rig.engine.start()
    yield rig
    await rig.engine.close()


async def slept(rig: Rig, *deeds: Deed) -> dict[Deed, int]:
    """How many decisions of these sorts a night makes."""
    rig.clock.at += 1
    counts = (await rig.sleep(patience=20.0)).counts
    return {deed: count for deed, count in counts.items() if deed in deeds}


async def decisions(rig: Rig, *deeds: Deed, scope: Scope = ANNS) -> list[Decided]:
    """Those of these sorts that any night has made."""
    nights = await rig.journal.reports([scope.key])
    every = [each for one in nights for each in await rig.journal.decisions(one.id, limit=99)]
    return [each for each in every if each.decision.deed in deeds]


def fragile(rig: Rig, fuse: Fuse, name: str) -> Pipeline:
    """One step alone, over parts that fail where the fuse blows. A call costs nothing."""
    pipeline = rig.engine.pipeline
    step = pipeline.steps.by_name[name]
    parts = {"journal": Fragile(rig.journal, fuse), "store": Fragile(rig.store, fuse)}
    inner = {
        part: replace(whole, **{each: parts[each] for each in parts if hasattr(whole, each)})
        for part in ("capture", "similarity")
        if (whole := getattr(step, part, None)) is not None
    }
    asking = replace(pipeline.asking, settings=SleepSettings(calls=1_000))
    steps = Steps([replace(step, **parts, **inner)], [])
    return replace(pipeline, journal=parts["journal"], asking=asking, steps=steps)


async def killed_anywhere(rig: Rig, step: str, *, after: bool) -> tuple[int, int]:
    """A sleep's id, and its attempts: each gets one call further, until one is not cut short."""
    [id] = await rig.journal.begin_sleeps([ANNS.key], SleepCause.COMMAND, at=rig.clock.at)
    [work] = await rig.journal.due(
        rig.clock.at, kinds=frozenset({WorkKind.SLEEP}), limit=1, skip=frozenset()
    )
    fuse, attempts = Fuse(after=after), 0
    while True:
        attempts += 1
        fuse.calls, fuse.blow_at = 0, attempts
        try:
            await fragile(rig, fuse, step).work(work)
        except (Interruption, StorageError):
            # Three failures would leave the step out; a kill is none.
            sleep = await rig.journal.sleep(id)
            assert sleep is not None
            for name, state in sleep.steps.items():
                await rig.journal.save_step(id, name, replace(state, failures=0), at=sleep.at)
            continue
        return id, attempts


async def erased_while_asked(rig: Rig, name: str) -> None:
    """Ann is erased while a model is asked this, which halts the sleep: nothing of hers is left."""
    erasing: list[asyncio.Task[Any]] = []
    complete = rig.model.complete

    async def erase(prompt: Prompt, *, session: str) -> Completion:
        rig.model.answers = [learnt()]
        if prompt.name == name:
            erasing.append(asyncio.create_task(rig.engine.eraser.erase(ANNS)))
            await asyncio.Event().wait()
        return await complete(prompt, session=session)

    rig.model.complete = erase
    await rig.engine.begin_sleep()
    assert await drained(rig.engine.worker, 30.0)
    await asyncio.wait_for(erasing[0], 30)
    assert await drained(rig.engine.worker, 30.0)
    assert await rig.memories() == []
    assert await rig.journal.reports([ANNS.key]) == []
