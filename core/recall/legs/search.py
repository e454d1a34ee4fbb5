"""What a leg is and what it returns."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from ...ports import Scored
from ..question import Meaning, Sources, Understood
from ..trace import Hit, Leg

POOL = 80
"""Hits of one leg."""

type Found = list[tuple[str, Hit]]


@dataclass(frozen=True, slots=True)
class Search:
    """What a leg found, best first, and whether its relevance is calibrated."""

    found: Found
    calibrated: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """What a leg searches with. `meaning` gives the question's vector, embedded once for all legs.

    `found` is what the legs before it found: empty for those that run first.
    """

    understood: Understood
    sources: Sources
    meaning: Callable[[], Awaitable[Meaning]]
    found: Mapping[Leg, Found]


type Run = Callable[[Ground], Awaitable[Search]]


def ranked(leg: Leg, scored: Sequence[Scored], relevance: Callable[[float], float]) -> Found:
    """The hits of a search that came back best first."""
    return [
        (item.id, Hit(leg, rank, item.score, relevance(item.score)))
        for rank, item in enumerate(scored, start=1)
    ]
