"""Edits that people make to memories, each noted in the audit log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..capture.settling import Settling
from ..capture.statements import extract
from ..conflict.slots import LONGEST_VALUE
from ..forgetting.lifecycle import HAND, BinPolicy, restored, to_bin
from ..forgetting.policy import ForgettingPolicy, Judgement
from ..forgetting.tmd import initial_strength
from ..model.conversation import Place, Role, Speaker, Turn
from ..model.errors import StorageError
from ..model.knowledge import Claim, Relation
from ..model.memory import Memory, Source, Succession, Successor
from ..ports import Amendment, AuditEntry, Clock, Erasure, Journal, MemoryStore, Unreadable
from ..privacy.purging import PurgeCount, Purging
from ..records.evidence import raw_turns
from ..records.learnt import claim_of, followed_by, is_quarantined, replaced_by, vouched_for
from ..records.manual import (
    IMPORTANCE,
    Author,
    TextProblem,
    correction_of,
    held,
    in_place_of,
    marked,
    problem_with,
    says_the_same,
    written,
)
from ..records.merging import created, find_duplicate, replaced
from ..records.threads import release, unsummarised


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory that says what was to be remembered; `new` unless an earlier one said it."""

    memory: Memory
    new: bool


type Edit = Callable[..., Memory]
"""A change of a memory at a time, its `now`."""


@dataclass(frozen=True, slots=True)
class Curation:
    """Changes by hand. Callers have checked that the ids lie in scopes the person may touch.

    `by` names that person in the audit log. Unknown ids are skipped. A change that could be made
    but not noted is a change; `report` is told.
    """

    store: MemoryStore
    journal: Journal
    clock: Clock
    bin_policy: BinPolicy
    forgetting: ForgettingPolicy
    report: Callable[[str, BaseException], None]

    async def remember(
        self, text: str, author: Author, *, important: bool = False, importance: float = IMPORTANCE
    ) -> Remembered | TextProblem:
        """A new memory in the author's words, kept for good if `important`.

        A live memory of the scope that says the same already is returned as it is.
        """
        refused = problem_with(text)
        if refused is not None:
            return refused
        now = self.clock.now()
        fresh = written(text, author, journal=self.journal.id, now=now, importance=importance)
        # What the model keeps by its tool is no statement of the person.
        fresh = with_claim(fresh) if author.source is Source.USER else fresh
        kept = await self._kept(marked(fresh, important=important, now=now), author)
        await self._settling.adopt(kept.memory.id, fresh)
        await self._settling.settle([fresh])
        return kept

    async def correct(
        self, old: Memory, text: str, author: Author
    ) -> Memory | Successor | TextProblem:
        """A memory that says `text` takes the place of `old`, and of the raw turns behind it.

        It keeps what the old one has earned. The successor comes back if there is one already.
        """
        if old.successor is not None and old.successor.how is not Succession.UPDATES:
            return old.successor
        refused = TextProblem.UNCHANGED if says_the_same(old, text) else problem_with(text)
        if refused is not None:
            return refused
        now = self.clock.now()
        fresh = correction_of(old, text, author, journal=self.journal.id, now=now)
        fresh = in_the_slot_of(fresh, old)
        kept = (await self._kept(in_place_of(fresh, old), author)).memory
        await self._settling.adopt(kept.id, fresh)
        for done in await self.store.amend([kept.id], lambda memory: in_place_of(memory, old)):
            kept = done.after
        await self._replace(old, kept, author.signature, now)
        await self._settle_without([old], [fresh])
        return kept

    async def forget(self, ids: Sequence[str], *, by: str) -> list[Amendment]:
        """To the bin, with the raw turns they were learnt from: these would say it again.

        Those already there are not reported.
        """
        asked = await self.store.find(ids)
        # What was never said withdraws nothing that was.
        borne_out = [memory for memory in asked if not is_quarantined(memory)]
        raw = [turn for memory in borne_out for turn in raw_turns(self.journal.id, memory)]
        change = partial(to_bin, reason=HAND, policy=self.bin_policy)
        amendments = await self.apply([*ids, *raw], change, "binned", by=by)
        await self._untell([*asked, *(done.after for done in amendments)])
        await self._settle_without(asked)
        return amendments

    async def decide(self, memory: Memory, rivals: Sequence[Memory], *, by: str) -> Memory:
        """The claim of `memory` holds, those of `rivals` were never so; the memory after that."""
        now, kept = self.clock.now(), raw_turns(self.journal.id, memory)
        for rival in rivals:
            said = [raw for raw in raw_turns(self.journal.id, rival) if raw not in kept]
            await self._withdraw([rival.id, *said], memory, by, now)
        links = [Relation(memory.id, Succession.CORRECTS.value, rival.id) for rival in rivals]
        await self.apply([memory.id], lambda each, now: held(each, links), "confirmed", by=by)
        (after,) = await self.store.find([memory.id])
        return after

    async def restore(self, ids: Sequence[str], *, by: str) -> list[Amendment]:
        """Back to life with at least the strength of a new memory."""
        amendments = await self.apply(ids, back, "restored", by=by)
        scopes = frozenset(done.after.scope for done in amendments)
        await unsummarised(self.store, scopes, [done.after.id for done in amendments])
        await self._settling.settle(await self.store.find(ids))
        return amendments

    async def keep(self, ids: Sequence[str], *, by: str) -> list[Amendment]:
        """Out of quarantine: so it is, and what it corrects or continues is followed by it."""
        now = self.clock.now()

        def change(memory: Memory, *, now: float) -> Memory:
            return back(vouched_for(memory), now=now) if is_quarantined(memory) else memory

        amendments = await self.apply(ids, change, "kept", by=by)
        for done in amendments:
            for older, link in followed_by(done.after):
                await self._follow(older, done.after, link.how, by, now)
        await self._settling.settle([done.after for done in amendments])
        return amendments

    async def _follow(self, id: str, newer: Memory, how: Succession, by: str, now: float) -> None:
        older = await self.store.find([id], frozenset({newer.scope}))
        if how is Succession.CORRECTS:
            for memory in older:
                await self._replace(memory, newer, by, now)
            return
        link = Successor(newer.id, how)
        followed = await self.store.amend(
            [memory.id for memory in older],
            lambda memory: replaced_by(memory, newer.id, how, newer.text, newer.created_at),
        )
        await self._note([replaced(done.after, link, by=by, at=now) for done in followed])

    async def purge(self, ids: Sequence[str], *, by: str) -> PurgeCount:
        """Delete for good what lies in the bin, with the messages behind it; skips the rest."""
        return await Purging(self.store, self.journal, self.clock.now(), by).of(ids)

    async def discard(self, records: Sequence[Unreadable], *, by: str) -> int:
        """Delete for good what cannot be read, with what is noted about it; how many."""
        ids = [record.id for record in records]
        await self.journal.erase(Erasure(memories=frozenset(ids)))
        gone = await self.store.purge(ids)
        now = self.clock.now()
        await self._note(
            [
                AuditEntry(f"purged:{each.id}", each.id, each.scope, "purged", by, now)
                for each in records
            ]
        )
        return len(gone)

    @property
    def _settling(self) -> Settling:
        return Settling(self.store, self.journal)

    async def _settle_without(self, gone: Sequence[Memory], others: Sequence[Memory] = ()) -> None:
        """What these had ended holds again, unless something else ends it."""
        updates = Succession.UPDATES.value
        links = [each for memory in gone for each in memory.relations if each.predicate == updates]
        ended = await self.store.find([link.object for link in links])
        await self._settling.settle([*gone, *ended, *others], {memory.id for memory in gone})

    async def _kept(self, fresh: Memory, author: Author) -> Remembered:
        kept = await find_duplicate(self.store, fresh)
        if kept.id != fresh.id:
            return Remembered(kept, new=False)
        # Noted first: an erasure under way tells by the note what came after it was confirmed.
        await self._note([created(fresh, by=author.signature)])
        added = await self.store.put([fresh])
        return Remembered(kept, new=fresh.id in added)

    async def _replace(self, old: Memory, newer: Memory, by: str, now: float) -> None:
        raw = [turn for turn in raw_turns(self.journal.id, old) if turn != newer.id]
        await self._withdraw([old.id, *raw], newer, by, now)

    async def _withdraw(self, ids: Sequence[str], newer: Memory, by: str, now: float) -> None:
        """What was never so, the first of these, with the raw turns that say it."""
        link, policy = Successor(newer.id, Succession.CORRECTS), self.forgetting

        def change(memory: Memory) -> Memory:
            followed = replaced_by(memory, newer.id, link.how, newer.text, newer.created_at)
            return policy.judge(followed, Judgement.CORRECTED, turn=0, now=now)

        amended = await self.store.amend(ids, change)
        await self._untell([done.after for done in amended])
        found = await self.store.find(ids[:1])
        linked = [memory for memory in found if memory.successor == link]
        await self._note([replaced(memory, link, by=by, at=now) for memory in linked])

    async def _untell(self, gone: Sequence[Memory]) -> None:
        """Out of what tells them with others, at once: of those that have left recall."""
        found = await self.store.find([memory.id for memory in gone])
        ids = [memory.id for memory in found if not memory.recallable]
        scopes = frozenset(memory.scope for memory in found)
        await release(self.store, self.journal, scopes, ids)

    async def apply(
        self, ids: Sequence[str], change: Edit, action: str, *, by: str
    ) -> list[Amendment]:
        """Change memories, noted as this action; those that stay as they are are not reported."""
        now = self.clock.now()
        amendments = await self.store.amend(ids, lambda memory: change(memory, now=now))
        key, of = f"{action}:{now!r}", AuditEntry.of
        await self._note([of(m.after, key, action, by, now, **_numbers(m)) for m in amendments])
        return amendments

    async def _note(self, entries: Sequence[AuditEntry]) -> None:
        try:
            await self.journal.audit(entries)
        except StorageError as error:
            self.report("audit", error)


def back(memory: Memory, *, now: float) -> Memory:
    """The memory back to life, with at least the strength of a new one."""
    strength = initial_strength(memory.importance)
    return restored(memory, now=now, reason=HAND, strength=strength)


def _numbers(done: Amendment) -> Mapping[str, object]:
    vitality = done.after.vitality
    return {
        "from": done.before.standing.status,
        "status": done.after.standing.status,
        "strength": vitality.strength,
        "useful_score": vitality.useful_score,
    }


def with_claim(memory: Memory) -> Memory:
    """The memory with what its text claims; unchanged where no rule reads anything in it."""
    if memory.speaker is None or memory.claim is not None:
        return memory
    claim = _claim_in(memory.text, memory.speaker, memory.scope, memory.created_at)
    return memory if claim is None else replace(memory, claim=claim)


def in_the_slot_of(memory: Memory, old: Memory) -> Memory:
    """A correction with its claim: of the slot of what it corrects, and since then.

    Where no rule reads its text, the text itself is the value.
    """
    read, known = with_claim(memory).claim, old.claim
    if known is None or (read is not None and read.slot != known.slot):
        return replace(memory, claim=read)
    own = Claim(known.subject, known.attribute, memory.text[:LONGEST_VALUE], known.valid_from)
    if read is not None:
        own = replace(read, valid_from=known.valid_from)
    return replace(memory, claim=own)


def _claim_in(text: str, speaker: Speaker, scope: str, at: float) -> Claim | None:
    turn = Turn(0, "", Place("", "", scope), Role.USER, speaker, text, at)
    found = (claim_of(each, speaker, scope, at) for each in extract([turn]).candidates)
    return next((claim for claim in found if claim is not None), None)
