"""Time expressions against what they mean."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ..core.languages.times import times_in
from .datasets.temporal import Expression, Range


def judged(expressions: Sequence[Expression]) -> dict[str, Any]:
    """The figures, see `benchmarks.recall_quality`."""
    understood = [(each, understand(each.text, each.said_at)) for each in expressions]
    wrong = [(each, got) for each, got in understood if got != each.meant]
    return {
        "expressions": len(expressions),
        "exact": round(1 - len(wrong) / len(expressions), 4),
        "false_triggers": sum(each.meant is None for each, _ in wrong),
        "missed": sum(got is None for _, got in wrong),
        "wrong": [
            {
                "text": each.text,
                "said_at": each.said_at.isoformat(),
                "meant": _shown(each.meant),
                "understood": _shown(got),
            }
            for each, got in wrong
        ],
    }


def understand(text: str, said_at: datetime) -> Range | None:
    """The first and last moment of the first time that a text tells of.

    In the zone of `said_at`, left unsaid as it is there.
    """
    where = said_at.tzinfo or UTC
    told = times_in(text, said_at.replace(tzinfo=where).timestamp(), where)
    if not told:
        return None
    interval = told[0].interval
    start, end = (datetime.fromtimestamp(at, where) for at in (interval.start, interval.end))
    return start.replace(tzinfo=said_at.tzinfo), end.replace(tzinfo=said_at.tzinfo)


def _shown(meant: Range | None) -> list[str] | None:
    return None if meant is None else [moment.isoformat() for moment in meant]
