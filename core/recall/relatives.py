"""Relatives and pets of whoever asks: by what they are to them, or by the name they have."""

from collections.abc import Sequence

from ..conflict.slots import names_of_kin, own
from ..languages.entity_matching import candidates
from ..languages.kin import kin_of
from ..languages.registry import called_by_name, languages_in
from ..model.claims import slot_of
from ..model.memory import Memory
from ..ports import Filter
from ..text.display_names import entity_id
from .question import Question, Sources

MOST = 40
"""Names, and what holds of those who are named, that are read."""

TOLD = (
    "allergy diet illness medication like favourite age birthday name school job workplace"
    " residence hobby language pet partner marital state"
).split()
"""What is brought up of somebody who is only named: what to mind first, then who they are."""


def own_subjects(kin: str, question: Question) -> Sequence[str]:
    """The subjects of claims about the asker, with a `kin` about somebody of theirs.

    What is private is the asker's without an account, what is said in a group by account.
    """
    people = question.style.participants
    asking = "" if people.asker is None else people.asker[1]
    return list(dict.fromkeys((own("", kin), own(asking, kin))))


async def kin_by_name(question: Question, sources: Sources) -> list[tuple[str, str]]:
    """Ids of the names of the asker's relatives and pets, each with what they are to the asker.

    Of 林小满 there are two, for she is called 小满.
    """
    people = question.style.participants
    asking = "" if people.asker is None else people.asker[1]
    of = {**names_of_kin(""), **names_of_kin(asking)}
    where = Filter(question.scopes, recallable=True, slots=frozenset(of), holds=True)
    return [
        (entity_id(name), of[memory.claim.slot])
        for memory in await sources.store.page(where, limit=MOST)
        if memory.claim is not None
        for name in called_by_name(memory.claim.value)
    ]


async def told_of_relatives(question: Question, sources: Sources) -> list[Memory]:
    """What holds of the relatives and pets that the question mentions, by word or name."""
    said = set(candidates(entity_id(question.text)).values())
    bearers = await kin_by_name(question, sources)
    mentioned = {*_by_word(question.text), *(kin for name, kin in bearers if name in said)}
    subjects = [
        *(subject for kin in sorted(mentioned) for subject in own_subjects(kin, question)),
        # What a model has learnt of them is claimed under their name.
        *(name for name, kin in bearers if kin in mentioned),
    ]
    slots = [slot_of(attribute, subject) for subject in subjects for attribute in TOLD]
    if not slots:
        return []
    places = {slot: place for place, slot in enumerate(slots)}
    where = Filter(question.scopes, recallable=True, slots=frozenset(slots), holds=True)
    found = await sources.store.page(where, limit=MOST)
    return sorted(found, key=lambda memory: places[memory.claim.slot if memory.claim else ""])


def _by_word(text: str) -> list[str]:
    rules = (each.extraction for each in languages_in(text) if each.extraction is not None)
    return [
        kin
        for each in rules
        if each.somebody is not None
        for match in each.somebody.finditer(text)
        if (kin := kin_of(match["kin"]))
    ]
