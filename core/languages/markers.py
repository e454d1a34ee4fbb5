"""The markers of the languages that a text may be in, as one pattern. Pure."""

import re
from functools import cache

from .language import Marker
from .registry import languages, languages_in

_EVERYWHERE = {Marker.ASKING: "[?？]", Marker.ASKING_FOR: "[?？]"}
"""What holds in every language, known or not."""


def marker(what: Marker, text: str) -> re.Pattern[str]:
    """The pattern of a marker for this text; one that matches nothing if none of it is known."""
    return _pattern(what, tuple(language.code for language in languages_in(text)))


@cache
def _pattern(what: Marker, codes: tuple[str, ...]) -> re.Pattern[str]:
    by_language = [each.markers.get(what) for each in languages() if each.code in codes]
    parts = [part for part in (_EVERYWHERE.get(what), *by_language) if part]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)
