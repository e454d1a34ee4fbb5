"""Searching by words: archived memories, which no recall finds, and those with a tag."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..languages.terms import carries_meaning, terms
from ..model.memory import Memory, Status
from ..ports import Filter
from ..records.searched_text import indexed_text, searched_terms
from ..text import bm25
from .answers import MemoryView
from .context import Context
from .views import PAGE, views

MOST_SEARCHED = 20_000
"""Archived memories that one search reads, the newest; an archive has no index."""

MOST_TAGGED = 2_000
"""Memories with the tag that one search with words reads, the newest."""

BATCH = 200
"""Memories whose words are counted at a time, off the event loop."""

type Row = Counter[str]


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """An archived memory and how well its words fit, 0..1."""

    memory: MemoryView
    score: float


async def search_archive(context: Context, text: str, *, limit: int = PAGE) -> list[ArchivedMemory]:
    """Archived memories of this chat that share words with the text, best first."""
    where = Filter(scopes=await context.readable(), status=Status.ARCHIVED)
    memories = await context.store.page(where, limit=MOST_SEARCHED)
    best = (await _by_words(memories, text))[:limit]
    shown = await views(context, [memory for memory, _ in best])
    scored = {memory.id: score for memory, score in best}
    return [ArchivedMemory(view, scored[view.memory.id]) for view in shown]


async def search_tagged(
    context: Context, tag: str, text: str = "", *, limit: int = PAGE
) -> list[MemoryView]:
    """Memories of this chat with the tag: the newest, or those that fit the text best."""
    where = Filter(scopes=await context.readable(), recallable=True, tag=tag)
    if not text:
        return await views(context, await context.store.page(where, limit=limit))
    best = await _by_words(await context.store.page(where, limit=MOST_TAGGED), text)
    return await views(context, [memory for memory, _ in best[:limit]])


async def _by_words(memories: Sequence[Memory], text: str) -> list[tuple[Memory, float]]:
    """Those that share words with the text and how well they fit, 0..1, best first."""
    every = searched_terms(text)
    # Nearly every text has a function word of the question.
    query = [term for term in every if carries_meaning(term)] or every
    rows: list[Row] = []
    for start in range(0, len(memories), BATCH):
        rows += await asyncio.to_thread(_rows, memories[start : start + BATCH])
    scores = await asyncio.to_thread(_scores, query, rows)
    return sorted(
        (pair for pair in zip(memories, scores, strict=True) if pair[1] > 0),
        key=lambda pair: (-pair[1], pair[0].id),
    )


def _rows(memories: Sequence[Memory]) -> list[Row]:
    return [Counter(terms(indexed_text(memory))) for memory in memories]


def _scores(query: Sequence[str], rows: Sequence[Row]) -> list[float]:
    lengths = [row.total() for row in rows]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    known = {term: sum(term in row for row in rows) for term in query}
    corpus = bm25.Corpus(len(rows), mean, known)
    return [bm25.score(query, row, corpus) for row in rows]
