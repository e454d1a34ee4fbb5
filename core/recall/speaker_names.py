"""Which of the people who speak a question names, and the question without their names. Pure.

In a chat a name is mostly said to call somebody, so that by meaning a question with a name in it
is nearest to what was said to that person, whatever it asks. Whose memories are meant is told by
`adjust.SPEAKER`; what is asked about them, by the rest.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set

from ..languages.scripts import in_one_script
from ..languages.terms import content_terms
from ..text.display_names import entity_id

LONGEST = 150
"""Characters of a question in which names are looked for."""

MOST_WORDS = 3
"""Words of a name in a script that has spaces."""

MOST_IDEOGRAPHS = 8

_WORD = re.compile(r"[^\W_]+")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")


def named_among(texts: Iterable[str], called: Set[str]) -> list[str]:
    """Entity ids of `called` that occur in the texts, longest first; whole words in Latin script.

    Names of function words alone, or of one character, do not count.
    """
    if not called:
        return []
    found = {span for text in texts for span in _spans(entity_id(text[:LONGEST])) if span in called}
    telling = [name for name in found if len(name) > 1 and content_terms(name)]
    return sorted(telling, key=lambda name: (-len(name), name))


def without_names(text: str, names: Sequence[str]) -> str:
    """The text without these entity ids and the "'s" after them; whole if nothing else is left."""
    rest = in_one_script(unicodedata.normalize("NFKC", text))
    for name in names:
        rest = re.sub(_pattern(name), " ", rest, flags=re.IGNORECASE)
    return " ".join(rest.split()) if content_terms(rest) else text


def _spans(asked: str) -> Iterator[str]:
    words = list(_WORD.finditer(asked))
    for place, first in enumerate(words):
        for last in words[place : place + MOST_WORDS]:
            yield asked[first.start() : last.end()]
    for run in _IDEOGRAPHS.finditer(asked):
        for start in range(run.start(), run.end()):
            for end in range(start + 2, min(start + MOST_IDEOGRAPHS, run.end()) + 1):
                yield asked[start:end]


def _pattern(name: str) -> str:
    spaced = r"\s+".join(map(re.escape, name.split()))
    if _IDEOGRAPHS.search(name):
        return spaced
    return rf"(?<![^\W_]){spaced}(?:['’]s)?(?![^\W_])"
