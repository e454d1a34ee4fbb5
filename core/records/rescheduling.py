"""An intention that is put off gets its new day, in its text, too. Pure."""

from dataclasses import replace
from datetime import datetime, tzinfo

from ..languages.reports import PutOffWords
from ..languages.times import Interval, Told, times_in
from ..model.intentions import Intention
from ..model.memory import Memory
from ..model.times import day_of, local_date, local_time, moment
from ..text.time.calendar import Leaning
from .intention_reports import PutOff

WITHIN_A_DAY = 12 * 3600.0
"""Seconds of a time that has an hour."""

_DAY = 86_400.0


def may_be_put_off(memory: Memory, at: float) -> bool:
    """Whether it is for a day that is not over at the Unix time `at`, and open."""
    intended = memory.intended
    if intended is None or not intended.pending:
        return False
    return intended.due_at is None or intended.due_at > at - _DAY


def new_day(
    put_off: PutOff, due_at: float | None, at: float, where: tzinfo | None
) -> Interval | None:
    """When something for `due_at` is to be now, as is said at the Unix time `at`; None if unknown.

    An hour alone is one of the day it was for. What is put back is so to a later day, and a day of
    the week is never the one on which it is said.
    """
    time = _read(put_off, at, where)
    if time is None:
        return None
    same_day = local_date(time.start, where) == local_date(at, where)
    if same_day and not put_off.words.today.search(put_off.to):
        if due_at is not None and time.end - time.start <= WITHIN_A_DAY:
            return _at_hour_of(time, due_at, where)
        time = _read(put_off, day_of(at, where)[1] + 1.0, where)
    if time is not None and put_off.later and due_at is not None and time.start <= due_at:
        time = _read(put_off, day_of(due_at, where)[1] + 1.0, where)
    return time if time is not None and time.end > at else None


def _read(put_off: PutOff, at: float, where: tzinfo | None) -> Interval | None:
    """What the words of the new day mean when they are said at that time."""
    texts = (each.format(to=put_off.to) for each in put_off.words.readings)
    told = next(filter(None, (_times(text, at, where) for text in texts)), ())
    return told[0].interval if told else None


def _at_hour_of(time: Interval, due_at: float, where: tzinfo | None) -> Interval:
    """The time of day on the day that it was for."""
    hour, day = moment(time.start, where), moment(due_at, where)
    start = datetime.combine(day.date(), hour.timetz()).timestamp()
    return Interval(start, start + time.end - time.start)


def rescheduled(
    memory: Memory, put_off: PutOff, turn: int, at: float, where: tzinfo | None
) -> Memory:
    """The intention on its new day, as the turn of this number says; done again it is the same.

    Where nobody has said the day it is for none, and its text says so; a day that cannot be read
    changes nothing.
    """
    intended = memory.intended
    if intended is None or not intended.pending or turn in memory.origin.turns:
        return memory
    time = new_day(put_off, intended.due_at, at, where)
    if put_off.to and time is None:
        return memory
    hour = _hour_alone(memory, put_off.words, where)
    if time is not None and hour is not None and time.end - time.start > WITHIN_A_DAY:
        time = _at_hour_of(hour.interval, time.start, where)
        text = _with_day(memory.text, hour, put_off.words, time, where)
    else:
        text = _told_anew(memory, intended, put_off.words, time, where)
    fresh = replace(
        intended,
        due_at=None if time is None else time.start,
        referenced_at=max(intended.referenced_at, at),
        surfaced_at=0.0,
        messaged_at=0.0,
    )
    return replace(
        memory,
        text=text,
        summary=text[: len(memory.summary) or None] if memory.summary else "",
        happened_at=memory.created_at if time is None else time.start,
        intention=fresh,
        origin=replace(memory.origin, turns=tuple(sorted({*memory.origin.turns, turn}))),
    )


def _times(text: str, at: float, where: tzinfo | None) -> tuple[Told, ...]:
    return times_in(text, at, where, leaning=Leaning.FUTURE)


def _hour_alone(memory: Memory, words: PutOffWords, where: tzinfo | None) -> Told | None:
    """The one time that its text tells, if that is an hour of whichever day it is."""
    began = day_of(memory.created_at, where)[0]
    told = _times(memory.text, began, where)
    if len(told) != 1 or words.today.search(memory.text[told[0].start : told[0].end]):
        return None
    time = told[0].interval
    short = time.end - time.start <= WITHIN_A_DAY
    same_day = local_date(time.start, where) == local_date(began, where)
    later = _times(memory.text, began + _DAY, where)
    moves = bool(later) and later[0].interval.start != time.start
    return told[0] if short and same_day and moves else None


def _with_day(
    text: str, hour: Told, words: PutOffWords, time: Interval, where: tzinfo | None
) -> str:
    """An hour is that of the new day too: which is written beside it."""
    day = words.at + local_date(time.start, where)
    if words.at:
        return f"{text[: hour.end]} {day}{text[hour.end :]}"
    return f"{text[: hour.start]}{day}{text[hour.start :]}"


def _told_anew(
    memory: Memory,
    intended: Intention,
    words: PutOffWords,
    time: Interval | None,
    where: tzinfo | None,
) -> str:
    """Its text with the new date in the place of the old day, or at its end."""
    text = memory.text
    written = words.unset if time is None else words.at + _written(time, where)
    told = _times(text, memory.created_at, where)
    old = next((each for each in told if each.interval.start == intended.due_at), None)
    if old is None:
        old = next(iter(told), None)
    if old is None:
        return f"{text} ({written.strip('（）')})"
    before, after = text[: old.start], text[old.end :]
    if hour := words.hour.match(after):
        after = after[hour.end() :]
    for preposition in ("on ", "by ", "for "):
        if before.lower().endswith(" " + preposition):
            before = before[: -len(preposition)]
            break
    return f"{before}{written}{after}"


def _written(time: Interval, where: tzinfo | None) -> str:
    if time.end - time.start > WITHIN_A_DAY:
        return local_date(time.start, where)
    return local_time(time.start, where)
