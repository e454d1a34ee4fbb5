"""The slot leg: what holds of the attributes that a question names, see `core.conflict.slots`."""

from collections.abc import Iterator, Sequence

from ...conflict.slots import own
from ...languages.inquiries import Inquiry
from ...languages.kin import kin_of
from ...model.claims import slot_of
from ...model.memory import Memory
from ...ports import Filter
from ...text.display_names import entity_id
from ..question import Question, Sources
from ..slots import asks_for_past
from ..trace import Hit, Leg
from .leg import LegInputs, Search

MOST = 40
"""Claims of the slots asked for that are read."""

TOLD = 4
"""Claims that answer one question: the newest of the likeliest slots."""


async def slot_leg(inputs: LegInputs) -> Search:
    """By the slot: what holds, the likeliest attribute first; what held too if that is asked."""
    question, inquiries = inputs.understood.question, inputs.understood.inquiries
    slots = [slot for each in inquiries for slot in slots_of(each, question, inputs.sources)]
    if not slots:
        return Search([])
    where = Filter(
        question.scopes,
        recallable=True,
        slots=frozenset(slots),
        holds=None if asks_for_past(question.text) else True,
    )
    claims = await inputs.sources.store.page(where, limit=MOST)
    places = {slot: place for place, slot in reversed(list(enumerate(slots)))}
    ordered = sorted(claims, key=lambda claim: (places[_slot(claim)], -_since(claim), claim.id))
    return Search(
        [
            (claim.id, Hit(Leg.SLOT, rank, 1.0, 1.0))
            for rank, claim in enumerate(ordered[:TOLD], start=1)
        ]
    )


def slots_of(inquiry: Inquiry, question: Question, sources: Sources) -> Iterator[str]:
    """The slots that may hold an answer, the likeliest first."""
    for key in inquiry.keys:
        for subject in _subjects(inquiry.who, question, sources):
            yield slot_of(key, subject)


def _subjects(who: str, question: Question, sources: Sources) -> Sequence[str]:
    """The asker, somebody of theirs, or whoever goes by a name."""
    people = question.style.participants
    asking = "" if people.asker is None else people.asker[1]
    if not who or kin_of(who):
        # What is private is the asker's without an account, what is said in a group by account.
        return list(dict.fromkeys((own("", who), own(asking, who))))
    name = entity_id(who)
    called = {name, *sources.same.get(name, ())}
    bearers = [
        own(account)
        for (_, account), known in sorted(people.names.items())
        if people.several and entity_id(known) in called
    ]
    return [*bearers, *sorted(called)]


def _slot(memory: Memory) -> str:
    return memory.claim.slot if memory.claim else ""


def _since(memory: Memory) -> float:
    return memory.claim.valid_from if memory.claim else 0.0
