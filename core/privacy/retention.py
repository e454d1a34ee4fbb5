"""Retention limits: old memories go to the bin, old turns lose their text, then their rows."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import batched

from ..forgetting.lifecycle import DAY, RETENTION, UNDECIDED, BinPolicy, to_bin
from ..forgetting.summary import without_parts
from ..model.conversation import Scope, Turn
from ..model.memory import Kind, Memory, Status
from ..ports import Amendment, Filter, Journal, MemoryRecords, Unreadable
from ..records.evidence import evidence_id
from ..records.notes import number_note
from .consents import Consents

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


def _neighbours(turns: Sequence[Turn], place: int) -> Iterable[int]:
    """Of each side the next turn, and the next that is no private reply: evidence skips those."""
    for side in (range(place - 1, -1, -1), range(place + 1, len(turns))):
        yield from side[:1]
        yield from [n for n in side if not turns[n].private_reply][:1]


AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Expired:
    """What one pass did: memories moved to the bin, turns emptied."""

    binned: int = 0
    emptied: int = 0


@dataclass(frozen=True, slots=True)
class Retention:
    """Applies what owners have chosen, and `keep_turns_days` (0: for ever) to every turn.

    Rows of conversations without text go where no memory rests on them. A pass may be repeated:
    it changes nothing twice.
    """

    store: MemoryRecords
    journal: Journal
    consents: Consents
    bin_policy: BinPolicy
    keep_turns_days: float

    async def apply_in(self, scope: str, now: float) -> Expired:
        """Bin and empty what is too old at `now`, in one scope.

        `standing.since` of those binned is exactly `now`: the sweep up to `now` audits them.
        """
        here, chosen = frozenset({scope}), await self.consents.retentions()
        days = chosen.get(Scope.parse(scope).owner) if chosen else None
        binned = 0 if days is None else await self._bin(here, days, now)
        binned += await self._bin_undecided(here, now)
        limits = [self.keep_turns_days] if self.keep_turns_days > 0 else []
        limits += [] if days is None else [days]
        emptied = await self._empty(now - min(limits) * DAY, here) if limits else 0
        return Expired(binned, emptied)

    async def condense(self, now: float) -> int:
        """Drop rows of conversations without text on which no memory rests; how many turns.

        In slices, once a day; may be cut short and begun again. With them the audit of purged
        memories is shortened.
        """
        last = await number_note(self.journal, LAST)
        # A last time in the future means that the clock has been set back.
        if last is not None and 0 <= now - last < DAY:
            return 0
        gone = await self._episodes()
        kept = now - self.keep_turns_days * DAY
        while self.keep_turns_days > 0 and await self.journal.condense_log(kept):
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

    async def due(self, owner: Scope, days: float, now: float) -> int:
        """How many memories of the owner are older than `days`, not exempt and not in the bin."""
        owners = {one.owner for one in await self.consents.accounts(owner)}
        every = {*await self.store.scopes(), *await self.journal.scopes()}
        scopes = [key for key in every if Scope.parse(key).owner in owners]
        return sum([await self.store.count(old) for old in _older(scopes, now - days * DAY)])

    async def _bin(self, scopes: Iterable[str], days: float, now: float) -> int:
        until = now - days * DAY

        def expire(memory: Memory) -> Memory:
            # A restored memory counts from its restoring; archiving is nobody's wish and does not
            # count.
            live = memory.standing.status is Status.LIVE
            wanted = max(memory.created_at, memory.standing.since) if live else memory.created_at
            if memory.exempt or wanted >= until:
                return memory
            younger = without_parts(memory, lambda part: part.created_at < until)
            if younger is not None and younger != memory:
                return younger
            return to_bin(memory, now=now, reason=RETENTION, policy=self.bin_policy)

        done = await self._amended(_older(scopes, until), expire)
        return sum(each.after.standing.status is Status.BINNED for each in done)

    async def _bin_undecided(self, scopes: frozenset[str], now: float) -> int:
        """What has lain in quarantine as long as things lie in the bin goes there."""
        until = now - self.bin_policy.keep_days * DAY

        def expire(memory: Memory) -> Memory:
            lain = memory.standing.status is Status.QUARANTINED and memory.standing.since < until
            if not lain:
                return memory
            return to_bin(memory, now=now, reason=UNDECIDED, policy=self.bin_policy)

        aside = Filter(scopes=scopes, status=Status.QUARANTINED, created_before=until)
        return len(await self._amended([aside], expire))

    async def _amended(
        self, old: Iterable[Filter], change: Callable[[Memory], Memory]
    ) -> list[Amendment]:
        pages = [self.store.iterate(each) for each in old]
        found = [memory.id for page in pages async for memory in page]
        slices = batched(found, AT_ONCE)
        return [done for ids in slices for done in await self.store.amend(ids, change)]

    async def _empty(self, until: float, scopes: frozenset[str]) -> int:
        emptied = 0
        while count := await self.journal.drop_texts(until, scopes):
            emptied += count
        return emptied


def _older(scopes: Iterable[str], until: float) -> list[Filter]:
    """Those in recall, archived by a policy, or in quarantine."""
    old = Filter(scopes=frozenset(scopes), exempt=False, created_before=until)
    return [
        replace(old, status=status) for status in (Status.LIVE, Status.ARCHIVED, Status.QUARANTINED)
    ]
