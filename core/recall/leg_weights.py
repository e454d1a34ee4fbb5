"""What a question asks for decides which legs count, and how much. Pure."""

import math
from collections.abc import Mapping
from dataclasses import replace

from .fusion import Found, fuse
from .intent import leg_weights
from .intention_ranking import BY_MEANING
from .question import Understood
from .trace import Fused, Leg

CONSIDERED = 60
"""Candidates whose records are read."""


def goes_by_time(understood: Understood, found: Mapping[Leg, Found]) -> bool:
    """Whether a time is all that is asked for, and something is known of it."""
    return understood.time_alone and bool(found.get(Leg.TIME))


def pooled(understood: Understood, found: Mapping[Leg, Found]) -> list[Fused]:
    """The best candidates of all legs, best first.

    Where a question goes by time, what it says besides says nothing: the time leg alone counts.
    """
    if goes_by_time(understood, found):
        return fuse({Leg.TIME: found[Leg.TIME]}, {Leg.TIME: 1.0}, limit=CONSIDERED)
    return fuse(rated_by_words(found), leg_weights(understood.intents), limit=CONSIDERED)


def rated_by_words(found: Mapping[Leg, Found]) -> Mapping[Leg, Found]:
    """The same legs; where none went by meaning, a match in words has its relevance's root.

    The share of a question's words that BM25 gives counts half of what is known of a memory. As
    all that is known it is read on a scale of its own, on which `selection.LEAST_RELEVANCE` is a
    twentieth of the words; order stays, and `abstention.NEEDED_BY_WORDS` is on it too.
    """
    if any(found.get(leg) for leg in BY_MEANING) or Leg.TEXT not in found:
        return found
    rated = [
        (memory, replace(hit, relevance=math.sqrt(hit.relevance)))
        for memory, hit in found[Leg.TEXT]
    ]
    return {**found, Leg.TEXT: rated}
