"""Opening the plugin's files anew on those of a backup, in this process and without a host."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ..kit import until
from ..rig import Rig, open_rig

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")


pytestmark = pytest.mark.usefixtures("host_code")


PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))
"""On a busy machine a recall may not be ready in time."""


@dataclass
class Shell:
    folder: Path
    broken: bool = False
    bug: Exception | None = None
    opened: list[DataFolder] = field(default_factory=list[DataFolder])
    rigs: list[Rig] = field(default_factory=list[Rig])

    async def open(self, stack: AsyncExitStack) -> Parts:
        if self.broken:
            raise StorageError("the disk is gone")
        if self.bug is not None:
            raise self.bug
        data_folder = await DataFolder.open(LocalFiles(self.folder), "sqlite")
        stack.push_async_callback(data_folder.aclose)
        self.opened.append(data_folder)
        rig = await open_rig(
            self.folder, PATIENT, store=data_folder.store, journal=data_folder.journal
        )
        self.rigs.append(rig)
        return rig.engine.parts

    async def assemble(self, parts: Parts) -> MemoryEngine:
        return MemoryEngine(parts)

    def turn(self, engine: MemoryEngine) -> Rig:
        return replace(self.rigs[-1], engine=engine, store=engine.store, journal=engine.journal)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


async def test_a_restored_backup_is_what_the_next_turn_uses(lifetime: Any, shell: Shell) -> None:
    chat = shell.turn(await lifetime.engine())
    await chat.say(ANN, "My boat is called Petrel")
    await chat.settle()
    backup = await shell.opened[0].backups.make(Occasion.ASKED, 5.0)
    await chat.say(ANN, "My cat is called Minka")
    await chat.settle()
    await shell.opened[0].backups.stage(backup.name)
    await lifetime.reopen()
    chat = shell.turn(await lifetime.engine())
    assert "Petrel" in str(await chat.texts(ANN, "What is my boat called?"))
    assert "Minka" not in str(await chat.texts(ANN, "What is my cat called?"))
    seq = await chat.say(ANN, "My dog is called Rex")
    await chat.settle()
    assert await chat.journal.turn(seq) is not None
    assert "Rex" in str(await chat.texts(ANN, "What is my dog called?"))


async def test_who_asks_meanwhile_waits_for_the_new_files(lifetime: Any, shell: Shell) -> None:
    old = await lifetime.engine()
    reopening = asyncio.create_task(lifetime.reopen())
    await until(lambda: len(shell.opened) == 2 or lifetime._engine is None)
    new = await lifetime.engine()
    await reopening
    assert new is not old
    await shell.turn(new).say(ANN, "hello")


@pytest.mark.parametrize("damaged", [False, True])
async def test_what_is_in_the_way_of_reopening_is_raised_and_tried_again(
    lifetime: Any, shell: Shell, monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    """A damaged note was neither caught nor tried again: memory was gone until a restart."""
    monkeypatch.setattr("astrbot_plugin_tidemark.core.host.lifetime.RETRY", (0.01,))
    shell.broken, shell.bug = not damaged, ValueError("not thought of") if damaged else None
    fault = ValueError if damaged else StorageError
    with pytest.raises(fault, match=r"not thought of|the disk is gone"):
        await lifetime.reopen()
    assert await lifetime.engine() is None
    shell.broken, shell.bug = False, None
    await until(lifetime.engine)
    await until(lambda: lifetime.problem is None)


async def test_what_is_repaired_while_memory_is_shut_opens_it(lifetime: Any, shell: Shell) -> None:
    shell.broken = True
    with pytest.raises(StorageError, match="the disk is gone"):
        await lifetime.reopen()

    async def nothing() -> None:
        return None

    async def repair() -> None:
        shell.broken = False

    assert isinstance(await lifetime.repair(nothing), StorageError)
    assert await lifetime.repair(repair) is None
    assert await lifetime.engine() is not None


async def test_reopening_before_anything_is_open_does_nothing(shell: Shell) -> None:
    from astrbot_plugin_tidemark.core.host.lifetime import Lifetime

    await Lifetime(shell.open, shell.assemble).reopen()
    assert shell.opened == []


async def test_an_end_during_reopening_leaves_nothing_open(lifetime: Any, shell: Shell) -> None:
    reopening = asyncio.create_task(lifetime.reopen())
    await asyncio.sleep(0)
    ending = asyncio.create_task(lifetime.end())
    reopening.cancel()
    await asyncio.gather(reopening, ending, return_exceptions=True)
    assert lifetime._engine is None
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("tidemark")]
