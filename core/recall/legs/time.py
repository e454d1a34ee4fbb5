"""The time leg: what happened, or will, in the times that a question asks about."""

from collections.abc import Sequence
from math import inf, nextafter

from ...languages.times import Interval
from ...model.memory import Kind
from ...ports import Filter, MemoryReader, Order
from ..trace import Hit, Leg
from .leg import Found, LegInputs

MOST = 40
"""Memories of all the times together."""

MOST_TIMES = 4
"""Times that are looked up; a question with more of them is a list."""

FIRST = 1.0
"""Relevance of the first hit; the last has half of it."""


async def time_leg(inputs: LegInputs) -> Found:
    """By when it happened, newest first; a raw turn also by when it was said.

    Where "Friday" may be either, the one before now comes first.
    """
    understood = inputs.understood
    question = understood.question
    ids: dict[str, None] = {}
    for time in past_first(understood.times, question.now)[:MOST_TIMES]:
        ids.update(dict.fromkeys(await _within(time, question.scopes, inputs.sources.store)))
    return _hits(list(ids)[:MOST])


async def _within(time: Interval, scopes: frozenset[str], store: MemoryReader) -> list[str]:
    """What happened or was said then, newest first."""
    happened = Filter(scopes, recallable=True, happened=(time.start, time.end))
    moments = {
        memory.id: memory.happened_at
        for memory in await store.page(happened, order=Order.LATEST, limit=MOST)
    }
    until = Filter(
        scopes,
        kinds=frozenset({Kind.EVIDENCE}),
        recallable=True,
        created_before=nextafter(time.end, inf),
    )
    for memory in await store.page(until, order=Order.NEWEST, limit=MOST):
        if memory.created_at >= time.start:
            moments.setdefault(memory.id, memory.created_at)
    return sorted(moments, key=lambda id: (-moments[id], id))


def past_first(times: Sequence[Interval], now: float) -> list[Interval]:
    """Times that are over before the others; else in their order."""
    return sorted(times, key=lambda time: time.end >= now)


def _hits(ids: Sequence[str]) -> Found:
    relevances = [FIRST * (1.0 - place / (2 * MOST)) for place in range(len(ids))]
    return [
        (id, Hit(Leg.TIME, rank, relevance, relevance))
        for rank, (id, relevance) in enumerate(zip(ids, relevances, strict=True), start=1)
    ]
