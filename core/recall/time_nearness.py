"""How near a memory is to the time a question asks about. Pure. Algorithms, section 7.3."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from ..languages.terms import content_terms
from ..languages.times import Interval, times_in, without_times
from ..model.derived import once
from ..model.memory import Kind, Memory
from ..text.time.calendar import Leaning
from .question import Understood
from .trace import Drop, Fused

TOUCHING = 0.5
"""Nearness of what ends where the time asked about begins."""

_DAY = 86_400.0


def asked_about(text: str, now: float, where: tzinfo | None) -> tuple[Interval, ...]:
    """The times that a question asks about: "Friday" may be the last or the next one."""
    both = [
        told.interval for leaning in Leaning for told in times_in(text, now, where, leaning=leaning)
    ]
    return tuple(dict.fromkeys(both))


def nearness(asked: Sequence[Interval], memory: Memory, where: tzinfo | None) -> float:
    """0..1: 1 for what lies wholly within one of the times asked about, 0 where none is.

    The times that a memory tells of count, relative to when it was said, and so do `happened_at`
    and when a raw turn was said. A time that is only in part within counts by that share, from
    `TOUCHING` on; one outside falls by half with each length of the time asked about, at least a
    day, that it is away.
    """
    if not asked:
        return 0.0
    moments = {memory.happened_at}
    if memory.kind is Kind.EVIDENCE:
        moments.add(memory.created_at)
    told = [Interval(moment, moment) for moment in moments]
    told += _told(memory, where)
    return max(closeness(one, each) for one in asked for each in told)


def without_other_days(
    candidates: Sequence[Fused], records: Mapping[str, Memory], understood: Understood
) -> list[Fused]:
    """The candidates, those dropped that share with the question a time that was another then.

    "Tonight" of three weeks ago is no answer about tonight. What shares a word besides is kept:
    its line tells its day.
    """
    asked, where = understood.times, understood.question.where
    if not asked:
        return list(candidates)
    wanted = content_terms(understood.words)

    def elsewhen(memory: Memory) -> bool:
        if not _told(memory, where) or nearness(asked, memory, where) >= TOUCHING:
            return False
        return wanted.isdisjoint(matter(memory, where))

    return [
        each.dropped(Drop.IRRELEVANT)
        if each.drop is None and (memory := records.get(each.memory)) and elsewhen(memory)
        else each
        for each in candidates
    ]


@once
def matter(memory: Memory, where: tzinfo | None) -> frozenset[str]:
    """The content terms of what was said, but for its times."""
    return content_terms(without_times(memory.said, memory.created_at, where))


@once
def _told(memory: Memory, where: tzinfo | None) -> Sequence[Interval]:
    """The times that its text tells of."""
    return tuple(each.interval for each in times_in(memory.text, memory.created_at, where))


def closeness(asked: Interval, told: Interval) -> float:
    """0..1, see `nearness`. Never rises with distance."""
    gap = max(told.start - asked.end, asked.start - told.end)
    if gap > 0:
        return TOUCHING * 0.5 ** min(gap / max(asked.end - asked.start, _DAY), 1_000.0)
    length = told.end - told.start
    if length <= 0:
        return 1.0
    within = min(told.end, asked.end) - max(told.start, asked.start)
    # The share first: half of the smallest float is nothing.
    return TOUCHING + (1 - TOUCHING) * (within / length)
