"""Adds the date behind "tomorrow" and "next week" in a text that is read on a later day. Pure."""

from collections.abc import Callable
from datetime import tzinfo

from ..languages.times import Interval, times_in
from ..text.time.calendar import Leaning

LONGEST = 32 * 86_400.0
"""Seconds of a time whose first and last day are worth telling: "last year" is told by its date."""

WHOLE_DAY = 86_400.0 - 1
"""Seconds of a day that is told by itself, and not by an hour of it."""

MUCH_LATER = 400 * 86_400.0
"""Seconds after which every expression that counts from the day it is said means another day."""

type ShowDay = Callable[[float], str]


def with_days(
    text: str, said_at: float, where: tzinfo | None, show: ShowDay, written: str, known: str = ""
) -> str:
    """The text with the day behind each expression that counts from the day when it was said.

    Only where it means the same whether it is past or to come: "on Friday" may be either. What
    begins on a day that is in `known`, what stands before the text say, or that the text tells by
    its number, is not told again, and no day twice. `written` is how an expression, `told`, stands
    with its `date`.
    """
    told = times_in(text, said_at, where)
    if not told:
        return text
    coming, later = (
        {(each.start, each.end): each.interval for each in times_in(text, at, where, leaning=way)}
        for at, way in ((said_at, Leaning.FUTURE), (said_at + MUCH_LATER, Leaning.PAST))
    )
    counted = [
        each
        for each in told
        if coming.get((each.start, each.end)) == each.interval != later.get((each.start, each.end))
    ]
    days = {
        show(time.start)
        for (start, end), time in coming.items()
        if all(each.start != start for each in counted)
        and time.end - time.start >= WHOLE_DAY
        and any(map(str.isdigit, text[start:end]))
    }
    shown, rest = "", 0
    for each in counted:
        time = each.interval
        date = _date(time, show)
        if time.end - time.start > LONGEST or show(time.start) in known or date in days:
            continue
        days.add(date)
        marked = written.format(told=text[each.start : each.end], date=date)
        shown, rest = shown + text[rest : each.start] + marked, each.end
    return shown + text[rest:]


def _date(time: Interval, show: ShowDay) -> str:
    first, last = show(time.start), show(time.end)
    return first if first == last else f"{first} – {last}"
