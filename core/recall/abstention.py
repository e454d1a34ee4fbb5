"""Whether a turn wants anything of the past brought up at all. Pure.

Algorithms, section 7.7.

Chit-chat is about what memories are about, too: "which films do you like" is near to any memory
of films. So what a turn must find depends on whom it is about. The levels were set on a
development split of CDConv against two sets of memories, see docs/benchmarks.md.
"""

from collections.abc import Sequence
from enum import StrEnum

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from .intention_ranking import BY_MEANING
from .selection import LEAST_RELEVANCE
from .trace import Fused, Leg, Silence


class Address(StrEnum):
    """What a turn does, and about whom."""

    REFERS_BACK = "refers_back"
    ASKS = "asks"
    TELLS_OF_OTHERS = "tells_of_others"
    TELLS_OF_SELF = "tells_of_self"
    ASKS_OF_BOTH = "asks_of_both"
    ASKS_THE_BOT = "asks_the_bot"


NEEDED: dict[Address, tuple[float, float]] = {
    Address.REFERS_BACK: (0.35, 0.35),
    Address.ASKS: (0.47, 0.47),
    Address.TELLS_OF_OTHERS: (0.41, 0.41),
    Address.TELLS_OF_SELF: (0.82, 0.5),
    Address.ASKS_OF_BOTH: (0.74, 0.5),
    Address.ASKS_THE_BOT: (1.3, 0.64),
}
"""Strength, 0..2, that something found must have: in an opening turn, and in a later one."""

NEEDED_BY_WORDS: dict[Address, tuple[float, float]] = {
    Address.REFERS_BACK: (0.24, 0.22),
    Address.ASKS: (0.31, 0.31),
    Address.TELLS_OF_OTHERS: (0.26, 0.22),
    Address.TELLS_OF_SELF: (0.37, 0.26),
    Address.ASKS_OF_BOTH: (0.4, 0.35),
    Address.ASKS_THE_BOT: (0.7, 0.55),
}
"""Relevance, 0..1, that is needed on any leg where nothing was found by meaning.

On the scale of `leg_weights.rated_by_words`.
"""


def address(text: str) -> Address:
    """What the turn does. Asking for something for oneself counts as asking about oneself."""
    codes = codes_in(text)

    def has(what: Marker) -> bool:
        return marker(what, codes).search(text) is not None

    of_self, of_bot = has(Marker.SELF), has(Marker.BOT)
    if has(Marker.BACK) and (of_self or not of_bot):
        return Address.REFERS_BACK
    if has(Marker.REQUEST):
        return Address.ASKS
    if has(Marker.ASKING):
        if not of_bot:
            return Address.ASKS
        return Address.ASKS_OF_BOTH if of_self else Address.ASKS_THE_BOT
    return Address.TELLS_OF_SELF if of_self or of_bot else Address.TELLS_OF_OTHERS


def strength(candidate: Fused) -> float:
    """The best relevance by meaning and the best by words, added: 0..2."""
    words = (hit.relevance for hit in candidate.hits if hit.leg is Leg.TEXT)
    meant = (hit.relevance for hit in candidate.hits if hit.leg in BY_MEANING)
    return max(words, default=0.0) + max(meant, default=0.0)


def silence(
    text: str, candidates: Sequence[Fused], *, later: bool, calibrated: bool
) -> Silence | None:
    """Why nothing is brought up, None if something may be.

    `later`: the person has said something in this conversation before. By meanings that are not
    `calibrated` strengths say less, and only noise is kept back.
    """
    if not candidates:
        return Silence.NOTHING_FOUND
    by_words = not any(hit.leg in BY_MEANING for each in candidates for hit in each.hits)
    if not calibrated and not by_words:
        weak = all(candidate.relevance < LEAST_RELEVANCE for candidate in candidates)
        return Silence.TOO_WEAK if weak else None
    spoken = address(text)
    if by_words:
        enough = any(each.relevance >= NEEDED_BY_WORDS[spoken][later] for each in candidates)
    else:
        enough = any(strength(each) >= NEEDED[spoken][later] for each in candidates)
    if enough:
        return None
    of_bot = spoken in (Address.ASKS_THE_BOT, Address.ASKS_OF_BOTH)
    return Silence.ABOUT_THE_BOT if of_bot else Silence.TOO_WEAK
