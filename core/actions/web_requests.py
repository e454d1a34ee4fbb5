"""Requests from the page, their notes in the audit log, and exports fetched through the browser."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from ..model.jobs import JobKind, JobState
from ..model.times import local_date, zone
from ..ports import AuditEntry
from .answers import Refusal, Refused
from .context import Context, for_admins

REQUESTED = "requested"
KEY = "api_key:"
"""Begins the name by which the host calls an API key."""

type Sendable = dict[str, Any] | Path
"""The host's envelope, or a file."""


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
    by = context.by
    key = f"web:{uuid4()}" if changes else f"web:{day}:{by}:{name}"
    entry = AuditEntry(key, f"web:{name}", "", REQUESTED, by, context.now)
    await context.journal.audit([entry])


@dataclass(frozen=True, slots=True)
class DownloadLink:
    """The code by which the file can be fetched, once and soon."""

    name: str
    code: str


@for_admins
async def offer_download(context: Context, name: str) -> DownloadLink:
    """A link to an export of the caller's own making since the start.

    Whatever is private in it, they have given the reason for, and it is on record.
    """
    await _permitted(context, name)
    return DownloadLink(name, context.code_for(f"download {name}"))


@for_admins
async def fetch(context: Context, name: str, code: str) -> Path:
    """The file of a link, which ends with this. Each is noted in the audit log."""
    file, what = await _permitted(context, name), f"download {name}"
    context.redeem(what, code)
    await note_request(context, what, changes=True)
    return file


async def _permitted(context: Context, name: str) -> Path:
    if context.caller.person.startswith(KEY):
        raise Refused(Refusal.NOT_BY_KEY)
    file = context.data_folder.places.exports / name
    if not _own_export(context, name) or not await asyncio.to_thread(file.is_file):
        raise Refused(Refusal.UNKNOWN_FILE)
    return file


def _own_export(context: Context, name: str) -> bool:
    """Whether the caller has had this file written since the start."""
    return any(
        job.kind is JobKind.EXPORT
        and job.state is JobState.DONE
        and job.by == context.by
        and job.outcome.get("file") == name
        for job in context.services.jobs.every()
    )
