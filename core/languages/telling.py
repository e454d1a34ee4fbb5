"""Whether a message tells something worth keeping. Pure. Algorithms, section 1.3."""

from ..text.lazy_pattern import lazy_pattern
from .language import Marker
from .markers import codes_in, marker
from .registry import question_ends
from .terms import content_terms

SAYS_SOMETHING = 2
"""Content terms of a clause that tells: of the turns that a question of the development lives
needs, .999 have such a clause, of chit-chat .34; with one .46, with three .989 and .29."""

SENTENCE_END = lazy_pattern(r"(?<=[.!?。！？\n])")
_CLAUSE_END = lazy_pattern(r"(?<=[,，;；])")
ASKED = ("?", "？")
_NOT_TOLD = (Marker.QUESTION, Marker.ASKING, Marker.REQUEST)


def tells(text: str, least: int = SAYS_SOMETHING) -> bool:
    """Whether some clause says something, and neither asks nor requests: "OK", "why?" do not.

    It has so many content terms at `least`.
    """
    codes = codes_in(text)
    patterns = [marker(each, codes) for each in _NOT_TOLD]
    for sentence in SENTENCE_END.split(text):
        clauses = _CLAUSE_END.split(sentence.strip())
        # A question mark asks what stands before it; what was said before that is said.
        said = clauses[:-1] if sentence.rstrip().endswith(ASKED) else clauses
        for clause in said:
            if len(content_terms(clause)) < least:
                continue
            if not any(pattern.search(clause) for pattern in patterns):
                return True
    return False


def is_question(text: str) -> bool:
    """Whether a text asks rather than tells, by its last mark or particle."""
    return text.rstrip(" \t\n。.!！~～").endswith(question_ends())
