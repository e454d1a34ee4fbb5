"""The text leg: BM25 over the question's words, and over those of the turns before it."""

import asyncio
from collections.abc import Sequence

from ...model.memory import Kind
from ...ports import Scored
from ..trace import Hit, Leg
from .leg import POOL, Found, LegInputs, planned
from .semantic import FADING

PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""


async def text_leg(inputs: LegInputs) -> Found:
    """By the words that are no times; those of each earlier turn count less."""
    question = inputs.understood.question
    said = [inputs.understood.words, *reversed(question.earlier)]

    async def search(kinds: frozenset[Kind] | None) -> Found:
        return best_of(await asyncio.gather(*(_matching(inputs, words, kinds) for words in said)))

    return await planned(inputs, search)


async def _matching(
    inputs: LegInputs, words: str, kinds: frozenset[Kind] | None
) -> Sequence[Scored]:
    store, question = inputs.sources.store, inputs.understood.question
    scopes, own = question.scopes, question.own
    return await store.search_text(words, scopes, limit=POOL, kinds=kinds, own=own)


def best_of(searches: Sequence[Sequence[Scored]]) -> Found:
    """At most `POOL` of all searches, each memory by its best hit, ties by rank and id.

    The first search is by the question, each further one by the turn before.
    """
    best: dict[str, tuple[float, int, Scored, float]] = {}
    for age, found in enumerate(searches):
        for rank, each in enumerate(found, start=1):
            relevance = FADING**age * min(1.0, each.score / PLAIN_MATCH)
            if each.id not in best or relevance > best[each.id][0]:
                best[each.id] = relevance, rank, each, FADING**age * each.nats
    order = sorted(best.values(), key=lambda one: (-one[0], one[1], one[2].id))[:POOL]
    return [
        (each.id, Hit(Leg.TEXT, rank, each.score, relevance, rarest=each.rarest, nats=nats))
        for rank, (relevance, _, each, nats) in enumerate(order, start=1)
    ]
