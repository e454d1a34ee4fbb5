"""What is known of a memory moves it, within bounds, beside how well it fits the turn. Pure.

Algorithms, section 7.3.

Together the boosts for age, use and trust are less than a tenth of a full match: they order what
fits about as well, and cannot bury an exact old memory under fresh gossip.
"""

import math
import re
from collections.abc import Mapping, Sequence

from ..conflict.trust import trust_of
from ..languages.terms import content_terms
from ..model.memory import Kind, Memory, Succession
from ..text.display_names import entity_id
from ..text.normalisation import folded
from .fusion import boosted, ordered
from .selection import is_question
from .trace import Boost, Fused

SPEAKER = 0.15
"""For a memory of somebody whom the turn names; as much less for the others found with it."""

SUBSTANCE = 0.05
"""For a raw turn of e times as many characters as `USUAL_LENGTH`; as much less for an e-th."""

USUAL_LENGTH = 60
SHORTEST, LONGEST = 20, 320
"""Raw turns of fewer or more characters count as these."""

ASKING = 0.05
"""Less for a raw turn that asks: its answer is elsewhere."""

NEWEST = 0.02
"""For a memory of this moment; half of it after `HALF_LIFE`."""

HALF_LIFE = 30 * 86_400.0
MOST_USEFUL = 0.02
"""For a memory that has been useful without end; half of it at a useful score of `PROVEN`."""

PROVEN = 6.0
TRUST_SPAN = 0.04
"""Between a memory that is not trusted at all and one that is wholly."""

_LATIN = re.compile(r"[a-z0-9]")


def adjusted(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    question: str,
    *,
    now: float,
) -> list[Fused]:
    """The candidates with their boosts, best first; an updated memory after its update.

    A candidate without a record stays as it is.
    """
    known = [records[each.memory] for each in candidates if each.memory in records]
    sides = _sides(known, folded(question))
    moved = [
        boosted(each, _boosts(records[each.memory], sides[each.memory], now))
        if each.memory in records
        else each
        for each in candidates
    ]
    return after_their_updates(ordered(moved), records)


def named(name: str, asked: str) -> bool:
    """Whether a turn, `folded`, names somebody or something; as a whole word in Latin script."""
    wanted = entity_id(name)
    if len(wanted) < 2 or wanted not in asked or not content_terms(wanted):
        return False
    if not _LATIN.match(wanted):
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", asked) is not None


def substance(memory: Memory) -> float:
    """How much more, or less, a raw turn tells than one of `USUAL_LENGTH`; 0 for other memories.

    "Wow, that's great!" is near to everything that is great.
    """
    if memory.kind is not Kind.EVIDENCE:
        return 0.0
    length = min(LONGEST, max(SHORTEST, len(memory.text)))
    # A reply after it is an answer of its own.
    return SUBSTANCE * math.log(length / USUAL_LENGTH) - ASKING * is_question(memory.text)


def _sides(memories: Sequence[Memory], asked: str) -> dict[str, int]:
    """1 for those of somebody or something that the turn names; else -1 if it names a person.

    What need not be said of a thing to answer a question about it is no reason to put it back.
    """
    people = {memory.id: _people(memory) for memory in memories}
    things = {memory.id: _things(memory) for memory in memories}
    every = frozenset[str]().union(*people.values(), *things.values())
    said = {name for name in every if named(name, asked)}
    other = -1 if any(said & own for own in people.values()) else 0
    return {
        memory.id: 1 if said & (people[memory.id] | things[memory.id]) else other
        for memory in memories
    }


def _people(memory: Memory) -> set[str]:
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    return {*speaker, *memory.about}


def _things(memory: Memory) -> set[str]:
    # A raw turn that names somebody is mostly said to them, not of them or by them.
    entities = () if memory.kind is Kind.EVIDENCE else memory.entities
    return {entity.name for entity in entities}


def _boosts(memory: Memory, side: int, now: float) -> dict[Boost, float]:
    useful = max(0.0, memory.vitality.useful_score)
    age = max(0.0, now - memory.created_at)
    boosts = {
        Boost.SPEAKER: SPEAKER * side,
        Boost.SUBSTANCE: substance(memory),
        Boost.AGE: NEWEST * 0.5 ** (age / HALF_LIFE),
        Boost.USEFUL: MOST_USEFUL * useful / (useful + PROVEN),
        Boost.TRUST: TRUST_SPAN * (trust_of(memory, now) - 0.5),
    }
    # An intention goes by what is asked alone, however old it is.
    own = memory.kind is Kind.PROSPECTIVE
    return {Boost.SPEAKER: boosts[Boost.SPEAKER]} if own else boosts


def after_their_updates(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """Each updated memory moved to right behind the newer one, if that is here and comes later."""
    result = list(candidates)
    for each in candidates:
        memory = records.get(each.memory)
        if memory is None or memory.successor is None:
            continue
        if memory.successor.how is not Succession.UPDATES:
            continue
        at = {one.memory: place for place, one in enumerate(result)}
        newer = at.get(memory.successor.memory, -1)
        if newer > at[each.memory]:
            result.insert(newer, result.pop(at[each.memory]))
    return result
