"""Times as they read: a text said on Wednesday, 12 August 2026, at 14:30."""

from datetime import UTC, datetime
from pathlib import Path

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


def told(file: str) -> list[tuple[str, str, list[str]]]:
    """Each text of the file under its topic, with the time that it means, if any."""
    topic, found = "", list[tuple[str, str, list[str]]]()
    for line in Path(__file__).with_name(file).read_text("utf-8").splitlines():
        if line.startswith("# "):
            topic = line[2:]
        else:
            text, _, meant = line.partition(" => ")
            found.append((topic, text, [meant] if meant else []))
    return found
