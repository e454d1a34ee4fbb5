"""The files and servers that an installation's memories lie in, and other programs' tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from .journal import Journal
from .store import MemoryStore


class ForeignTables(Protocol):
    """A copy of another program's database. All methods block and raise StorageError."""

    def columns(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table, by its name."""
        ...

    def rows(self, table: str) -> Iterator[Mapping[str, object]]:
        """Every row of a table, in the order of writing, by column. None of it is checked."""
        ...

    def discard(self) -> None:
        """Delete the copy. Idempotent."""
        ...


class Frozen(Protocol):
    """The state of some files at one moment, while their contents change. To be closed."""

    @property
    def names(self) -> Sequence[str]:
        """Names of the files."""
        ...

    async def copy(
        self, into: Path, tell: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        """Write each file, as it was, into a folder that exists; checked and on the disk.

        `tell` is told pages, from any thread: done of all. What it raises ends the copying, and
        is raised. Raises StorageError and OSError.
        """
        ...

    async def close(self) -> None:
        """Let go of that moment. Idempotent."""
        ...


class Lease(Protocol):
    """The right to use a data folder."""

    async def aclose(self) -> None:
        """Give it back. Idempotent."""
        ...


class DataFiles(Protocol):
    """Everything in one data folder. A backend is named as in the setting `storage.backend`.

    Up to `keeps_traces` it is told what there seems to be, without opening anything.
    """

    @property
    def folder(self) -> Path:
        """The data folder; it exists."""
        ...

    def place(self, backend: str) -> str:
        """Names the place of a backend's memories; "" if they do not outlast a restart."""
        ...

    def has(self, backend: str) -> bool:
        """Whether memories of that backend may be there; False only if they certainly are not."""
        ...

    def has_memories(self) -> bool:
        """Whether there are memories of any backend, or the name of those on a server."""
        ...

    def has_journal(self) -> bool:
        """Whether there is a journal that is not an empty file."""
        ...

    def keeps_traces(self, backend: str) -> bool:
        """Whether its files keep bytes of what was deleted until they are written anew."""
        ...

    async def claim(self) -> Lease:
        """Before anything here is opened or changed; it ends with the process, however that ends.

        Raises StorageError (HELD) while another process uses the folder.
        """
        ...

    async def journal(self, folder: Path | None = None) -> Journal:
        """Open the journal here, or that of another folder. Raises StorageError."""
        ...

    async def store(self, backend: str, folder: Path | None = None) -> MemoryStore:
        """Open the memories of that backend, here or in another folder. Raises StorageError."""
        ...

    async def set_aside(self, into: Path) -> None:
        """Copy the database files as they are, sound or not, into a folder that exists."""
        ...

    def tables(self, source: Path) -> ForeignTables:
        """A copy of another program's database. Blocks. Raises StorageError."""
        ...

    async def freeze(self, backend: str) -> Frozen:
        """The journal as it is now, and the memories of a backend that is a single file."""
        ...

    async def verify(self, file: Path) -> None:
        """Raises StorageError if a database file is not sound."""
        ...

    async def install(self, staged: Path) -> bool:
        """Put every file of a staged folder in its place here; nothing may be open.

        Cut short, it is finished by calling it again. False if there is no such folder.
        """
        ...

    async def discard(self, backend: str) -> None:
        """Delete the memories of a backend that is not open, leaving no byte of them."""
        ...


DEFAULTS = ("default_tenant", "default_database")
"""Tenant and database of a server on which nobody has made others."""


@dataclass(frozen=True, slots=True)
class ChromaServer:
    """Address and credentials. Every call ends after `timeout_seconds`.

    `token` is sent as the bearer of `Authorization` and as `X-Chroma-Token`. `installation` tells
    bots on one server apart; "" for the id kept in the data folder.
    """

    host: str
    port: int = 8000
    ssl: bool = False
    token: str = field(default="", repr=False)
    tenant: str = DEFAULTS[0]
    database: str = DEFAULTS[1]
    installation: str = ""
    timeout_seconds: float = 10.0

    @property
    def address(self) -> str:
        """For people and for requests."""
        return f"{'https' if self.ssl else 'http'}://{self.host}:{self.port}"

    def headers(self) -> dict[str, str]:
        """What every request carries."""
        if not self.token:
            return {}
        return {"Authorization": f"Bearer {self.token}", "X-Chroma-Token": self.token}


def server_at(address: str) -> ChromaServer | None:
    """The server at http(s)://host:port/tenant/database, of which the host alone has to be there.

    None where it is no such address.
    """
    try:
        parts = urlsplit(address.strip())
        port, host = parts.port, parts.hostname
    except ValueError:
        return None
    ssl = parts.scheme == "https"
    where = [unquote(part) for part in parts.path.split("/") if part] or [*DEFAULTS]
    more = parts.username or parts.password or parts.query or parts.fragment
    if not host or more or port == 0 or len(where) != 2 or not (ssl or parts.scheme == "http"):
        return None
    name = f"[{host}]" if ":" in host else host
    return ChromaServer(name, port or (443 if ssl else 8000), ssl, "", where[0], where[1])
