"""What the plugin's shell knows and the engine does not, and the installation it may start."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..embedding.local import files as local_files
from ..embedding.local import install as local_model
from ..embedding.onnx.session import runtime_installed
from ..model.jobs import Job, JobKind, Tell
from ..queue.job_list import JobCancelled, JobList
from ..settings import Configuration
from ..simulation.runner import Simulations
from ..transfer.data_folder import DataFolder
from ..transfer.host_history import HostHistory
from .confirmations import Confirmations

type Report = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class EmbedderInstaller:
    """How to get the local embedding model, and what runs it faster.

    `install` reports a step and the share done, 0..1, and is told whether the model is wanted or
    the runtime alone; what it raises is shown as the reason.
    `status` answers missing, damaged or ready.
    """

    install: Callable[[Report, bool], Awaitable[None]]
    status: Callable[[], Awaitable[str]]
    runtime: Callable[[], bool] = runtime_installed


def local_installer(
    folder: Path, packages: local_model.InstallPackages | None = None
) -> EmbedderInstaller:
    """Installs the local model into `folder`, and onnxruntime by `packages` if they are given."""

    async def install(report: Report, model: bool) -> None:
        await local_model.install(folder, report, packages, model=model)

    async def status() -> str:
        return await asyncio.to_thread(local_files.status, folder)

    return EmbedderInstaller(install, status)


class Installation:
    """Installs the local model as a job, once at a time."""

    def __init__(
        self, installer: EmbedderInstaller, installed: Callable[[], None], jobs: JobList
    ) -> None:
        self._installer = installer
        self._installed = installed
        self._jobs = jobs

    @property
    def job(self) -> Job | None:
        """The newest installation; None if none was started since the host was."""
        return self._jobs.newest(JobKind.MODEL)

    async def status(self) -> str:
        """missing, damaged or ready."""
        return await self._installer.status()

    @property
    def runtime(self) -> bool:
        """Whether onnxruntime is installed."""
        return self._installer.runtime()

    def start(self, by: str = "", *, model: bool = True) -> bool:
        """Begin, without `model` with the runtime alone; False if one is running."""
        if self._jobs.running(JobKind.MODEL) is not None:
            return False
        # Cutting it off leaves a folder of its own behind at most, and never half a model.
        work = partial(self._run, model)
        self._jobs.start(JobKind.MODEL, work, by=by, abrupt=True)
        return True

    async def _run(self, model: bool, tell: Tell) -> None:
        def report(step: str, share: float) -> None:
            # Cut off from outside: raised here it would come out of a group of tasks.
            with suppress(JobCancelled):
                tell(round(100 * share), 100)

        await self._installer.install(report, model)
        self._installed()


async def _defaults() -> Configuration:
    return Configuration()


async def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Services:
    """The settings in force, the tokenizer's name.

    `jobs` is the long work of the installation. `reconfigure` puts what the journal has overridden
    into force and answers with that. `data_folder` is what the engine's store and journal belong
    to, and `reopen` opens that anew. `reschedule` looks whether anybody wants to be reminded.
    `host_history` is what the host has stored itself.
    """

    installation: Installation
    jobs: JobList
    configuration: Configuration = Configuration()
    reconfigure: Callable[[], Awaitable[Configuration]] = _defaults
    tokenizer: str = "estimate"
    confirmations: Confirmations = field(default_factory=Confirmations)
    simulations: Simulations = field(default_factory=Simulations)
    data_folder: DataFolder | None = None
    reopen: Callable[[], Awaitable[None]] = _nothing
    reschedule: Callable[[], Awaitable[None]] = _nothing
    host_history: HostHistory | None = None
