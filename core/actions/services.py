"""What the plugin's shell knows and the engine does not, and the installation it may start."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ..embedding.local import install as local_model
from ..settings import Configuration
from ..simulation.runner import Simulations
from ..transfer.data_folder import DataFolder
from ..transfer.host_history import HostHistory
from .confirmations import Confirmations

type Report = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class EmbedderInstaller:
    """How to get the local embedding model.

    `install` reports a step and the share done, 0..1; what it raises is shown as the reason.
    `status` answers missing, damaged or ready.
    """

    install: Callable[[Report], Awaitable[None]]
    status: Callable[[], Awaitable[str]]


def local_installer(folder: Path) -> EmbedderInstaller:
    """Installs the local model into `folder`."""

    async def install(report: Report) -> None:
        await local_model.install(folder, report)

    async def status() -> str:
        return (await asyncio.to_thread(local_model.status, folder)).value

    return EmbedderInstaller(install, status)


class Stage(StrEnum):
    """How far an installation is."""

    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Progress:
    """The stage, the share done (0..1) and, after a failure, the reason."""

    stage: Stage
    share: float
    problem: str = ""


class Installation:
    """Installs the local model in the background, once at a time. Whoever made it closes it."""

    def __init__(self, installer: EmbedderInstaller, installed: Callable[[], None]) -> None:
        self._installer = installer
        self._installed = installed
        self._task: asyncio.Task[None] | None = None
        self._progress: Progress | None = None

    @property
    def progress(self) -> Progress | None:
        """Of the newest installation; None if none was started."""
        return self._progress

    async def status(self) -> str:
        """missing, damaged or ready."""
        return await self._installer.status()

    def start(self) -> bool:
        """Begin; False if one is running."""
        if self._task is not None and not self._task.done():
            return False
        self._progress = Progress(Stage.RUNNING, 0.0)
        self._task = asyncio.create_task(self._run(), name="tidemark:install")
        self._task.add_done_callback(self._ended)
        return True

    async def aclose(self) -> None:
        """Stop a running installation and wait for its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        await self._installer.install(self._report)

    def _report(self, step: str, share: float) -> None:
        self._progress = Progress(Stage.RUNNING, share)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            self._progress = Progress(Stage.FAILED, 0.0, "cancelled")
            return
        error = task.exception()
        if error is not None:
            self._progress = Progress(Stage.FAILED, 0.0, f"{type(error).__name__}: {error}")
            return
        self._progress = Progress(Stage.READY, 1.0)
        self._installed()


def _no_rivals() -> Sequence[str]:
    return ()


async def _defaults() -> Configuration:
    return Configuration()


async def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Services:
    """The settings in force, other memory plugins active now, the tokenizer's name.

    `reconfigure` puts what the journal has overridden into force and answers with that.
    `data_folder` is what the engine's store and journal belong to, and `reopen` opens that anew.
    `reschedule` looks whether anybody wants to be reminded. `host_history` is what the host has
    stored itself.
    """

    installation: Installation
    configuration: Configuration = Configuration()
    reconfigure: Callable[[], Awaitable[Configuration]] = _defaults
    tokenizer: str = "estimate"
    rivals: Callable[[], Sequence[str]] = _no_rivals
    confirmations: Confirmations = field(default_factory=Confirmations)
    simulations: Simulations = field(default_factory=Simulations)
    data_folder: DataFolder | None = None
    reopen: Callable[[], Awaitable[None]] = _nothing
    reschedule: Callable[[], Awaitable[None]] = _nothing
    host_history: HostHistory | None = None
