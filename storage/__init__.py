"""Where memories and the journal live on disk."""

from pathlib import Path
from typing import Literal

from ..core.ports import MemoryStore
from ..core.ports.files import ChromaServer
from .chroma import ChromaStore
from .journal import open_journal
from .lease import Holder
from .sqlite import SqliteStore

type Backend = Literal["sqlite", "chroma"]


async def open_store(
    backend: Backend,
    folder: Path,
    *,
    server: ChromaServer | None = None,
    holder: Holder | None = None,
    seat: str = "",
) -> MemoryStore:
    """Open or create the memories in `folder`, which must exist; nothing is loaded.

    With a `server` the Chroma backend keeps them there, and in `folder` only who it is. With
    a `holder` nobody else can write them until somebody else opens them with one; `seat` is
    what the holder has already that a server's memories go with.
    Raises SchemaTooNew for the file of a newer version and StorageError for one that cannot be
    used; either is left as it is.
    """
    match backend:
        case "sqlite":
            return await SqliteStore.open(folder, holder=holder)
        case "chroma":
            return await ChromaStore.open(folder, server, holder, seat)
