"""Drops claims about people other than the one a question asks about. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from ..conflict.clauses import Clause
from ..languages.inquiries import PEOPLE, Inquiry
from ..languages.kin import called_by_title, kin_in, kin_of
from ..languages.terms import content_terms
from ..model.claims import SPEAKER
from ..model.memory import REPLY_MARK, Memory
from ..text.display_names import entity_id
from .block import Participants
from .trace import Drop, Fused, Leg

_WIDER = {
    "son": "child",
    "daughter": "child",
    "mother": "parents",
    "father": "parents",
}
_OF_OWN = frozenset(
    (
        "residence home_town workplace job school age birthday name nickname partner marital diet"
        " allergy illness medication pet like favourite language height weight zodiac"
        " zodiac_animal smoking alcohol major boss landlord flatmate rent salary team"
    ).split()
)
"""Attributes that have one name whoever claims them: a model may call others as it likes."""
_PETS = frozenset({"dog", "cat", "rabbit", "hamster"})
_ONES_OWN = frozenset({"child", "partner"})
_WITH_OTHERS = PEOPLE | {"colleague", "friend", "team"}
_OF_PEOPLE = frozenset("allergy diet illness medication marital partner birthday".split())
"""What is asked of people and pets alone: a house has an age and a place, too."""
_BY_NAME = frozenset({Leg.ENTITY, Leg.SLOT})
_NAME = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A relative, by what they are and by the names that go with it; `sure` by its form."""

    kin: frozenset[str]
    names: frozenset[str]
    sure: bool


def without_other_kin(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    inquiries: Sequence[Inquiry],
    text: str,
) -> list[Fused]:
    """Without what tells of other relatives, if `text` names and asks of one of them alone.

    "What is my son called" was answered with the wife's name, for it is near by meaning; "what
    does my uncle do", of whom nothing was told, with the aunt's work and the asker's own.
    """
    asked = {_asked(each) for each in inquiries}
    if not asked or "" in asked or len(Clause(text).others) > 1:
        return list(judged)
    kin = _wider(asked)
    sure = any(not each.words for each in inquiries)
    of = _Asked(kin, _names(records.values(), kin), sure)
    return _without(judged, lambda id: _is_of_other(records.get(id), of))


def without_other_attributes(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    inquiries: Sequence[Inquiry],
    text: str,
) -> list[Fused]:
    """Without claims of other attributes, if one is asked of oneself of which nothing is kept.

    我属什么, never told, was answered with a name, a dog and an allergy. A claim that shares a word
    with the question may answer it all the same, and so may what was said in words no rule reads.
    """
    asked = {key.partition(":")[0] for each in inquiries for key in each.keys}
    known = any(hit.leg is Leg.SLOT for each in judged for hit in each.hits)
    if known or not asked or any(each.words or each.who for each in inquiries):
        return list(judged)
    said = content_terms(text)
    return _without(judged, lambda id: _is_of_other_attribute(records.get(id), asked, said))


def _is_of_other_attribute(memory: Memory | None, asked: Set[str], said: Set[str]) -> bool:
    if memory is None or memory.claim is None:
        return False
    attribute = memory.claim.attribute.partition(":")[0]
    if attribute in asked or attribute not in _OF_OWN:
        return False
    return said.isdisjoint(content_terms(_said(memory)))


def without_strangers(
    judged: Sequence[Fused], records: Mapping[str, Memory], inquiries: Sequence[Inquiry]
) -> list[Fused]:
    """Without what was found by neither name nor slot, if somebody is asked of by their name alone.

    刘姐不吃什么, of whom nothing is kept, was answered with seven lines about everybody else.
    """
    names = {entity_id(each.who) for each in inquiries if _is_person(each)}
    if len(names) != 1 or len(inquiries) != 1:
        return list(judged)
    (name,) = names
    found = {each.memory for each in judged if any(hit.leg in _BY_NAME for hit in each.hits)}
    return _without(judged, lambda id: id not in found and not _has_name(records.get(id), name))


def _is_person(inquiry: Inquiry) -> bool:
    """Whether it asks of somebody who has a name and is no relative, of what people have."""
    if not inquiry.who or inquiry.words or kin_of(inquiry.who):
        return False
    titled = called_by_title().fullmatch(inquiry.who) is not None
    return titled or (bool(inquiry.keys) and inquiry.keys[0] in _OF_PEOPLE)


def _has_name(memory: Memory | None, name: str) -> bool:
    if memory is None:
        return True
    speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
    told = entity_id(_said(memory))
    if speaker != name:
        # 周姐 is in every line that she has told, which makes none of them hers.
        told = told.replace(speaker, " ") if speaker else told
        return name in told or any(name == entity_id(each) for each in memory.about)
    return True


def without_other_members(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    inquiries: Sequence[Inquiry],
    people: Participants,
) -> list[Fused]:
    """Without what others of a group claim of themselves, if the asker asks something of their own.

    我住哪 was answered with where somebody else of the group lives, 我爱吃什么 with an allergy.
    """
    sure = [each for each in inquiries if not each.words]
    if people.asker is None or not sure or any(each.who for each in sure):
        return list(judged)
    return _without(judged, lambda id: _is_of_member(records.get(id), people))


def _without(judged: Sequence[Fused], is_of_other: Callable[[str], bool]) -> list[Fused]:
    return [
        each.dropped(Drop.IRRELEVANT) if each.drop is None and is_of_other(each.memory) else each
        for each in judged
    ]


def _is_of_member(memory: Memory | None, people: Participants) -> bool:
    if memory is None or memory.claim is None:
        return False
    theirs = memory.account
    if theirs is None or theirs == people.asker or not theirs[1]:
        return False
    if memory.claim.subject.partition("/")[0] != f"{SPEAKER}{theirs[1]}":
        return False
    # Two accounts of one person have one name.
    return people.names.get(theirs) != people.names.get(people.asker or theirs)


def _asked(inquiry: Inquiry) -> str:
    """Of which relative it asks; "" for nobody's. Who one's child is is asked of oneself."""
    own = inquiry.keys[0] if inquiry.keys else ""
    return kin_of(inquiry.who) if inquiry.who else own if own in _ONES_OWN else ""


def _wider(kin: Iterable[str]) -> frozenset[str]:
    return frozenset(_WIDER.get(each, each) for each in kin)


def _names(memories: Iterable[Memory], kin: frozenset[str]) -> frozenset[str]:
    """Who else a memory is about that names such a relative and no other: my aunt Carol."""
    found: set[str] = set()
    for memory in memories:
        if _wider(kin_in(_said(memory))) != kin:
            continue
        subject = "" if memory.claim is None else memory.claim.subject
        own = "" if memory.speaker is None else entity_id(memory.speaker.name)
        named = {entity_id(each) for each in memory.about}
        named |= set() if subject.startswith(SPEAKER) else {subject}
        found |= {each for each in named if _NAME.fullmatch(each) and each != own}
    return frozenset(each for each in found if not kin_of(each))


def _is_of_other(memory: Memory | None, asked: _Asked) -> bool:
    if memory is None:
        return False
    subject = "" if memory.claim is None else memory.claim.subject
    if kin := subject.partition("/")[2]:
        return _WIDER.get(kin, kin) not in asked.kin
    said = _said(memory)
    if _wider(kin_in(said)) & asked.kin or any(name in entity_id(said) for name in asked.names):
        return False
    if kin_in(said, owned=True):
        # My mother's brother is an uncle.
        return len(kin_in(said)) == 1
    return asked.sure and _is_of_speaker_alone(memory, asked.kin)


def _is_of_speaker_alone(memory: Memory, asked: frozenset[str]) -> bool:
    """Whether it claims of its speaker what has nobody of the kind in it that is asked of."""
    claim = memory.claim
    if claim is None or not claim.subject.startswith(SPEAKER):
        return False
    if claim.attribute == "pet":
        return _PETS.isdisjoint(asked)
    return claim.attribute not in _WITH_OTHERS


def _said(memory: Memory) -> str:
    return memory.text.partition(REPLY_MARK)[0]
