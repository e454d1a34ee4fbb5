"""Deletes the rows of old conversations that have no text left and on which no memory rests."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..forgetting.lifecycle import DAY
from ..model.conversation import Turn
from ..model.memory import Kind, Memory
from ..ports import Filter, Journal, MemoryReader, Unreadable
from ..records.evidence import evidence_id
from ..records.notes import number_note

LAST = "last_condensing"
"""The note with the time of the last complete pass."""


@dataclass(slots=True)
class ReferencedTurns:
    """What memories rest on: turns, and the episodes of those that evidence may quote."""

    journal: str
    turns: set[int] = field(default_factory=set[int])
    quoting: set[str] = field(default_factory=set[str])
    unreadable: set[str] = field(default_factory=set[str])

    def add(self, memory: Memory) -> None:
        """Count in what the memory rests on."""
        self.turns.update(memory.origin.turns)
        if memory.kind is Kind.EVIDENCE:
            self.quoting.add(memory.origin.episode)

    def add_unreadable(self, record: Unreadable) -> None:
        """The same for a record that cannot be read, as far as it tells."""
        self.unreadable.add(record.id)
        try:
            origin = json.loads(record.raw["body"])["origin"]
            self.turns.update(map(int, origin["turns"]))
            self.quoting.add(str(origin["episode"]))
        except (ValueError, TypeError, LookupError):
            # One that tells nothing goes with whoever is forgotten, see erasure.
            return

    def kept(self, episode: str, turns: Sequence[Turn]) -> frozenset[int]:
        """Seqs of the episode's turns that forgetting a person has to find.

        Those that a memory rests on, and those before and after them, which evidence quotes.
        """
        held = [n for n, turn in enumerate(turns) if self._holds(turn)]
        near = {n for place in held for n in (place, *_neighbours(turns, place))}
        if episode in self.quoting:
            # Evidence may be of a turn that has been moved to the next episode.
            near.update(_neighbours(turns, len(turns)))
        return frozenset(turns[n].seq for n in near)

    def _holds(self, turn: Turn) -> bool:
        if turn.seq in self.turns:
            return True
        return bool(self.unreadable) and evidence_id(self.journal, turn.seq) in self.unreadable


@dataclass(frozen=True, slots=True)
class Condensing:
    """Drops old rows of the journal in slices, once a day. May be cut short and begun again."""

    store: MemoryReader
    journal: Journal

    async def apply(self, now: float, keep_days: float) -> int:
        """How many turns are gone. The audit of purged memories is shortened after `keep_days`."""
        last = await number_note(self.journal, LAST)
        # A last time in the future means that the clock has been set back.
        if last is not None and 0 <= now - last < DAY:
            return 0
        gone = await self._episodes()
        while keep_days > 0 and await self.journal.condense_log(now - keep_days * DAY):
            pass
        await self.journal.set_note(LAST, repr(now))
        return gone

    async def _episodes(self) -> int:
        gone, episodes = 0, await self.journal.faded()
        rests = await self._rests() if episodes else ReferencedTurns(self.journal.id)
        while episodes:
            turns = {episode: await self.journal.turns_of(episode) for episode in episodes}
            gone += await self.journal.condense(
                {episode: rests.kept(episode, theirs) for episode, theirs in turns.items()}
            )
            episodes = await self.journal.faded(after=episodes[-1])
        return gone

    async def _rests(self) -> ReferencedTurns:
        rests = ReferencedTurns(self.journal.id)
        async for memory in self.store.iterate(Filter(status=None)):
            rests.add(memory)
        for record in await self.store.unreadable():
            rests.add_unreadable(record)
        return rests


def _neighbours(turns: Sequence[Turn], place: int) -> Iterable[int]:
    """Of each side the next turn, and the next that is no private reply: evidence skips those."""
    for side in (range(place - 1, -1, -1), range(place + 1, len(turns))):
        yield from side[:1]
        yield from [n for n in side if not turns[n].private_reply][:1]
