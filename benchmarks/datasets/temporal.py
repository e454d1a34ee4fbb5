"""Time expressions with the interval they mean, as of a reference time: `expressions.json`."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from .reading import Complaints, NoData, files, json_items

type Range = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Expression:
    """A text, when it is said, and the first and last moment it means; None if it means none.

    All in one and the same zone, left unsaid.
    """

    text: str
    said_at: datetime
    meant: Range | None


def read(folder: Path, complaints: Complaints) -> list[Expression]:
    """Every expression. Raises NoData if there is none."""
    found: list[Expression] = []
    for path in files(folder, "expressions.json"):
        for where, item in json_items(path, complaints):
            try:
                found.append(_expression(item))
            except (KeyError, TypeError, ValueError) as error:
                complaints.add(where, repr(error))
    if not found:
        raise NoData(f"{folder} has no expression: {'; '.join(complaints.found)}")
    return found


def _expression(item: Any) -> Expression:
    said_at = datetime.fromisoformat(item["reference"])
    if item["range"] is None:
        return Expression(str(item["query"]), said_at, None)
    start, end = map(datetime.fromisoformat, item["range"])
    if start > end:
        raise ValueError("ends before it starts")
    return Expression(str(item["query"]), said_at, (start, end))
