"""Memory that another process has taken: the chat goes on without it, and gets it back."""

import gc
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.storage.lease import FILE, Holder
from astrbot_plugin_tidemark.tests.storage.memories import memory

from ..rig import open_rig
from .chat_client import until

pytestmark = pytest.mark.usefixtures("host_code")


class Shell:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lifetime: Any = None

    async def open(self, stack: AsyncExitStack) -> Parts:
        files = LocalFiles(self.folder, holder=Holder(lost=self.lifetime.lost))
        data = await DataFolder.open(files, "sqlite")
        stack.push_async_callback(data.aclose)
        rig = await open_rig(self.folder, Settings(), store=data.store, journal=data.journal)
        return rig.engine.parts

    async def assemble(self, parts: Parts) -> MemoryEngine:
        return MemoryEngine(parts)


async def test_memory_that_was_taken_is_let_go_and_had_again_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from astrbot_plugin_tidemark.core.host import lifetime as module

    monkeypatch.setattr(module, "TURN_SECONDS", 0.05)
    shell = Shell(tmp_path)
    shell.lifetime = lifetime = module.Lifetime(shell.open, shell.assemble)
    lifetime.begin()
    engine = await lifetime.engine()
    assert engine is not None
    assert gc.get_freeze_count() > 10_000, "what is loaded is not gone over again and again"
    (tmp_path / FILE).unlink()
    other = await DataFolder.open(LocalFiles(tmp_path), "sqlite")
    # Work in the background may have noticed first, and closed it.
    with pytest.raises(StorageError):
        await engine.store.put([memory("late")])

    async def refused() -> bool:
        return isinstance(lifetime.problem, StorageError)

    await until(refused)
    assert lifetime.problem.fault is Fault.HELD
    assert await lifetime.engine() is None
    await other.store.put([memory("theirs")])
    await other.aclose()

    async def had() -> bool:
        return await lifetime.engine() is not None

    await until(had)
    engine = await lifetime.engine()
    assert await engine.store.put([memory("late")]) == {"late"}
    await lifetime.end()
    assert gc.get_freeze_count() == 0
