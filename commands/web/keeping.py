"""What is kept: backups, exports, imports, the backend, and the long work at them.

Where a code is answered nothing is done before the request comes again with it.
"""

from dataclasses import dataclass
from pathlib import Path

from ...core.actions import backends, backups, imports
from ...core.actions import jobs as jobs_
from ...core.actions.answers import Refusal, Refused
from ...core.actions.backends import TARGETS, MoveAsked
from ...core.actions.backups import Backup
from ...core.actions.imports import (
    Batch,
    Exported,
    ExportRequest,
    Importable,
    Imported,
    ImportPreview,
    ImportRequest,
    MovedIn,
)
from ...core.actions.jobs import Job
from .request import BadRequest, LongWork, WebRequest, code, long_work

MOST_BATCHES = 50
MOST_RULES = 500


@dataclass(frozen=True, slots=True)
class KeptBackups:
    """Every backup, the newest first."""

    backups: list[Backup]


@dataclass(frozen=True, slots=True)
class ListedJobs:
    """Long work under way, then what is over."""

    jobs: list[Job]


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The name under which a file lies in `imports`."""

    name: str


@dataclass(frozen=True, slots=True)
class Imports:
    """What can be imported, and what has been."""

    there: Importable
    batches: list[Batch]


async def jobs(request: WebRequest) -> ListedJobs:
    """What is under way and what was."""
    return ListedJobs(list(await jobs_.list_jobs(request.context)))


async def list_backups(request: WebRequest) -> KeptBackups:
    """Every backup."""
    return KeptBackups(list(await backups.list_backups(request.context)))


async def make_backup(request: WebRequest) -> LongWork[Backup]:
    """A backup of what is now."""
    return long_work(await backups.make_backup(request.context))


async def export(request: WebRequest) -> LongWork[Exported]:
    """Everybody's memories, or one owner's, into a file."""
    wanted = ExportRequest(None, owner=request.text("owner"), vectors=request.flag("vectors"))
    return long_work(await imports.export(request.context, wanted))


async def move(request: WebRequest) -> MoveAsked:
    """Move to another backend."""
    target = request.needed("target")
    if target not in TARGETS:
        raise BadRequest("target")
    return await backends.move_memories(request.context, target, code(request))


async def list_imports(request: WebRequest) -> Imports:
    """What lies there, and what has been imported."""
    there = await imports.list_importable(request.context)
    done = await imports.list_imports(request.context, 1, MOST_BATCHES)
    return Imports(there, list(done.entries))


async def upload(request: WebRequest) -> Uploaded:
    """A file from the browser, to be looked at."""
    path = request.params.get("path")
    if not isinstance(path, Path):
        raise BadRequest("path")
    return Uploaded(await imports.receive(request.context, request.needed("name"), path))


async def look(request: WebRequest) -> ImportPreview:
    """What a file would bring; nothing is changed."""
    try:
        return await imports.preview(request.context, _wanted(request))
    except Refused as refused:
        raise _bad_rule(refused) from None


async def take_in(request: WebRequest) -> LongWork[Imported | MovedIn]:
    """Take a file in."""
    try:
        return long_work(await imports.start(request.context, _wanted(request)))
    except Refused as refused:
        raise _bad_rule(refused) from None


def _bad_rule(refused: Refused) -> Exception:
    return BadRequest("chats") if refused.reason is Refusal.BAD_RULE else refused


def _wanted(request: WebRequest) -> ImportRequest:
    chats = request.params.get("chats", {})
    if not isinstance(chats, dict) or len(chats) > MOST_RULES:
        raise BadRequest("chats")
    if not all(isinstance(each, str) for pair in chats.items() for each in pair):
        raise BadRequest("chats")
    return ImportRequest(request.needed("name"), chats=dict(chats))
