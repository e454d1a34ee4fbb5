"""When something that was said or learnt happened, or will, by the speakers' own words. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from ..languages.language import Marker
from ..languages.markers import marked
from ..languages.times import times_in
from ..model.conversation import Turn
from ..model.knowledge import IntentionType
from ..model.lesson import Candidate, Lesson, Stated
from ..model.memory import Kind
from ..text.time.calendar import Leaning

_LEANING = {Kind.EPISODIC: Leaning.PAST, Kind.PROSPECTIVE: Leaning.FUTURE}
"""Facts, habits and ways of doing things have no time, though they may name one."""


LONGEST_EVENT = 3 * 86_400.0
"""Seconds of a time that tells on which day something was; "last year" does not."""

LONGEST_DUE = 7 * 86_400.0
"""Seconds of a time that has a day to be reminded on: its first; "next year" has none."""

_SENTENCE = re.compile(r"[^。！？!?；;\n]+[。！？!?；;\n]*")


def happened_at(text: str, said_at: float, where: tzinfo | None) -> float | None:
    """When what a message tells of happened, if it names a day that is over: "last night".

    Of a question nothing happened. A weekday may be the next one, and is none of these.
    """
    for sentence in _SENTENCE.findall(text):
        if marked(Marker.ASKING, sentence):
            continue
        coming = times_in(sentence, said_at, where, leaning=Leaning.FUTURE)
        for told in times_in(sentence, said_at, where):
            time = told.interval
            if told in coming and time.end < said_at and time.end - time.start <= LONGEST_EVENT:
                return time.start
    return None


def dated(lesson: Lesson, turns: Sequence[Turn], where: tzinfo | None) -> Lesson:
    """The lesson, with the times of events and plans that have none yet.

    Each is read relative to the last turn it comes from, in the zone `where`.
    """
    return replace(
        lesson, candidates=tuple(_dated(candidate, turns, where) for candidate in lesson.candidates)
    )


def _dated(candidate: Candidate, turns: Sequence[Turn], where: tzinfo | None) -> Candidate:
    if candidate.claim is not None:
        candidate = _since(candidate, candidate.claim, turns, where)
    leaning = _LEANING.get(candidate.kind)
    if leaning is None:
        return candidate
    said_at = max(turns[number - 1].at for number in candidate.turns)
    if candidate.happened_at is not None:
        return _due(candidate, candidate.happened_at, said_at)
    for told in times_in(candidate.text, said_at, where, leaning=leaning):
        # "This week" is no better known than the moment of saying it.
        time = told.interval
        if not time.start <= said_at <= time.end:
            dated = replace(candidate, happened_at=time.start)
            near = time.end - time.start <= LONGEST_DUE
            return _due(dated, time.start, said_at) if near else dated
    return candidate


def _due(candidate: Candidate, at: float, said_at: float) -> Candidate:
    """A plan with the day that it is for; one that was over when it was said is none.

    What somebody wonders, has found out or holds to from then on is for no day.
    """
    plan = candidate.intention in (None, IntentionType.PLAN)
    if candidate.kind is not Kind.PROSPECTIVE or not plan or at <= said_at:
        return candidate
    return replace(candidate, due_at=at)


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
        # "The 27th" has its article outside of the value.
        inside = value >= 0 and told.start < value + len(claim.value) and value < told.end
        if told.interval.end < said_at and not inside:
            return replace(candidate, claim=replace(claim, since=told.interval.end))
    return candidate
