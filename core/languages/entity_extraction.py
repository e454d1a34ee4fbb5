"""Names in what somebody says, by rules and by the dictionaries of languages.

Precise rather than many: a wrong name connects what has nothing in common.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ..model.knowledge import Entity
from ..text.display_names import LONGEST_NAME, entity_id
from .language import Marker, NameWords
from .markers import codes_in, marker
from .registry import languages, languages_in
from .terms import content_terms

MOST = 8
"""Names of one turn; the first ones."""

LONGEST_TEXT = 1_000
"""Characters of a turn that are read."""

_TITLE = re.compile(r"《([^《》\n]{1,40})》|“([^“”\n]{2,40})”|\"([^\"\n]{2,40})\"")
_WORD = re.compile(r"[^\W\d_][\w'’&-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:;\n…—\"“(*-]\s*)\Z")
_ACRONYM = 5
"""Letters of a word in capitals that may be a name; longer ones are shouted."""


def names_by_rule(text: str) -> list[Entity]:
    """Titles in quotation marks and capitalised names that do not merely begin a sentence."""
    read = text[:LONGEST_TEXT]
    titles = [Entity(entity_id(t), t.strip(), "work") for t in _titles(read)]
    called = marker(Marker.CALLED, codes_in(read))
    people = [Entity(m[0], m[0], "person") for m in called.finditer(read)]
    return first_of([*titles, *people, *(Entity(entity_id(n), n) for n in _capitalised(read))])


def first_of(entities: Iterable[Entity], most: int = MOST) -> list[Entity]:
    """The first entities of different names that have content."""
    found: dict[str, Entity] = {}
    for entity in entities:
        if content_terms(entity.name) and len(entity.name) <= LONGEST_NAME:
            found.setdefault(entity.id, entity)
    return list(found.values())[:most]


def has_dictionary(text: str) -> bool:
    """Whether a language of the text has a dictionary of names, which takes time to look into."""
    return any(language.names is not None for language in languages_in(text))


def names_by_dictionary(text: str) -> list[Entity]:
    """Names that the dictionaries of its languages know. Not on the event loop."""
    finders = [each.names for each in languages_in(text) if each.names is not None]
    return [entity for find in finders for entity in find(text)]


def _titles(text: str) -> Iterator[str]:
    for match in _TITLE.finditer(text):
        book, *quotes = match.groups()
        if book:
            yield book
            continue
        # A quotation may be anything that was said; a title is short, or begins with a capital.
        (quote,) = filter(None, quotes)
        if (quote.isascii() and quote[0].isupper() and quote[-1].isalnum()) or (
            not quote.isascii() and len(quote) <= 8
        ):
            yield quote


def _capitalised(text: str) -> Iterator[str]:
    """Runs of capitalised words. One that begins a sentence must be a name elsewhere, or go on."""
    runs = list(_runs(text))
    inside = {name for name, begins in runs if not begins}
    for name, begins in runs:
        if not begins or name in inside or " " in name:
            yield name


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    words = [match for match in _WORD.finditer(text) if _is_capital(match[0])]
    run: list[re.Match[str]] = []
    for word in words:
        if run and not _joining().fullmatch(text, run[-1].end(), word.start()):
            yield _run(text, run)
            run = []
        run.append(word)
    if run:
        yield _run(text, run)


def _run(text: str, words: Sequence[re.Match[str]]) -> tuple[str, bool]:
    begins = bool(_SENTENCE_START.search(text[max(0, words[0].start() - 4) : words[0].start()]))
    if begins and len(words) > 1 and words[0][0].replace("’", "'").lower() in _words().openers:
        words, begins = words[1:], False
    start = words[0].start()
    name = re.sub(r"(?:['’]s|['’&-]+)\Z", "", text[start : words[-1].end()])
    return name, begins


@cache
def _words() -> NameWords:
    """Those of all languages: a name is often in a text of another one."""
    every = [language.name_words for language in languages()]
    return NameWords(
        frozenset[str]().union(*(each.no_names for each in every)),
        frozenset[str]().union(*(each.openers for each in every)),
        frozenset[str]().union(*(each.joining for each in every)),
    )


@cache
def _joining() -> re.Pattern[str]:
    between = "|".join(sorted(_words().joining)) or "(?!)"
    return re.compile(rf" (?:(?:{between}) ){{0,2}}")


def _is_capital(word: str) -> bool:
    plain = re.sub(r"['’].*", "", word)
    shouted = plain.isupper() and len(plain) > _ACRONYM
    return (
        len(plain) > 1
        and word[0].isupper()
        and not shouted
        and plain.lower() not in _words().no_names
    )
