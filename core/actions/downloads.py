"""An export through the browser: a link that works once, for whoever made the export."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model.jobs import JobKind, JobState
from .answers import Refusal, Refused
from .context import Context, for_admins
from .files import opened_folder
from .web_requests import KEY, note_request


@dataclass(frozen=True, slots=True)
class Download:
    """A file that is sent."""

    file: Path


type Sendable = dict[str, Any] | Download
"""The host's envelope, or a file."""


@dataclass(frozen=True, slots=True)
class DownloadLink:
    """The code by which the file can be fetched, once and soon."""

    name: str
    code: str


@for_admins
async def offer_download(context: Context, name: str) -> DownloadLink | Refused:
    """A link to an export of the caller's own making since the start.

    Whatever is private in it, they have given the reason for, and it is on record.
    """
    refused = await _refusal(context, name)
    if refused is not None:
        return refused
    code = context.services.confirmations.ask(context.caller, f"download {name}", now=context.now)
    return DownloadLink(name, code)


@for_admins
async def fetch(context: Context, name: str, code: str) -> Download | Refused:
    """The file of a link, which ends with this. Each is noted in the audit log."""
    refused, data_folder = await _refusal(context, name), opened_folder(context)
    if refused is not None or isinstance(data_folder, Refused):
        return refused or Refused(Refusal.NO_FILES)
    what = f"download {name}"
    if not context.services.confirmations.redeem(context.caller, what, code, now=context.now):
        return Refused(Refusal.WRONG_CODE)
    await note_request(context, what, changes=True)
    return Download(data_folder.places.exports / name)


async def _refusal(context: Context, name: str) -> Refused | None:
    data_folder, caller = opened_folder(context), context.caller
    if isinstance(data_folder, Refused):
        return data_folder
    if caller.person.startswith(KEY):
        return Refused(Refusal.NOT_BY_KEY)
    file = data_folder.places.exports / name
    if not _own_export(context, name) or not await asyncio.to_thread(file.is_file):
        return Refused(Refusal.UNKNOWN_FILE)
    return None


def _own_export(context: Context, name: str) -> bool:
    """Whether the caller has had this file written since the start."""
    return any(
        job.kind is JobKind.EXPORT
        and job.state is JobState.DONE
        and job.by == context.caller.signature
        and job.outcome.get("file") == name
        for job in context.services.jobs.every()
    )
