"""Settles what a new claim is to the known ones of its slot.

Which claims of a slot hold is decided by the order in which they were told (algorithms, section
12). Nothing is compared but claims of one slot: likeness contradicts nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..conflict.slots import (
    ENDS,
    HAD,
    OF_PARTNERS,
    ended_with,
    has_several,
    same_value,
    value_terms,
)
from ..conflict.trust import CONTRADICTS, CORROBORATES, MOST
from ..model.knowledge import Claim, Relation, slot_of
from ..model.memory import Memory, Source, Succession
from ..ports import Filter, Journal, MemoryStore
from ..records.evidence import raw_turns
from ..records.learnt import Ending, ended, replaced_by
from ..records.merging import replaced


@dataclass(frozen=True, slots=True)
class Settlement:
    """What to write to each memory of a slot, by id; `reopened` claims hold again first."""

    endings: Mapping[str, Ending]
    relations: Mapping[str, tuple[Relation, ...]]
    reopened: frozenset[str] = frozenset()

    @property
    def ids(self) -> list[str]:
        """Those to which anything is to be written."""
        return sorted({*self.endings, *self.relations, *self.reopened})

    def applied(self, memory: Memory) -> Memory:
        """The memory with what is to be written to it; done again it changes nothing."""
        if memory.id in self.reopened:
            memory = _reopened(memory, self.endings.get(memory.id))
        linked = memory.with_relations(self.relations.get(memory.id, ()))
        ending = self.endings.get(memory.id)
        return linked if ending is None else ended(linked, ending)


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


@dataclass(frozen=True, slots=True)
class _Placed:
    """A claim, when it was told, and the number of the turn that said it."""

    memory: Memory
    claim: Claim
    told: float
    turn: int

    @property
    def moment(self) -> tuple[float, int]:
        return self.told, self.turn


def settled(memories: Sequence[Memory], gone: Collection[str] = ()) -> Settlement:
    """What the claims of one slot are to each other, and what `slots_ending` it does to them.

    Whatever the order in which they were learnt, the same holds in the end. What is out of recall
    takes part in nothing: what the memories `gone` have ended holds again, unless another ends it.
    """
    told = _placed([memory for memory in memories if memory.claim and memory.recallable])
    reopened = frozenset(each.memory.id for each in told if _ended_by(each.memory, gone))
    wrong = _corrected(told)
    told = [each for each in told if each.memory.id not in wrong]
    endings = {**wrong, **_superseded(told)}
    relations: defaultdict[str, list[Relation]] = defaultdict(list)
    for id, ending in endings.items():
        how = Succession.UPDATES if ending.correction is None else Succession.CORRECTS
        relations[ending.by].append(Relation(ending.by, how.value, id))
    for each in told:
        relations[each.memory.id] += _links(each, told)
    links = {id: tuple(some) for id, some in relations.items() if some}
    return Settlement(endings, links, reopened)


def _ended_by(memory: Memory, others: Collection[str]) -> bool:
    """Whether one of the others has taken its place; what was never so stays so."""
    link = memory.successor
    return link is not None and link.how is Succession.UPDATES and link.memory in others


def _reopened(memory: Memory, ending: Ending | None) -> Memory:
    """The memory as if it had not been ended by another than `ending` says."""
    link = memory.successor
    if link is None or link.how is not Succession.UPDATES or memory.claim is None:
        return memory
    if ending is not None and ending.by == link.memory:
        return memory
    return replace(memory, claim=replace(memory.claim, valid_to=None), successor=None)


def _placed(memories: Sequence[Memory]) -> list[_Placed]:
    """In the order in which they were told: a date in the past is since when it holds, not which is
    the newer statement.

    A clock that was set back between two turns does not make the later one the older.
    """
    latest = float("-inf")
    placed: list[_Placed] = []
    for memory in sorted(memories, key=lambda each: (_turn(each), each.created_at, each.id)):
        if (claim := memory.claim) is None:
            continue
        turn, told = _turn(memory), memory.created_at
        if turn >= 0:
            told = latest = max(latest, told)
        placed.append(_Placed(memory, claim, told, turn))
    return sorted(placed, key=lambda each: (*each.moment, each.memory.id))


def _turn(memory: Memory) -> int:
    return max(memory.origin.turns, default=-1)


def _superseded(told: Sequence[_Placed]) -> dict[str, Ending]:
    """Each claim that a later one ends, with the first that does."""
    endings: dict[str, Ending] = {}
    for each in told:
        later = next((other for other in told if _ends(other, each)), None)
        if later is not None:
            by = later.memory
            endings[each.memory.id] = Ending(later.claim.valid_from, by.id, by.created_at)
    return endings


def _ends(later: _Placed, earlier: _Placed) -> bool:
    """Whether what is claimed later says that the earlier is so no more."""
    one, other = later.claim, earlier.claim
    if one.slot != other.slot:
        return later.moment > earlier.moment and other.slot in ended_with(one)
    if later.moment == earlier.moment:
        # "I moved, to Oslo": what was said in one breath with a value is not that there is none.
        return not one.denied and other.denied and not other.value
    if later.moment < earlier.moment or (one.denied and other.denied):
        return False
    if one.denied:
        return _denies_claim(one, other)
    same = same_value(one.attribute, one.value, other.value)
    if other.denied:
        return same or not (other.value and has_several(one.attribute, one.subject))
    return not same and not has_several(one.attribute, one.subject)


def _denies_claim(denial: Claim, claim: Claim) -> bool:
    """Whether a denial of the same slot says that the claim is so no more; "" denies any value."""
    if not denial.value or same_value(claim.attribute, denial.value, claim.value):
        return True
    had = value_terms(claim.value)
    return (
        claim.attribute.partition(":")[0] in HAD and bool(had) and had <= value_terms(denial.value)
    )


def _corrected(told: Sequence[_Placed]) -> dict[str, Ending]:
    """What a correction says was never true: the last that was said before it in the slot."""
    found: dict[str, Ending] = {}
    for place, each in enumerate(told):
        if each.memory.source is not Source.CORRECTION or _has_corrected(each.memory):
            continue
        own = [other for other in told[:place] if other.claim.slot == each.claim.slot]
        rivals = [other for other in own if _rivals(each.claim, other.claim)]
        wrong = [other for other in rivals if other.memory.id not in found]
        if wrong:
            by, last = each.memory, wrong[-1]
            ending = Ending(last.claim.valid_from, by.id, by.created_at, by.text)
            found[last.memory.id] = ending
    return found


def _has_corrected(memory: Memory) -> bool:
    """Whether it is known what it corrects: it corrects one thing only."""
    return any(
        each.subject == memory.id and each.predicate == Succession.CORRECTS
        for each in memory.relations
    )


def _rivals(one: Claim, other: Claim) -> bool:
    return one.denied != other.denied or not same_value(one.attribute, one.value, other.value)


def _links(each: _Placed, told: Sequence[_Placed]) -> list[Relation]:
    """To what agrees with it, and to what says otherwise of the same moment."""
    own, claim = each.memory.id, each.claim
    others = [o for o in told if o.memory.id != own and o.claim.slot == claim.slot]
    alike = [o for o in others if o.claim.denied == claim.denied]
    same = [o for o in alike if same_value(claim.attribute, claim.value, o.claim.value)]
    links = [Relation(own, CORROBORATES, other.memory.id) for other in same[:MOST]]
    if has_several(claim.attribute, claim.subject):
        return links
    at_once = [o for o in alike if o.moment == each.moment and o not in same]
    return links + [Relation(own, CONTRADICTS, other.memory.id) for other in at_once[:MOST]]


def slots_ending(slot: str) -> frozenset[str]:
    """The slot itself, and those in which a denial ends what fills it."""
    attribute, _, subject = slot.partition("\n")
    others = [slot_of(one, subject) for one, other in ENDS.items() if other == attribute]
    if subject.endswith("/partner") and attribute in OF_PARTNERS:
        others.append(slot_of("marital", subject.removesuffix("/partner")))
    return frozenset({slot, *others})
