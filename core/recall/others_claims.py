"""What is so of somebody else answers nothing about whom a question asks of. Pure."""

from collections.abc import Callable, Mapping, Sequence

from ..conflict.clauses import Clause
from ..languages.inquiries import Inquiry
from ..languages.kin import kin_of
from ..model.claims import SPEAKER
from ..model.memory import Memory
from .block import Participants
from .trace import Drop, Fused

_WIDER = {
    "son": "child",
    "daughter": "child",
    "mother": "parents",
    "father": "parents",
}
_ONES_OWN = frozenset({"child", "partner"})


def without_other_kin(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    inquiries: Sequence[Inquiry],
    text: str,
) -> list[Fused]:
    """Without claims about other relatives and pets, if `text` names and asks of one of them alone.

    "What is my son called" was answered with the wife's name, for it is near by meaning.
    """
    asked = {_asked(each) for each in inquiries}
    if not asked or "" in asked or len(Clause(text).others) > 1:
        return list(judged)
    wider = {_WIDER.get(kin, kin) for kin in asked}
    return _without(judged, lambda id: _is_of_other(records.get(id), wider))


def without_other_members(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    inquiries: Sequence[Inquiry],
    people: Participants,
) -> list[Fused]:
    """Without what others of a group claim of themselves, if the asker asks it of themselves.

    我住哪 was answered with where somebody else of the group lives.
    """
    sure = [each for each in inquiries if not each.words]
    if people.asker is None or not sure or any(each.who for each in sure):
        return list(judged)
    attributes = {key for each in sure for key in each.keys}
    return _without(judged, lambda id: _is_of_member(records.get(id), attributes, people))


def _without(judged: Sequence[Fused], is_of_other: Callable[[str], bool]) -> list[Fused]:
    return [
        each.dropped(Drop.IRRELEVANT) if each.drop is None and is_of_other(each.memory) else each
        for each in judged
    ]


def _is_of_member(memory: Memory | None, attributes: set[str], people: Participants) -> bool:
    if memory is None or memory.claim is None or memory.claim.attribute not in attributes:
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


def _is_of_other(memory: Memory | None, wider: set[str]) -> bool:
    if memory is None or memory.claim is None:
        return False
    kin = memory.claim.subject.partition("/")[2]
    return bool(kin) and _WIDER.get(kin, kin) not in wider
