"""The memories nearest to a question's vector, each read in the frame of its kind."""

import asyncio
from collections.abc import Sequence

import numpy as np

from ...model.memory import LEARNT, RAW, Kind
from ...ports import Embedded, Scored
from ..question import Meaning
from ..trace import Hit, Leg
from .leg import Found, Ground


async def nearest(
    ground: Ground, leg: Leg, *, limit: int, kinds: frozenset[Kind] | None = None
) -> Found:
    """At most `limit` memories of these kinds by relevance, ties by id.

    Raw turns and what was learnt are searched for apart, each without the mean
    of its own.
    """
    meaning = await ground.meaning()
    wanted = frozenset(Kind) if kinds is None else kinds
    if not meaning.frame.centred:
        scored = await _search(ground, meaning, kinds, limit, raw=False)
        found = [(each, meaning.frame.relevance(each.score)) for each in scored]
    else:
        parts = [(part, raw) for part, raw in ((wanted & RAW, True), (wanted & LEARNT, False))]
        both = await asyncio.gather(
            *(_read(ground, meaning, part, limit, raw=raw) for part, raw in parts if part)
        )
        found = [each for part in both for each in part]
    best = sorted(found, key=lambda each: (-each[1], each[0].id))[:limit]
    return [
        (each.id, Hit(leg, rank, each.score, max(0.0, relevance)))
        for rank, (each, relevance) in enumerate(best, start=1)
    ]


async def _read(
    ground: Ground, meaning: Meaning, kinds: frozenset[Kind], limit: int, *, raw: bool
) -> list[tuple[Scored, float]]:
    """What a search finds, with the relevance that its own vector has."""
    scored = await _search(ground, meaning, kinds, limit, raw=raw)
    known = await ground.sources.store.vectors([each.id for each in scored])
    own = [each for each in scored if _is_of(known.get(each.id), meaning)]
    if not own:
        return []
    documents = np.stack([known[each.id].vector for each in own])
    relevances = meaning.frame.relevances(meaning.vector, documents, raw=raw)
    return list(zip(own, relevances.tolist(), strict=True))


async def _search(
    ground: Ground, meaning: Meaning, kinds: frozenset[Kind] | None, limit: int, *, raw: bool
) -> Sequence[Scored]:
    return await ground.sources.store.search_vector(
        meaning.frame.directed(meaning.vector, raw=raw),
        meaning.fingerprint,
        ground.understood.question.scopes,
        limit=limit,
        kinds=kinds,
    )


def _is_of(known: Embedded | None, meaning: Meaning) -> bool:
    # Embedded anew meanwhile, by another embedder: its cosines are of another space.
    return known is not None and known.fingerprint == meaning.fingerprint
