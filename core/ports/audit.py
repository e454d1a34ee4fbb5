"""Part of the journal: every change to a memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One change to a memory. `key` makes it unique, so repeating the work repeats no entry.

    `action` is created, judged, corrected, binned, restored, purged, pinned...; `by` is a
    policy, a person or "learning"; `detail` is JSON text with the numbers.
    """

    key: str
    memory: str
    scope: str
    action: str
    by: str
    at: float
    detail: str = "{}"


class AuditLog(Protocol):
    """Entries are appended, and deleted only with their memory."""

    async def audit(self, entries: Sequence[AuditEntry]) -> None:
        """Append; entries whose key exists are skipped."""
        ...

    async def audit_of(self, memory: str, *, limit: int = 50) -> list[AuditEntry]:
        """The newest entries on one memory, oldest first."""
        ...

    async def audit_by_action(self, actions: frozenset[str]) -> list[AuditEntry]:
        """Every entry with one of the actions, in the order of writing."""
        ...

    async def audited(self, action: str, detail: str) -> list[str]:
        """Memories of which exactly that is noted, in the order of writing."""
        ...

    async def noted_since(self, entry: int) -> frozenset[str]:
        """Memories that people wrote or imported after this audit entry."""
        ...
