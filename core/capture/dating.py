"""When the things that were learnt happened, or will, by what the speakers said. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from ..languages.times import times_in
from ..model.conversation import Turn
from ..model.lesson import Candidate, Lesson, Stated
from ..model.memory import Kind
from ..text.time.calendar import Leaning

_LEANING = {Kind.EPISODIC: Leaning.PAST, Kind.PROSPECTIVE: Leaning.FUTURE}
"""Facts, habits and ways of doing things have no time, though they may name one."""


def dated(lesson: Lesson, turns: Sequence[Turn], where: tzinfo | None) -> Lesson:
    """The lesson, with the times of events and plans that have none yet.

    Each is read relative to the last turn it comes from, in the zone `where`.
    """
    return replace(
        lesson,
        candidates=tuple(_dated(candidate, turns, where) for candidate in lesson.candidates),
    )


def _dated(candidate: Candidate, turns: Sequence[Turn], where: tzinfo | None) -> Candidate:
    if candidate.claim is not None:
        candidate = _since(candidate, candidate.claim, turns, where)
    leaning = _LEANING.get(candidate.kind)
    if leaning is None or candidate.happened_at is not None:
        return candidate
    said_at = max(turns[number - 1].at for number in candidate.turns)
    for told in times_in(candidate.text, said_at, where, leaning=leaning):
        # "This week" is no better known than the moment of saying it.
        if not told.interval.start <= said_at <= told.interval.end:
            return replace(candidate, happened_at=told.interval.start)
    return candidate


def _since(
    candidate: Candidate, claim: Stated, turns: Sequence[Turn], where: tzinfo | None
) -> Candidate:
    """With the time since when it is so: the end of the past one that is told with it.

    A time in the value is none of it, and "this year" is no better known than now.
    """
    if claim.since is not None:
        return candidate
    said_at = max(turns[number - 1].at for number in candidate.turns)
    value = candidate.text.find(claim.value) if claim.value else -1
    for told in times_in(candidate.text, said_at, where, leaning=Leaning.PAST):
        inside = value <= told.start and told.end <= value + len(claim.value)
        if told.interval.end < said_at and not (value >= 0 and inside):
            return replace(candidate, claim=replace(claim, since=told.interval.end))
    return candidate
