"""How long a server asks to be left alone: the header `Retry-After` (RFC 9110, 10.2.3). Pure."""

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

ASKS_FOR_REST = frozenset({429, 503})
"""Answers of a server that has not carried out the request, and may say when to ask again."""


def retry_after(status: int, headers: Mapping[str, str], *, now: float, most: float) -> float:
    """Seconds 0..`most`; 0 if it asks for nothing, or for nothing that can be read.

    A moment is compared with the server's own `Date`, where there is one, else with `now`.
    """
    told = headers.get("Retry-After", "").strip() if status in ASKS_FOR_REST else ""
    if told.isdecimal() and told.isascii():
        # Longer numbers than this are not worth reading.
        return min(most, float(told[:9]))
    until = _moment(told)
    if until is None:
        return 0.0
    since = _moment(headers.get("Date", ""))
    return min(most, max(0.0, until - (now if since is None else since)))


def _moment(text: str) -> float | None:
    try:
        found: datetime | None = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return found.timestamp()
