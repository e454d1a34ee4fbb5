"""Whether a message tells something worth keeping. Pure. Algorithms, section 1.3."""

import re
from collections.abc import Iterator

from .registry import question_ends
from .terms import content_terms

SAYS_SOMETHING = 2
"""Content terms of a clause that tells: of the turns that a question of the development lives
needs, .999 have such a clause, of chit-chat .46; with three .989 and .29."""

_SENTENCE = re.compile(
    r"[^.!?。！？;；~～…\n]+(?:\.(?=\S)[^.!?。！？;；~～…\n]+)*[.!?。！？;；~～…]*"
)
_CLAUSE_END = re.compile(r"(?<=[.!?。！？\n,，;；])")

_MARKS = " \t.!?。！？,，;；~～…"


def tells(text: str, least: int = SAYS_SOMETHING) -> bool:
    """Whether some clause says something: "OK", "why?" do not.

    It has so many content terms at `least`. What is told inside a question or a request is told:
    我有高血压能喝咖啡吗.
    """
    return any(len(content_terms(clause)) >= least for clause in _CLAUSE_END.split(text))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text that are no questions."""
    return (each.strip() for each in _SENTENCE.findall(text) if not is_question(each))


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, without the marks at their ends."""
    parts = (part.strip(_MARKS) for part in _CLAUSE_END.split(sentence))
    return [part for part in parts if part]


def is_question(text: str) -> bool:
    """Whether a text asks rather than tells, by its last mark or particle."""
    return text.rstrip(" \t\n。.!！~～").endswith(question_ends())
