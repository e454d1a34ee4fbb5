"""The markers of several languages as one pattern. Pure."""

import re
from functools import cache

from .language import Marker
from .registry import languages, languages_in
from .scripts import in_all_scripts

_EVERYWHERE = {Marker.ASKING: "[?？]", Marker.CLAUSE_END: r"[。！？!?；;\n]+|\.(?=\s|$)"}
"""What holds in every language, known or not."""


def codes_in(text: str) -> tuple[str, ...]:
    """The codes of the languages that a text may be in."""
    return tuple(language.code for language in languages_in(text))


@cache
def marker(what: Marker, codes: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of a marker in these languages; one that matches nothing where none has it."""
    by_language = [
        in_all_scripts(each.markers.get(what, ""), each.folding)
        for each in languages()
        if each.code in codes
    ]
    parts = [part for part in (_EVERYWHERE.get(what), *by_language) if part]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)
