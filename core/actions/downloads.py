"""An export through the browser: a link that works once, for whoever made the export."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model.jobs import JobKind, JobState
from .answers import Refusal, Refused
from .context import Context, for_admins
from .web_requests import KEY, note_request

type Sendable = dict[str, Any] | Path
"""The host's envelope, or a file."""


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
        and job.by == context.caller.signature
        and job.outcome.get("file") == name
        for job in context.services.jobs.every()
    )
