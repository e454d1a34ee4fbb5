"""Times as they read: a text said on Wednesday, 12 August 2026, at 14:30."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from astrbot_plugin_tidemark.core.languages.times import Interval, times_in
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)


def shown(interval: Interval) -> str:
    """First and last moment: days where whole days are meant, else minutes."""
    start, end = (datetime.fromtimestamp(at, UTC) for at in (interval.start, interval.end))
    assert end.microsecond == 999_999 or end == NOW
    whole = (start.hour, start.minute) == (0, 0) and (end.hour, end.minute) == (23, 59)
    style = "%Y-%m-%d" if whole else "%Y-%m-%d %H:%M"
    first, last = start.strftime(style), end.strftime(style)
    return first if first == last else f"{first}..{last}"


def read(text: str, *, now: datetime = NOW, leaning: Leaning = Leaning.PAST) -> list[str]:
    return [shown(told.interval) for told in times_in(text, now.timestamp(), UTC, leaning=leaning)]


def topics(table: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    return [(topic, text) for topic, texts in table.items() for text in texts]
