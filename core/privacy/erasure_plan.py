"""What an erasure deletes and what it clears, decided before anything is deleted. Pure.

Of a person everything goes; of turns that are withdrawn, without accounts, what rests on them
alone.
"""

import json
from collections.abc import Set
from dataclasses import dataclass, field, replace

from ..forgetting.summary import without_parts
from ..model.conversation import Scope, ScopeKind, Turn
from ..model.memory import Kind, Memory
from ..ports import Erasure, Unreadable
from ..records.evidence import evidence_id, quotation, without_quotes
from ..records.learnt import without_correction, without_successor
from ..records.quarantine import is_quarantined

RECENT = 500
"""The newest of a person's turns, one of which may just be answered."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What goes with a person: all accounts, so many memories and recorded messages.

    The bot's answers count as messages.
    """

    accounts: frozenset[Scope]
    memories: int
    turns: int


@dataclass(slots=True)
class ErasedTurns:
    """The turns that go, and how later evidence may quote them."""

    seqs: set[int] = field(default_factory=set[int])
    quotes: set[str] = field(default_factory=set[str])
    episodes: set[str] = field(default_factory=set[str])
    faded: set[str] = field(default_factory=set[str])
    """Episodes of turns whose own text is gone already."""

    def add(self, turn: Turn) -> None:
        """Take a turn that goes."""
        self.seqs.add(turn.seq)
        self.episodes.add(turn.episode)
        if turn.text:
            self.quotes.add(quotation(turn.text))
        else:
            self.faded.add(turn.episode)

    @property
    def older(self) -> frozenset[int]:
        """Turns that nobody is answering any more."""
        return frozenset(sorted(self.seqs)[:-RECENT])

    def quoted_by(self, memory: Memory) -> bool:
        """Whether the memory quotes one of the turns."""
        return self.without_quotes(memory) != memory

    def without_quotes(self, memory: Memory) -> Memory:
        """The memory without its quotations of the turns."""
        if memory.kind is not Kind.EVIDENCE:
            return memory
        # The text behind an empty quotation can no longer be known: it may be theirs.
        return without_quotes(memory, {""} if memory.origin.episode in self.faded else self.quotes)


@dataclass(slots=True)
class ErasurePlan:
    """All that is to be done for one person, read before anything is deleted."""

    accounts: frozenset[Scope]
    erasure: Erasure
    said: ErasedTurns
    noted: Set[str] = frozenset()
    """Memories that were written or imported later."""

    memories: dict[str, float] = field(default_factory=dict[str, float])
    """When each of those that go was created: id -> Unix seconds."""

    quoting: set[str] = field(default_factory=set[str])
    told: set[str] = field(default_factory=set[str])
    """Summaries that lose lines."""

    perhaps_later: dict[str, Memory] = field(default_factory=dict[str, Memory])
    """Theirs, of turns that are later if they are of this journal."""

    corrected_by: dict[str, str] = field(default_factory=dict[str, str])
    """Memories that stay and hold the text of a correction, or are replaced: id -> by which."""

    @property
    def extent(self) -> Extent:
        """How much goes."""
        return Extent(self.accounts, len(self.memories), len(self.said.seqs))

    def add(self, memory: Memory, scope: Scope) -> None:
        """Decide on a memory: it goes, loses what is the person's, or is left alone."""
        left = self._without_said(memory)
        if left is not None and left != memory:
            # Of a summary of many the lines that rest on something else stay.
            self.told.add(memory.id)
            memory = left
        if self._rests_on_said(memory):
            self.memories[memory.id] = memory.created_at
        elif not self._is_theirs(memory, scope) or memory.id in self.noted:
            self._keep(memory)
        elif self.erasure.until is not None and _all_after(memory, self.erasure.until):
            self.perhaps_later[memory.id] = memory
        else:
            self.memories[memory.id] = memory.created_at

    def settle(self, recorded: Set[int]) -> None:
        """Of what is perhaps later, keep what rests on turns that are recorded."""
        for memory in self.perhaps_later.values():
            if recorded >= set(memory.origin.turns):
                self._keep(memory)
            else:
                self.memories[memory.id] = memory.created_at

    def add_unreadable(self, record: Unreadable, scope: Scope, journal: str) -> None:
        """Delete it too, unless it tells that it is somebody else's."""
        if scope.kind is ScopeKind.PRIVATE:
            theirs = scope.owner in {one.owner for one in self.accounts}
        else:
            evidence = {evidence_id(journal, seq) for seq in self.said.seqs}
            theirs = record.id in evidence or self._may_be_theirs(record, scope)
        if theirs:
            self.memories[record.id] = 0.0

    def kept(self) -> list[str]:
        """Memories of others in which something of the person is left."""
        corrected = {old for old, newer in self.corrected_by.items() if newer in self.memories}
        return sorted((self.quoting | self.told | corrected) - self.memories.keys())

    def in_order(self) -> list[str]:
        """The memories that go, oldest first: what is near in time is near in a file."""
        return sorted(self.memories, key=lambda id: (self.memories[id], id))

    def cleared(self, memory: Memory) -> Memory:
        """A memory of others without what is the person's in it."""
        memory = self._without_said(memory) or memory
        cleared = self.said.without_quotes(memory)
        if self.accounts:
            cleared = without_correction(cleared, self.memories.keys())
        else:
            cleared = without_successor(self._withdrawn(cleared), self.memories.keys())
        return cleared

    def _without_said(self, memory: Memory) -> Memory | None:
        return without_parts(memory, lambda part: not self.said.seqs.isdisjoint(part.turns))

    def _rests_on_said(self, memory: Memory) -> bool:
        if is_quarantined(memory) and memory.origin.episode in self.said.episodes:
            # What it cites does not bear it out, so any turn of the episode may.
            return True
        turns = self.said.seqs.intersection(memory.origin.turns)
        return bool(turns) and (bool(self.accounts) or turns == set(memory.origin.turns))

    def _withdrawn(self, memory: Memory) -> Memory:
        """A memory that rests on other turns, too, without those that are withdrawn."""
        turns = tuple(seq for seq in memory.origin.turns if seq not in self.said.seqs)
        return replace(memory, origin=replace(memory.origin, turns=turns))

    def _keep(self, memory: Memory) -> None:
        if self.said.quoted_by(memory) or not self.said.seqs.isdisjoint(memory.origin.turns):
            self.quoting.add(memory.id)
        held = memory.feedback.correction is not None or not self.accounts
        if memory.successor is not None and held:
            self.corrected_by[memory.id] = memory.successor.memory

    def _is_theirs(self, memory: Memory, scope: Scope) -> bool:
        if scope.kind is ScopeKind.PRIVATE:
            return bool(self.accounts)
        speaker = memory.speaker
        return speaker is not None and (scope.platform, speaker.id) in self.erasure.speakers

    def _may_be_theirs(self, record: Unreadable, scope: Scope) -> bool:
        if scope.platform not in {platform for platform, _ in self.erasure.speakers}:
            return False
        try:
            told = json.loads(record.raw["body"])
            speaker, turns = told["speaker"]["id"], told["origin"]["turns"]
            said = any(seq in self.said.seqs for seq in turns)
            said = said or not self.said.quotes.isdisjoint(told.get("cues", ()))
        except (ValueError, TypeError, LookupError, AttributeError):
            return True
        return said or (scope.platform, speaker) in self.erasure.speakers


def _all_after(memory: Memory, until: int) -> bool:
    return bool(memory.origin.turns) and min(memory.origin.turns) > until
