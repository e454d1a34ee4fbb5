"""The intents of a turn (a time, a cause, a procedure ...), by its words. Pure.

Algorithms, section 7.1. A turn may have several intents: "why did we move last week" asks for a
cause and for a time. The markers are those of the languages that the turn may be in.
"""

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from .trace import Intent

_MARKERS: dict[Intent, Marker] = {
    Intent.CAUSAL: Marker.CAUSAL,
    Intent.TEMPORAL: Marker.TEMPORAL,
    Intent.PROCEDURAL: Marker.PROCEDURAL,
    Intent.EXPLORATORY: Marker.EXPLORATORY,
    Intent.FACTUAL: Marker.FACTUAL,
}


def intents_of(text: str) -> dict[Intent, float]:
    """The intents whose markers occur, with equal weights that sum to 1; general without any."""
    codes = codes_in(text)
    found = [intent for intent, what in _MARKERS.items() if marker(what, codes).search(text)]
    held = found or [Intent.GENERAL]
    return {intent: 1.0 / len(held) for intent in held}
