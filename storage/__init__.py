"""Where memories and the journal live on disk."""

from pathlib import Path
from typing import Literal

from ..core.ports import Journal, MemoryStore
from ..core.ports.chroma_server import ChromaServer
from .chroma import ChromaStore
from .ephemeral import EphemeralStore
from .journal import open_local
from .sqlite import SqliteStore

type Backend = Literal["sqlite", "chroma", "ephemeral"]


async def open_store(
    backend: Backend,
    folder: Path,
    *,
    partitions_in_memory: int = 32,
    server: ChromaServer | None = None,
) -> MemoryStore:
    """Open or create the memories in `folder`, which must exist; nothing is loaded.

    With a `server` the Chroma backend keeps them there, and in `folder` only who it is.
    Raises SchemaTooNew for the file of a newer version and StorageError for one that cannot be
    used; either is left as it is.
    """
    match backend:
        case "sqlite":
            return await SqliteStore.open(folder, partitions_in_memory=partitions_in_memory)
        case "chroma":
            return await ChromaStore.open(folder, server)
        case "ephemeral":
            return EphemeralStore()


async def open_journal(folder: Path) -> Journal:
    """Open or create the journal in `folder`, which must exist.

    Raises SchemaTooNew for the file of a newer version and StorageError for one that cannot be
    used; either is left as it is.
    """
    return await open_local(folder)
