"""Requests from the page, and their notes in the audit log."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import uuid4

from ..model.times import local_date, zone
from ..ports import AuditEntry
from .context import Context

REQUESTED = "requested"
KEY = "api_key:"
"""Begins the name by which the host calls an API key."""


class Sent(StrEnum):
    """How an answer goes out: at once, as a file, or anew whenever it has changed.

    UPLOAD: at once, to a file that came in: its `path` for as long as that takes, and its `name`.
    """

    JSON = "json"
    UPLOAD = "upload"
    FILE = "file"
    EVENTS = "events"


class Asked(NamedTuple):
    """A request: by whom, as the dashboard names them; `again` if a stream asks once more."""

    username: str
    params: Mapping[str, Any]
    again: bool = False


async def note_request(context: Context, name: str, *, changes: bool) -> None:
    """That the caller made this request: each that changes something, others once a day."""
    day = local_date(context.now, zone(context.timezone))
    by = context.caller.signature
    key = f"web:{uuid4()}" if changes else f"web:{day}:{by}:{name}"
    entry = AuditEntry(key, f"web:{name}", "", REQUESTED, by, context.now)
    await context.journal.audit([entry])
