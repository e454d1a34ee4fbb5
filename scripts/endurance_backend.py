"""Where the memories of a soak lie: a file, a folder of Chroma, or a Chroma server of its own."""

import asyncio
import resource
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import psutil

from ..core.ports.files import ChromaServer
from ..storage import Backend
from .hostkit.chroma_server import ServerProcess

type BackendName = Literal["sqlite", "chroma", "chroma-server"]

INSTALLATION = "soak"


class SoakBackend:
    """Made by `running`. `backend` is its name in the settings."""

    def __init__(self, name: BackendName, process: ServerProcess | None) -> None:
        self.backend: Backend = "sqlite" if name == "sqlite" else "chroma"
        self.process = process

    @classmethod
    @asynccontextmanager
    async def running(cls, name: BackendName, folder: Path) -> AsyncGenerator["SoakBackend"]:
        """With a server in the folder, if it is one, until the end of the block."""
        process = ServerProcess(folder / "server") if name == "chroma-server" else None
        try:
            if process is not None:
                await asyncio.to_thread(process.start)
            yield cls(name, process)
        finally:
            if process is not None:
                process.kill()

    @property
    def server(self) -> ChromaServer | None:
        """How it is reached, if it is one."""
        return self.process and self.process.address(INSTALLATION)

    def settings(self) -> Mapping[str, Any]:
        """The part of the plugin's configuration that says so."""
        chroma: dict[str, Any] = {}
        if (server := self.server) is not None:
            chroma = {"address": server.address, "installation": server.installation}
        return {"storage": {"backend": self.backend, "chroma": chroma}}


@contextmanager
def full_disk(process: int) -> Generator[None]:
    """No file of the process or of those it has started may grow."""
    with suppress(psutil.NoSuchProcess, ProcessLookupError):
        _limit(process, full=True)
    try:
        yield
    finally:
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            _limit(process, full=False)


def _limit(process: int, *, full: bool) -> None:
    host = psutil.Process(process)
    _limit_one(process, full=full)
    # Only now: one that is born meanwhile has the limit that the host had.
    for each in host.children(recursive=True):
        with suppress(ProcessLookupError):
            _limit_one(each.pid, full=full)


def _limit_one(process: int, *, full: bool) -> None:
    hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process, resource.RLIMIT_FSIZE, (1 if full else hard, hard))
