"""What people do to memories by hand: forget and restore, each noted in the audit log."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from .capture.evidence import evidence_id
from .forgetting.lifecycle import BY_HAND, BinPolicy, restored, to_bin
from .forgetting.tmd import TmdParameters, initial_strength
from .memory import Memory
from .ports import Amendment, AuditEntry, Change, Clock, Journal, MemoryStore


@dataclass(frozen=True, slots=True)
class Curation:
    """Changes by hand. Callers have checked that the ids lie in scopes the person may touch."""

    store: MemoryStore
    journal: Journal
    clock: Clock
    bin_policy: BinPolicy
    parameters: TmdParameters

    async def forget(self, ids: Sequence[str], *, by: str) -> list[Amendment]:
        """To the bin, with the raw turns they were learnt from: these would say it again.

        Those already there are not reported.
        """
        now = self.clock.now()
        asked = await self.store.find(ids)
        raw = [evidence_id(self.journal.id, t) for memory in asked for t in memory.origin.turns]

        def change(memory: Memory) -> Memory:
            return to_bin(memory, now=now, reason=f"{BY_HAND}{by}", policy=self.bin_policy)

        return await self._apply([*ids, *raw], change, "binned", by, now)

    async def restore(self, ids: Sequence[str], *, by: str) -> list[Amendment]:
        """Back to life with at least the strength of a new memory."""
        now = self.clock.now()

        def change(memory: Memory) -> Memory:
            strength = initial_strength(memory.importance, self.parameters.strength_scale)
            return restored(memory, now=now, reason=f"{BY_HAND}{by}", strength=strength)

        return await self._apply(ids, change, "restored", by, now)

    async def _apply(
        self, ids: Sequence[str], change: Change, action: str, by: str, now: float
    ) -> list[Amendment]:
        amendments = await self.store.amend(ids, change)
        await self.journal.audit(
            [
                AuditEntry(
                    key=f"{action}:{now!r}:{done.after.id}",
                    memory=done.after.id,
                    scope=done.after.scope,
                    action=action,
                    by=by,
                    at=now,
                    detail=json.dumps({"from": done.before.standing.status}),
                )
                for done in amendments
            ]
        )
        return amendments
