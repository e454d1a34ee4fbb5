"""The memory store as a whole: the sum of its roles, with interchangeable backends.

Every call may be cancelled; a cancelled write is either whole or absent. Times are Unix seconds.
"""

from typing import Protocol

from .records import MemoryRecords
from .relations import Relations
from .text_search import TextSearch
from .transitions import Decay, Transitions
from .vector_search import MemoryVectors


class MemoryStore(
    MemoryRecords, TextSearch, MemoryVectors, Relations, Decay, Transitions, Protocol
):
    """Canonical memory records with text and vector search. Interchangeable backends.

    Scope isolation: every search takes scopes and finds nothing outside them. Searches see only
    recallable memories (live and not replaced). Order of a search: score descending, then id.

    A record that cannot be read is set aside by the first call that comes upon it, and fails no
    call: from then on it is in no answer and no count but `unreadable`. A vector that is broken
    is none, and is dropped.
    """

    async def check(self) -> None:
        """Raises StorageError while memories cannot be read and written. Changes nothing."""
        ...

    async def owner(self) -> str | None:
        """The id of the journal that these memories belong to; None if none was ever named."""
        ...

    async def belong_to(self, journal: str) -> None:
        """Name that journal, in place of any other."""
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...
