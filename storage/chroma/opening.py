"""Opens and closes the collections of one installation, in the right order."""

import asyncio
import logging
import uuid
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ...core.model.errors import StorageError
from ...core.ports.chroma_server import ChromaServer
from ...core.records.on_disk import put_text
from ..lease import Holder
from .client import Client, connected, embedded
from .executors import Executors
from .lease import ServerLease
from .namespace import Namespace

logger = logging.getLogger(__name__)

EMBEDDED = "embedded"
"""The installation of a folder; a server over that folder must be told the same."""

INSTALLATION_FILE = "chroma-installation"


@dataclass(frozen=True, slots=True)
class OpenInstallation:
    """What a store works with; without a lease in a folder, whose lock proves as much."""

    client: Client
    namespace: Namespace
    executors: Executors
    lease: ServerLease | None

    async def aclose(self) -> None:
        """Close everything. Idempotent."""
        await _close(self.executors, self.lease)


async def open_installation(
    folder: Path, server: ChromaServer | None, holder: Holder | None, seat: str
) -> OpenInstallation:
    """See `ChromaStore.open`."""
    executors, lease = Executors(), None
    client = await executors.open(lambda opened: _connected(folder, server, opened))
    try:
        name = EMBEDDED if server is None else _installation(folder, server)
        if server is not None:
            seconds = server.timeout_seconds
            lease = ServerLease(client, name, holder or Holder(), seat, seconds)
            await _take(executors, lease)
            client.guard = lease.check
        namespace = await executors.write(lambda: _loaded(client, name))
    except BaseException:
        await _close(executors, lease)
        raise
    return OpenInstallation(client, namespace, executors, lease)


async def _take(executors: Executors, lease: ServerLease) -> None:
    while True:
        pause = await executors.read(lease.attempt)
        if not pause:
            return
        await asyncio.sleep(pause)


async def _close(executors: Executors, lease: ServerLease | None) -> None:
    if lease is not None and not executors.closed:
        try:
            # After the last write.
            await executors.write(lease.release)
        except StorageError as error:
            logger.warning("the next process has to wait for the lease to end: %s", error)
    await executors.close()


def _connected(folder: Path, server: ChromaServer | None, opened: ExitStack) -> Client:
    client = embedded(folder) if server is None else connected(server)
    opened.callback(client.close)
    return client


def _loaded(client: Client, installation: str) -> Namespace:
    namespace = Namespace(client, installation)
    namespace.load()
    return namespace


def _installation(folder: Path, server: ChromaServer) -> str:
    """What tells this bot from others on its server; made once and kept in the data folder."""
    if server.installation:
        return server.installation
    file = folder / INSTALLATION_FILE
    if not file.exists():
        put_text(uuid.uuid4().hex, file)
    return file.read_text("ascii").strip()
