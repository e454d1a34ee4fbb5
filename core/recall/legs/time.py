"""The time leg: what happened, or will, in the times that a question asks about."""

from collections.abc import Sequence
from math import inf, nextafter

from ...languages.times import Interval
from ...model.memory import Kind
from ...ports import Filter, MemoryReader, Order
from ..time_questions import looks_ahead
from ..trace import Hit, Leg
from .leg import Found, LegInputs, Search

MOST = 40
"""Memories of all the times together."""

MOST_TIMES = 4
"""Times that are looked up; a question with more of them is a list."""

FULL = 1.0
FAINT = 0.2
"""Relevance of the first hit where time is all that is asked, and where it is not.

The last has half of it. A faint hit is below what could be brought up for its time alone.
"""


async def time_leg(inputs: LegInputs) -> Search:
    """By when it happened, newest first; a raw turn also by when it was said.

    Where "Friday" may be either, the one before now comes first, or the one after it if the
    question looks ahead.
    """
    understood = inputs.understood
    question = understood.question
    ahead = looks_ahead(question.text)
    ids: dict[str, None] = {}
    for time in nearer_side_first(understood.times, question.now, ahead=ahead)[:MOST_TIMES]:
        ids.update(dict.fromkeys(await _within(time, question.scopes, inputs.sources.store)))
    return Search(_hits(list(ids)[:MOST], FULL if understood.time_alone else FAINT))


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


def nearer_side_first(times: Sequence[Interval], now: float, *, ahead: bool) -> list[Interval]:
    """Times that are over before the others, or with `ahead` after them; else in their order."""
    return sorted(times, key=lambda time: (time.end < now) is ahead)


def _hits(ids: Sequence[str], first: float) -> Found:
    relevances = [first * (1.0 - place / (2 * MOST)) for place in range(len(ids))]
    return [
        (id, Hit(Leg.TIME, rank, relevance, relevance))
        for rank, (id, relevance) in enumerate(zip(ids, relevances, strict=True), start=1)
    ]
