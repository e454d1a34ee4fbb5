"""The text under which a memory is indexed, and the terms of a query. Pure."""

import re

from ..languages import terms as tokens
from ..model.memory import Extractor, Kind, Memory

QUERY_TERMS = 64
"""Terms of a query that are looked at; a pasted page is not a question."""


_APART = re.compile(r"[_:/]")


def indexed_text(memory: Memory) -> str:
    """What a memory is found by: text, what it claims, summary and cues.

    A raw turn's own words count twice where its cues are the words of its neighbours.
    """
    raw = memory.kind is Kind.EVIDENCE and memory.cues
    own = (memory.said,) if raw else claimed(memory)
    return "\n".join((memory.text, *own, memory.summary, *memory.cues))


def claimed(memory: Memory) -> tuple[str, ...]:
    """What a model says that a memory claims, of which relative or pet: its text may not say it.

    What rules read as a claim the text says itself.
    """
    claim = memory.claim
    if claim is None or memory.extractor is not Extractor.MODEL:
        return ()
    key = key_in_words(f"{claim.relation} {claim.attribute}").strip()
    return (f"{key}: {claim.value}".removesuffix(": "),)


def key_in_words(key: str) -> str:
    """The key of an attribute or a relative without the marks between its words."""
    return _APART.sub(" ", key)


def searched_terms(query: str) -> list[str]:
    """The distinct terms a query is scored with."""
    return tokens.query_terms(query)[:QUERY_TERMS]
