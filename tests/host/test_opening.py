"""Memory that is not open, or takes long to open: who waits is told so, what is said is kept."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.actions.tools import ToolRefusal
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.settings import Settings

from ..rig import START, open_rig

pytestmark = pytest.mark.usefixtures("host_code")


class Slow:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gate = asyncio.Event()

    async def open(self, stack: AsyncExitStack) -> Parts:
        await self.gate.wait()
        rig = await open_rig(self.folder, Settings())
        stack.push_async_callback(rig.journal.close)
        stack.push_async_callback(rig.store.close)
        return rig.engine.parts

    async def assemble(self, parts: Parts) -> MemoryEngine:
        return MemoryEngine(parts)


async def test_what_is_said_waits_while_memory_is_opened_who_asks_does_not(tmp_path: Path) -> None:
    from astrbot_plugin_tidemark.core.host.lifetime import Lifetime

    slow = Slow(tmp_path)
    lifetime = Lifetime(slow.open, slow.assemble)
    lifetime.begin()
    recording = asyncio.create_task(lifetime.engine())
    assert await lifetime.engine(0.05) is None
    assert lifetime.problem is None
    # Longer than anybody waits for an answer.
    done, _ = await asyncio.wait({recording}, timeout=3.2)
    assert not done
    slow.gate.set()
    engine = await recording
    assert engine is not None
    assert engine.clock.now() == START
    await lifetime.end()


async def not_open() -> None:
    return None


async def test_while_memory_is_not_open_both_tools_say_so() -> None:
    from astrbot_plugin_tidemark.core.host.tools import ToolHooks

    nothing: Any = None
    hooks = ToolHooks(nothing, "astrbot_plugin_tidemark", not_open, nothing, nothing)
    assert await hooks.recall(nothing, "bees") == ToolRefusal.NOT_AVAILABLE
    assert await hooks.remember(nothing, "Ann keeps bees") == ToolRefusal.NOT_AVAILABLE
