"""Finds the sentence in which a person said what a text tells about them. Pure."""

import re
from collections.abc import Sequence

from ..languages.telling import is_question
from ..languages.terms import content_terms

LEAST_SHARE = 0.5
"""Of the content terms of a text, how many a sentence must hold to be what the text is about."""

_SENTENCE_END = re.compile(r"(?<=[.!?。！？\n])")


def own_words(text: str, said: Sequence[str], name: str, *, longest: int) -> str | None:
    """The sentence among what was `said`, newest last, that the text is about; None without one.

    The speaker's own `name` need not stand in it. A question tells nothing.
    """
    wanted = content_terms(text) - content_terms(name)
    best, most = None, 0
    for sentence in _sentences(said):
        held = len(wanted & content_terms(sentence))
        if most < held >= LEAST_SHARE * len(wanted) and len(sentence) <= longest:
            best, most = sentence, held
    return best


def _sentences(said: Sequence[str]) -> list[str]:
    parts = [part.strip() for text in reversed(said) for part in _SENTENCE_END.split(text)]
    return [part for part in parts if not is_question(part)]
