"""Settings of what memories are kept in: vectors, stores, backups."""

from dataclasses import dataclass, replace
from typing import Literal

from ..model.declaration import Provider, declared
from ..ports.chroma_server import ChromaServer, server_at


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Where vectors come from."""

    source: Literal["auto", "host", "endpoint", "folder", "local", "hashed", "off"] = declared(
        "auto", basic=True
    )
    provider_id: str = declared("", provider=Provider.EMBEDDING, basic=True)
    endpoint_url: str = declared("")
    endpoint_key: str = declared("", secret=True)
    endpoint_model: str = declared("")
    folder: str = declared("")
    timeout_seconds: float = 20.0
    """Longest wait for one embedding call; a turn goes on without it at its deadline."""


@dataclass(frozen=True, slots=True)
class ChromaSettings:
    """ChromaDB on a server that bots may share, or, without an address, in a folder of the data.

    `installation` tells them apart there; "" for an id kept in the data folder.
    """

    address: str = declared("", written="address")
    token: str = declared("", secret=True)
    installation: str = declared("")

    def server(self) -> ChromaServer | None:
        """The server that is meant; None for the folder."""
        named = server_at(self.address)
        return named and replace(named, token=self.token, installation=self.installation)


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where memories live. Fixed while they are open."""

    backend: Literal["sqlite", "chroma"] = declared("sqlite")
    chroma: ChromaSettings = declared(ChromaSettings(), when=("backend", "chroma"))


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Daily backups: whether, how many are kept, and one each of how many weeks and months."""

    enabled: bool = declared(True, basic=True)
    keep: int = declared(7, within=(1, 365), when=("enabled", True))
    keep_weekly: int = 4
    """The newest backup of so many weeks stays beside the newest ones."""

    keep_monthly: int = 3
    """The same of so many months."""
