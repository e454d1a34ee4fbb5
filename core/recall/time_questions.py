"""Whether a question asks for nothing but a time: "what did we talk about last Friday". Pure."""

import re

from ..languages.language import Marker
from ..languages.markers import marker
from ..text.terms import normalise

_WORD = re.compile(r"\w")


def asks_for_time_alone(text: str, timeless: str) -> bool:
    """Whether a question has no content besides its times; `timeless` is it without them.

    What the bot itself did or does is no question to its memory, unless it is what it said.
    """
    # "Is today a holiday" is about the time itself.
    if not _has(Marker.ASKING_FOR, text) or not marker(Marker.DOING, text).search(timeless):
        return False
    of_bot = _has(Marker.BOT, text) and not _has(Marker.SELF, text)
    if of_bot and not _has(Marker.TALK, text):
        return False
    plain = normalise(timeless).replace("’", "'")
    return not _WORD.search(marker(Marker.EMPTY, text).sub(" ", plain))


def looks_ahead(text: str) -> bool:
    """Whether a question is about what is planned rather than about what was."""
    return _has(Marker.PLAN, text)


def _has(what: Marker, text: str) -> bool:
    return marker(what, text).search(text) is not None
