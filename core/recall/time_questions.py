"""Whether a question asks for nothing but a time: "what did we talk about last Friday". Pure."""

import re

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..text.normalisation import normalise

_WORD = re.compile(r"\w")


def asks_for_time_alone(text: str, timeless: str) -> bool:
    """Whether a question has no content besides its times; `timeless` is it without them.

    A question about what the bot itself did or does counts only if it asks what the bot said.
    """
    codes = codes_in(text)

    def has(what: Marker) -> bool:
        return marker(what, codes).search(text) is not None

    # "Is today a holiday" is about the time itself.
    if not has(Marker.ASKING_FOR) or not marker(Marker.DOING, codes).search(timeless):
        return False
    if has(Marker.BOT) and not has(Marker.SELF) and not has(Marker.TALK):
        return False
    plain = normalise(timeless).replace("’", "'")
    return not _WORD.search(marker(Marker.EMPTY, codes).sub(" ", plain))


def looks_ahead(text: str) -> bool:
    """Whether a question is about what is planned rather than about what was."""
    return marker(Marker.PLAN, codes_in(text)).search(text) is not None
