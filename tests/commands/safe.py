"""A rig over a data folder of its own, which can be backed up, restored and moved."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.core.actions.context import Installation, Services
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.model.errors import Incidents
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.settings import BackupSettings, DisplaySettings, Settings
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.storage.files import LocalFiles

from .command_rig import ANN, CommandRig, Embedders, ModelFolder, NoModel, SetClock, admin

BOSS = admin(ANN)


@dataclass
class Office:
    """Opens and opens anew what the rig stands on."""

    folder: Path
    rig: CommandRig
    data_folder: DataFolder
    problems: list[str]

    async def ask(self, command: str, argument: str = "") -> str:
        return await self.rig.ask(command, argument, by=BOSS)

    async def confirm(self, command: str, argument: str = "") -> str:
        return await self.rig.confirm(command, argument, by=BOSS)

    async def texts(self) -> set[str]:
        return {each.text async for each in self.data_folder.store.iterate(Filter())}

    async def reopen(self) -> None:
        await self.rig.engine.finish()
        await self.data_folder.aclose()
        self.data_folder = await _opened(self.folder, self.rig.clock, self.problems)
        parts = replace(
            self.rig.engine.parts, store=self.data_folder.store, journal=self.data_folder.journal
        )
        self.rig.engine = MemoryEngine(parts)
        self.rig.services = replace(
            self.rig.services, data_folder=self.data_folder, jobs=self.data_folder.jobs
        )


@asynccontextmanager
async def office(folder: Path, backend: str = "sqlite") -> AsyncIterator[Office]:
    """Over that backend, with hashed vectors and without a chat model; the jobs do not run."""
    clock, models, problems = SetClock(), ModelFolder(), list[str]()
    data_folder = await _opened(folder, clock, problems, backend)
    parts = Parts(
        store=data_folder.store,
        journal=data_folder.journal,
        clock=clock,
        models=NoModel(),
        embedders=Embedders(),
        settings=Settings(display=DisplaySettings(timezone="UTC")),
        report=lambda text, error: None,
        incidents=Incidents(),
    )
    engine = MemoryEngine(parts)
    jobs = data_folder.jobs
    services = Services(Installation(models.install, models.status, engine.wake, jobs), jobs)
    rig = CommandRig(engine, clock, Embedders(), models, services, load_phrases())
    made = Office(folder, rig, data_folder, problems)
    rig.services = replace(rig.services, data_folder=data_folder, reopen=made.reopen)
    yield made
    await rig.engine.finish()
    await made.data_folder.aclose()


async def _opened(
    folder: Path, clock: SetClock, problems: list[str], backend: str = "sqlite"
) -> DataFolder:
    data_folder = await DataFolder.open(LocalFiles(folder), backend)

    def report(place: str, error: BaseException) -> None:
        problems.append(f"{place}: {error}")

    await data_folder.start(clock, BackupSettings, report)
    return data_folder
