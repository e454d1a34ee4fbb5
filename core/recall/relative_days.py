"""Adds the date behind "tomorrow" and "next week" in a text that is read on a later day. Pure."""

from collections.abc import Callable
from datetime import tzinfo

from ..languages.times import Interval, times_in
from ..text.time.calendar import Leaning

LONGEST = 32 * 86_400.0
"""Seconds of a time whose first and last day are worth telling: "last year" is told by its date."""

MUCH_LATER = 400 * 86_400.0
"""Seconds after which every expression that counts from the day it is said means another day."""

type ShowDay = Callable[[float], str]


def with_days(
    text: str, said_at: float, where: tzinfo | None, show: ShowDay, written: str, known: str = ""
) -> str:
    """The text with the day behind each expression that counts from the day when it was said.

    Only where it means the same whether it is past or to come: "on Friday" may be either. What
    begins on a day that is in `known`, what stands before the text say, is not told again.
    `written` is how an expression, `told`, stands with its `date`.
    """
    told = times_in(text, said_at, where)
    if not told:
        return text
    coming, later = (
        {(each.start, each.end): each.interval for each in times_in(text, at, where, leaning=way)}
        for at, way in ((said_at, Leaning.FUTURE), (said_at + MUCH_LATER, Leaning.PAST))
    )
    for each in reversed(told):
        place, time = (each.start, each.end), each.interval
        if coming.get(place) != time or later.get(place) == time:
            continue
        if time.end - time.start <= LONGEST and show(time.start) not in known:
            marked = written.format(told=text[each.start : each.end], date=_date(time, show))
            text = text[: each.start] + marked + text[each.end :]
    return text


def _date(time: Interval, show: ShowDay) -> str:
    first, last = show(time.start), show(time.end)
    return first if first == last else f"{first} – {last}"
