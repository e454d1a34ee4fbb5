"""What a turn is after, by its words; how much each leg then counts. Pure.

Algorithms, section 7.1. A turn may have several intents: "why did we move last week" asks for a
cause and for a time. The markers are those of the languages that the turn may be in.
"""

import re
from collections.abc import Mapping

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from .trace import Intent, Leg

_MARKERS: dict[Intent, Marker] = {
    Intent.CAUSAL: Marker.CAUSAL,
    Intent.TEMPORAL: Marker.TEMPORAL,
    Intent.PROCEDURAL: Marker.PROCEDURAL,
    Intent.EXPLORATORY: Marker.EXPLORATORY,
    Intent.FACTUAL: Marker.FACTUAL,
}

_TEXT_SHARE: dict[Intent, float] = {
    Intent.FACTUAL: 0.6,
    Intent.TEMPORAL: 0.6,
    Intent.CAUSAL: 0.6,
    Intent.PROCEDURAL: 0.6,
    Intent.EXPLORATORY: 0.5,
    Intent.GENERAL: 0.5,
}
"""What the text leg counts; the semantic leg counts the rest. See docs/benchmarks.md."""


def intents_of(text: str) -> dict[Intent, float]:
    """The intents whose markers occur, with equal weights that sum to 1; general without any."""
    codes = codes_in(text)
    found = [intent for intent, what in _MARKERS.items() if marker(what, codes).search(text)]
    held = found or [Intent.GENERAL]
    return {intent: 1.0 / len(held) for intent in held}


def leg_weights(intents: Mapping[Intent, float]) -> dict[Leg, float]:
    """The weights of the legs, the mean over the intents."""
    text = sum(weight * _TEXT_SHARE[intent] for intent, weight in intents.items())
    return {Leg.TEXT: text, Leg.SEMANTIC: 1.0 - text}


def stripped(text: str) -> str:
    """The turn without its markers, for the text leg; the whole of it if nothing else is left."""
    rest, codes = text, codes_in(text)
    for what in _MARKERS.values():
        rest = marker(what, codes).sub(" ", rest)
    return rest if re.search(r"\w", rest) else text
