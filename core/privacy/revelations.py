"""Notes, readable by the owner, that an admin was shown somebody's private memories.

Noted in the audit log before anything is shown, under the owner (`Scope.owner`) in the place of a
memory. A refused note is an exception, and then nothing is shown.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import uuid4

from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..ports import AuditEntry, AuditLog, Clock
from .consents import Consents

NEWEST = 500
"""Entries of an owner that are read."""


class RevelationKind(StrEnum):
    """How somebody else came to see private memories, by its name in the audit log."""

    REVEALED = "revealed"
    EXPORTED = "exported"
    JOINED = "joined"


@dataclass(frozen=True, slots=True)
class Justification:
    """Who was shown it, as the audit log names them, and the reason they gave."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Revelations:
    """Whose memories are whose, and the notes of those that were shown to others."""

    journal: AuditLog
    consents: Consents
    clock: Clock

    async def foreign(self, place: Scope, keys: Iterable[str]) -> frozenset[str]:
        """Those of the scopes that are private and of none of the accounts whose chat this is."""
        private = {key for key in keys if Scope.kind_of(key) is ScopeKind.PRIVATE}
        if not private:
            return frozenset()
        own = await self.consents.owners(place)
        return frozenset(key for key in private if Scope.parse(key).owner not in own)

    async def note_shown(self, memories: Iterable[Memory], justification: Justification) -> None:
        """That these are about to be shown. Raises StorageError."""
        by_owner: dict[str, list[Memory]] = {}
        for memory in memories:
            by_owner.setdefault(Scope.parse(memory.scope).owner, []).append(memory)
        entries: list[AuditEntry] = []
        for owner, theirs in by_owner.items():
            ids = [memory.id for memory in theirs]
            told = {"count": len(ids), "memories": ids}
            entries.append(self._entry(RevelationKind.REVEALED, owner, justification, told))
        await self.journal.audit(entries)

    async def note_all(
        self,
        act: RevelationKind,
        counts: Mapping[str, int],
        justification: Justification,
        *,
        until: float | None = None,
    ) -> None:
        """That all there is of these owners is about to be readable, `until` then if that ends.

        Raises StorageError.
        """
        ends = {} if until is None else {"until": until}
        told = {owner: {"count": count, **ends} for owner, count in counts.items()}
        entries = [self._entry(act, owner, justification, each) for owner, each in told.items()]
        await self.journal.audit(entries)

    async def of(self, person: Scope) -> list[AuditEntry]:
        """What was noted of a person's memories, on all accounts, oldest first."""
        found: list[AuditEntry] = []
        for owner in await self.consents.owners(person):
            found += await self.journal.audit_of(Scope.parse(owner).owner, limit=NEWEST)
        return sorted(found, key=lambda entry: entry.at)

    async def of_memory(self, memory: Memory) -> list[AuditEntry]:
        """What was noted of one memory, alone or with all of its owner's, oldest first."""
        owner = Scope.parse(memory.scope).owner
        noted = await self.journal.audit_of(owner, limit=NEWEST)
        return [entry for entry in noted if _is_about(entry, memory)]

    def _entry(
        self,
        act: RevelationKind,
        owner: str,
        justification: Justification,
        told: Mapping[str, object],
    ) -> AuditEntry:
        detail = json.dumps({"reason": justification.reason, **told}, ensure_ascii=False)
        now = self.clock.now()
        return AuditEntry(f"{act}:{uuid4()}", owner, owner, act, justification.by, now, detail)


async def carry_revelations(present: AuditLog, older: AuditLog) -> None:
    """Write what was noted of revelations into a journal that takes the place of the present one.

    Otherwise going back to a backup would undo the note, and not what was seen.
    """
    await older.audit(await present.audit_by_action(frozenset(RevelationKind)))


def _is_about(entry: AuditEntry, memory: Memory) -> bool:
    told = json.loads(entry.detail)
    shown, until = told.get("memories"), told.get("until", entry.at)
    return memory.created_at <= until if shown is None else memory.id in shown
