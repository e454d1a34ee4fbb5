"""Finds in an older file what belongs to people who were erased since it was written."""

from dataclasses import dataclass, field

from ..forgetting.summary import without_parts
from ..model.memory import REPLY_MARK, Kind, Memory
from ..model.parts import Part
from ..ports import Ledger
from ..privacy.erased_accounts import accounts_of
from ..records.evidence import quotation, without_quotes
from ..records.learnt import without_correction


@dataclass(slots=True)
class LaterErasures:
    """Whoever was erased after the erasure `known`; it must `look` at all before it judges any."""

    ledger: Ledger
    known: int
    _ids: set[str] = field(default_factory=set[str])
    _seqs: set[int] = field(default_factory=set[int])
    _quotes: set[str] = field(default_factory=set[str])

    def look(self, memory: Memory) -> None:
        """Take note of what is theirs, for what rests on it or quotes it."""
        if not self._is_theirs(memory):
            return
        self._ids.add(memory.id)
        if memory.kind is Kind.EVIDENCE:
            said, _, answer = memory.text.partition(f"\n{REPLY_MARK} ")
            self._seqs.update(memory.origin.turns)
            self._quotes.update(quotation(text) for text in (said, answer) if text)

    def holds(self, memory: Memory) -> bool:
        """Whether a memory is theirs, or rests on what they said. A thread may: it is told anew."""
        left = self._without_parts(memory) or memory
        rests = not self._seqs.isdisjoint(left.origin.turns)
        return self._is_theirs(memory) or rests or memory.is_thread

    def cleared(self, memory: Memory) -> Memory:
        """A memory of others, without what it quotes of them."""
        if memory.kind is Kind.EVIDENCE:
            memory = without_quotes(memory, self._quotes)
        memory = self._without_parts(memory) or memory
        return without_correction(memory, self._ids)

    def _without_parts(self, memory: Memory) -> Memory | None:
        def is_gone(part: Part) -> bool:
            return not (self._seqs.isdisjoint(part.turns) and self._ids.isdisjoint(part.memories))

        return without_parts(memory, is_gone)

    def _is_theirs(self, memory: Memory) -> bool:
        return any(self.ledger.erased_since(each, self.known) for each in accounts_of(memory))
