"""The text leg: BM25 over the question's words, and over those of the turns before it."""

import asyncio
from dataclasses import replace

from ...model.memory import Kind
from ..trace import Hit, Leg
from .leg import POOL, Found, LegInputs, Search, planned, ranked
from .semantic import FADING

PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""


async def text_leg(inputs: LegInputs) -> Search:
    """By the words that are neither markers nor times; those of each earlier turn count less."""
    question = inputs.understood.question
    said = [inputs.understood.words, *reversed(question.earlier)]

    async def search(kinds: frozenset[Kind] | None) -> Found:
        found = await asyncio.gather(*(_matching(inputs, words, kinds) for words in said))
        return best_of([_faded(one, FADING**age) for age, one in enumerate(found)])

    return Search(await planned(inputs, search))


async def _matching(inputs: LegInputs, words: str, kinds: frozenset[Kind] | None) -> Found:
    store, scopes = inputs.sources.store, inputs.understood.question.scopes
    scored = await store.search_text(words, scopes, limit=POOL, kinds=kinds)
    return ranked(Leg.TEXT, scored, lambda score: min(1.0, score / PLAIN_MATCH))


def _faded(found: Found, share: float) -> Found:
    if share == 1.0:
        return found
    return [(id, replace(hit, relevance=share * hit.relevance)) for id, hit in found]


def best_of(searches: list[Found]) -> Found:
    """At most `POOL` of all searches, each memory by its best hit, ties by rank and id."""
    best: dict[str, Hit] = {}
    for id, hit in (one for found in searches for one in found):
        if id not in best or hit.relevance > best[id].relevance:
            best[id] = hit
    order = sorted(best, key=lambda id: (-best[id].relevance, best[id].rank, id))[:POOL]
    return [(id, _at(rank, best[id])) for rank, id in enumerate(order, start=1)]


def _at(rank: int, hit: Hit) -> Hit:
    return hit if hit.rank == rank else replace(hit, rank=rank)
