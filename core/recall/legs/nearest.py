"""The memories nearest to a question's vector, each read in the frame of its kind."""

import asyncio
from collections.abc import Sequence

from ...model.memory import LEARNT, RAW, Kind
from ...ports import Scored
from ..question import Meaning
from ..trace import Hit, Leg
from .leg import Found, LegInputs


async def nearest(
    inputs: LegInputs, leg: Leg, *, limit: int, kinds: frozenset[Kind] | None = None
) -> Found:
    """At most `limit` raw turns, and as many learnt memories, of these kinds, by relevance.

    Each sort is searched for in its own frame; where nothing is known of these, both at once.
    """
    meaning = await inputs.meaning()
    wanted = frozenset(Kind) if kinds is None else kinds
    parts = [(wanted & RAW, True), (wanted & LEARNT, False)]
    if not meaning.frame.centred:
        parts = [(wanted, False)]
    parts = [(part, raw) for part, raw in parts if part]
    searched = await asyncio.gather(
        *(_search(inputs, meaning, part, limit, raw=raw) for part, raw in parts)
    )
    scores = {each.id: each.score for part in searched for each in part}
    await meaning.read(inputs.sources.store, scores)
    told: dict[str, tuple[float, str]] = {}
    for (_, raw), part in zip(parts, searched, strict=True):
        told |= meaning.best_views([each.id for each in part], raw=raw)
    best = sorted(told, key=lambda id: (-told[id][0], id))
    return [
        (id, Hit(leg, rank, scores[id], max(0.0, told[id][0]), view=told[id][1]))
        for rank, id in enumerate(best, start=1)
    ]


async def _search(
    inputs: LegInputs, meaning: Meaning, kinds: frozenset[Kind], limit: int, *, raw: bool
) -> Sequence[Scored]:
    return await inputs.sources.store.search_vector(
        meaning.frame.directed(meaning.vector, raw=raw),
        meaning.fingerprint,
        inputs.understood.question.scopes,
        limit=limit,
        kinds=None if kinds == frozenset(Kind) else kinds,
    )
