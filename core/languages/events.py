"""Which type of event a clause tells of. Pure."""

import re
from functools import cache

from ..model.knowledge import EventType
from .language import Marker
from .markers import codes_in, marker
from .registry import languages, languages_in
from .scripts import in_all_scripts
from .terms import content_terms

_WORD = re.compile(r"[a-z]{3,}|[^\x00-\x7f]+")
_BOUNDARY = r"\b"


def event_told(stated: str) -> EventType | None:
    """The type of the event that a statement tells of; None for none, and for a taste or habit."""
    if marker(Marker.LASTING, codes_in(stated)).search(stated):
        return None
    for language in languages_in(stated):
        for type, pattern in _patterns(language.code):
            if pattern.search(stated):
                return type
    return None


@cache
def general_terms(type: EventType) -> frozenset[str]:
    """Index terms that any two events of the type may have in common: the words of its patterns."""
    sources = (each.events.get(type, "").replace(_BOUNDARY, " ") for each in languages())
    words = (word for source in sources for word in _WORD.findall(source))
    return frozenset[str]().union(*(content_terms(word) for word in words))


@cache
def _patterns(code: str) -> tuple[tuple[EventType, re.Pattern[str]], ...]:
    (language,) = (each for each in languages() if each.code == code)
    return tuple(
        (type, re.compile(in_all_scripts(told, language.folding), re.IGNORECASE))
        for type, told in language.events.items()
    )
