"""The slot leg: what holds of the attributes that a question names, see `core.conflict.slots`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...conflict.slots import named_by, own
from ...languages.inquiries import Inquiry, whose
from ...languages.kin import kin_of
from ...languages.terms import content_terms
from ...model.claims import slot_of
from ...model.memory import Memory
from ...ports import Filter
from ...text.display_names import entity_id
from ..question import Question, Sources
from ..relatives import kin_by_name, own_subjects
from ..slots import asks_for_past, tells_the_past
from ..trace import Hit, Leg
from .leg import LegInputs, Search

MOST = 40
"""Claims of the slots asked for that are read."""

MOST_HELD = 200
"""Claims, the newest, among which one is looked for whose key is in the question."""

TOLD = 4
"""Claims that answer one question: the newest of the likeliest slots."""

TOLD_BY_WORDS = 2
"""Of a question that is only known to be about them."""


async def slot_leg(inputs: LegInputs) -> Search:
    """By the slot: what holds, the likeliest attribute first; what held too if that is asked.

    Where no form of the question says what it asks for, an attribute may have its very words.
    """
    question, inquiries = inputs.understood.question, inputs.understood.inquiries
    asked = await _kin_called(inquiries, question, inputs.sources)
    slots = [slot for each in asked for slot in slots_of(each, question, inputs.sources)]
    places = {slot: place for place, slot in reversed(list(enumerate(slots)))}
    claims = await _claims(inputs, frozenset(slots)) if slots else []
    past = asks_for_past(question.text)
    ordered = sorted(claims, key=lambda claim: (places[_slot(claim)], *place_of(claim, past=past)))
    if all(each.words for each in inquiries):
        named = await _named(inputs)
        others = [claim for claim in ordered if claim.id not in {each.id for each in named}]
        ordered = [*named, *others][:TOLD_BY_WORDS]
    return Search(
        [
            (claim.id, Hit(Leg.SLOT, rank, 1.0, 1.0))
            for rank, claim in enumerate(ordered[:TOLD], start=1)
        ]
    )


async def _claims(inputs: LegInputs, slots: frozenset[str]) -> Sequence[Memory]:
    """What holds of these slots; what held too if that is asked."""
    question = inputs.understood.question
    holds = None if asks_for_past(question.text) else True
    where = Filter(question.scopes, recallable=True, slots=slots, holds=holds)
    return await inputs.sources.store.page(where, limit=MOST)


async def _named(inputs: LegInputs) -> Sequence[Memory]:
    """The claims of an attribute whose very words the question says, of that with most of them."""
    question = inputs.understood.question
    who, said = whose(question.text), content_terms(question.text)
    if who is None or not said:
        return []
    subjects = _subjects(who, question, inputs.sources)
    where = Filter(question.scopes, recallable=True, holds=True)
    held = await inputs.sources.store.page(where, limit=MOST_HELD)
    told = {
        memory.claim.slot: len(named)
        for memory in held
        if memory.claim is not None
        and memory.claim.subject in subjects
        and (named := named_by(memory.claim.attribute))
        and named <= said
    }
    most = max(told.values(), default=0)
    slots = frozenset(slot for slot, words in told.items() if words == most)
    claims = await _claims(inputs, slots) if slots else []
    past = asks_for_past(question.text)
    return sorted(claims, key=lambda claim: place_of(claim, past=past))


async def _kin_called(
    inquiries: Sequence[Inquiry], question: Question, sources: Sources
) -> list[Inquiry]:
    """The questions, each asked besides of the same relative or pet by their other name."""
    of_others = {entity_id(each.who): kin_of(each.who) for each in inquiries if each.who}
    if not of_others:
        return list(inquiries)
    bearers = await kin_by_name(question, sources)
    known = [
        replace(each, who=kin)
        for each in inquiries
        for name, kin in bearers
        if name == entity_id(each.who)
    ]
    named = [
        replace(each, who=name)
        for each in inquiries
        for name, kin in bearers
        if kin == of_others.get(entity_id(each.who))
    ]
    return [*known, *inquiries, *named]


def slots_of(inquiry: Inquiry, question: Question, sources: Sources) -> Iterator[str]:
    """The slots that may hold an answer, the likeliest first."""
    for key in inquiry.keys:
        for subject in _subjects(inquiry.who, question, sources):
            yield slot_of(key, subject)


def _subjects(who: str, question: Question, sources: Sources) -> Sequence[str]:
    """The asker, somebody of theirs, or whoever goes by a name."""
    if not who or kin_of(who):
        return own_subjects(who, question)
    people = question.style.participants
    name = entity_id(who)
    called = {name, *sources.same.get(name, ())}
    bearers = [
        own(account)
        for (_, account), known in sorted(people.names.items())
        if people.several and entity_id(known) in called
    ]
    return [*bearers, *sorted(called)]


def place_of(memory: Memory, *, past: bool) -> tuple[bool, float, str]:
    """Within a slot what holds is first, where the past is asked for what is over; newest first."""
    since = memory.claim.valid_from if memory.claim else 0.0
    return tells_the_past(memory) is not past, -since, memory.id


def _slot(memory: Memory) -> str:
    return memory.claim.slot if memory.claim else ""
