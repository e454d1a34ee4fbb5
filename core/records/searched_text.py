"""What a memory is found by, and the words that a search looks at. Pure."""

from ..languages import terms as tokens
from ..model.memory import Memory

QUERY_TERMS = 64
"""Terms of a query that are looked at; a pasted page is not a question."""


def indexed_text(memory: Memory) -> str:
    """What a memory is found by: text, summary and cues."""
    return "\n".join((memory.text, memory.summary, *memory.cues))


def searched_terms(query: str) -> list[str]:
    """The distinct terms a query is scored with."""
    return tokens.query_terms(query)[:QUERY_TERMS]
