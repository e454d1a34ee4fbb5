"""The texts that a memory is embedded as beside the whole. Pure."""

from collections.abc import Mapping

from ..capture.clauses import sentences
from ..model.memory import Kind, Memory
from ..model.views import MOST_CLAUSES, VIEWS, ViewSource
from ..text.normalisation import folded

SHORTEST_CLAUSE = 4
"""Characters; what is shorter says nothing by itself."""


def views_of(memory: Memory, source: ViewSource) -> dict[str, str]:
    """The texts of the memory's views beside the whole, by name; empty and equal ones left out.

    Clauses only of what says more than one thing; cues only of what was learnt, for those of raw
    turns are what was said beside them.
    """
    named: dict[str, str] = {}
    if source in (ViewSource.CLAUSES, ViewSource.BOTH):
        clauses = _clauses(memory.text)
        named |= zip(VIEWS, clauses, strict=False) if len(clauses) > 1 else ()
    if source in (ViewSource.CUES, ViewSource.BOTH) and memory.kind is not Kind.EVIDENCE:
        named |= zip(VIEWS[MOST_CLAUSES:], memory.cues, strict=False)
    return _distinct(memory.text, named)


def _clauses(text: str) -> list[str]:
    every = (clause for sentence in sentences(text) for clause in sentence)
    return [clause for clause in every if len(clause) >= SHORTEST_CLAUSE][:MOST_CLAUSES]


def _distinct(whole: str, named: Mapping[str, str]) -> dict[str, str]:
    seen = {folded(whole).strip(), ""}
    kept: dict[str, str] = {}
    for name, text in named.items():
        if (key := folded(text).strip()) not in seen:
            seen.add(key)
            kept[name] = text
    return kept
