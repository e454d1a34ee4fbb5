"""Requests from the page, their notes in the audit log, and files fetched through the browser."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from io import RawIOBase
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile

from ..model.sleeping import JobKind, JobState
from ..model.times import local_date, zone
from ..ports import AuditEntry
from ..transfer.export_file import header_of
from .answers import Refusal, Refused
from .context import Context, for_admins
from .views import note_exported

REQUESTED = "requested"
BLOCK = 1 << 20
"""Bytes of a file that are packed at once."""

KEY = "api_key:"
"""Begins the name by which the host calls an API key."""

type Sendable = dict[str, Any] | Path
"""The host's envelope, a file, or a folder that goes out as a zip."""


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


@dataclass(frozen=True, slots=True)
class Route:
    """A resource. Segments like `<id>` of the path are parameters."""

    method: str
    path: str
    run: Callable[..., Awaitable[Any]]
    sent: Sent = Sent.JSON

    @property
    def name(self) -> str:
        """By which it is noted in the audit log."""
        return f"{self.method} {self.path}"


async def note_request(context: Context, name: str, *, changes: bool) -> None:
    """That the caller made this request: each that changes something, others once a day."""
    day = local_date(context.now, zone(context.timezone))
    by = context.by
    key = f"web:{uuid4()}" if changes else f"web:{day}:{by}:{name}"
    entry = AuditEntry(key, f"web:{name}", "", REQUESTED, by, context.now)
    await context.journal.audit([entry])


@for_admins
async def offer_download(context: Context, name: str) -> str:
    """The code by which a backup, or an export of the caller's own making since the start, can be
    fetched once and soon.

    Whatever is private in it, they have given the reason for, and it is on record.
    """
    file, data_folder = await _permitted(context, name), context.data_folder
    if file.is_dir():
        await note_exported(context, await data_folder.counts(None), f"download {name}")
    return context.code_for(f"download {name}")


@for_admins
async def fetch(context: Context, name: str, code: str) -> Path:
    """The file by its code, or a backup's folder; the code ends. Each is in the audit log."""
    file, what = await _permitted(context, name), f"download {name}"
    context.redeem(what, code)
    await note_request(context, what, changes=True)
    return file


async def _permitted(context: Context, name: str) -> Path:
    if context.caller.person.startswith(KEY):
        raise Refused(Refusal.NOT_BY_KEY)
    data_folder = context.data_folder
    for backup in await data_folder.backups.every():
        if backup.name == name:
            return _without_forgotten(backup.forgotten, data_folder.backups.place(name))
    file = data_folder.places.exports / name
    own = (
        (job.kind, job.state, job.by) == (JobKind.EXPORT, JobState.DONE, context.by)
        and job.outcome.get("file") == name
        for job in context.services.jobs.every()
    )
    if not any(own) or not await asyncio.to_thread(file.is_file):
        raise Refused(Refusal.UNKNOWN_FILE)
    ledger, header = await data_folder.journal.ledger(), await asyncio.to_thread(header_of, file)
    return _without_forgotten(ledger.later(0 if header is None else header.erasures), file)


def _without_forgotten(accounts: int, file: Path) -> Path:
    """The file, of which so many accounts were erased since that may be in it. Raises Refused."""
    if accounts:
        raise Refused(Refusal.HOLDS_FORGOTTEN, n=accounts)
    return file


class _Written(RawIOBase):
    """Holds what is written until it is `taken`; a zip that cannot go back in it needs no disk."""

    def __init__(self) -> None:
        self._held = bytearray()

    def write(self, data: Any, /) -> int:
        self._held += data
        return len(data)

    def taken(self) -> bytes:
        data = bytes(self._held)
        self._held.clear()
        return data


def zipped(folder: Path) -> Iterator[bytes]:
    """The files of a folder as a zip of the folder, block by block."""
    written = _Written()
    with ZipFile(written, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.iterdir()):
            name = f"{folder.name}/{path.name}"
            with path.open("rb") as file, archive.open(name, "w", force_zip64=True) as packed:
                while block := file.read(BLOCK):
                    packed.write(block)
                    yield written.taken()
    yield written.taken()
