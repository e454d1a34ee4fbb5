"""Settles new claims with the known ones of the same slots, as they are written."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..conflict.settlement import Ending, Settlement, settled
from ..conflict.slots import ended_with, slots_ending
from ..model.memory import Memory, Succession
from ..ports import Filter, Journal, MemoryStore
from ..records.duplicates import replaced
from ..records.evidence import raw_turns
from ..records.learnt import replaced_by


@dataclass(frozen=True, slots=True)
class Settling:
    """Every step may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal

    async def adopt(self, kept_id: str, memory: Memory) -> None:
        """Give the memory `kept_id`, which says what `memory` says, its claim if it has none."""
        if kept_id != memory.id and memory.claim is not None:
            claim = memory.claim
            await self.store.amend(
                [kept_id], lambda known: replace(known, claim=known.claim or claim)
            )

    async def settle(self, memories: Sequence[Memory], gone: Collection[str] = ()) -> None:
        """Let the claims of the slots that these memories fill end one another.

        What those `gone` had ended holds again, if nothing else ends it.
        """
        filled = {(m.scope, m.claim.slot) for m in memories if m.claim}
        ended = {(m.scope, slot) for m in memories if m.claim for slot in ended_with(m.claim)}
        for scope, slot in sorted(filled | ended):
            where = Filter(scopes=frozenset({scope}), slots=slots_ending(slot))
            claims = [memory async for memory in self.store.iterate(where)]
            settlement = settled(claims, gone)
            await self.store.amend(settlement.ids, settlement.applied)
            await self._withdraw(claims, settlement)
            await self._note(settlement)

    async def _withdraw(self, claims: Sequence[Memory], settlement: Settlement) -> None:
        """The raw turn that said what was never so must not say it again in its place."""
        by_id = {memory.id: memory for memory in claims}
        for id, ending in settlement.endings.items():
            if ending.correction is None:
                continue
            kept = raw_turns(self.journal.id, by_id[ending.by])
            said = [raw for raw in raw_turns(self.journal.id, by_id[id]) if raw not in kept]
            await self.store.amend(said, partial(_withdrawn, ending))

    async def _note(self, settlement: Settlement) -> None:
        endings = settlement.endings
        # Not from what changed: a repetition after a crash finds it ended, not noted.
        found = await self.store.find(sorted(endings))
        await self.journal.audit(
            [
                replaced(memory, memory.successor, by="learning", at=endings[memory.id].said_at)
                for memory in found
                if memory.successor is not None and memory.successor.memory == endings[memory.id].by
            ]
        )


def _withdrawn(ending: Ending, raw: Memory) -> Memory:
    text = ending.correction or ""
    return replaced_by(raw, ending.by, Succession.CORRECTS, text, ending.said_at)
