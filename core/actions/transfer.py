"""Memories to a file and from a file."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from ..model.conversation import Scope, ScopeKind
from ..model.jobs import Job, JobKind, Tell
from ..ports import AuditEntry
from ..transfer.data_folder import DataFolder
from .answers import Refusal, Refused
from .context import Context, at_file, for_admins
from .jobs import QUICK
from .listing import meant
from .masking import note_exported


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """`scope` is a number of `scopes` or a key, "" for this chat, None for everything.

    `owner` is a `Scope.owner` in its place. All but this chat's, and vectors, are
    for admins.
    """

    scope: str | None = ""
    owner: str = ""
    vectors: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """The file, its folder, and how many memories are in it."""

    name: str
    folder: str
    count: int


@dataclass(frozen=True, slots=True)
class DeletedFile:
    """A file that is gone; with a `code` not before the request is repeated with it."""

    name: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Importable:
    """What can be imported, plugins beside ours among it, and the folder where files may be put."""

    names: Sequence[str]
    folder: str


async def export(context: Context, asked: ExportRequest) -> Exported | Job:
    """The caller's own memories into a file; for admins those of a scope, or all.

    The job, where that takes long. Raises StorageError.
    """
    data_folder, caller = context.data_folder, context.caller
    if (asked != ExportRequest() or context.reveal is not None) and not caller.admin:
        raise Refused(Refusal.ADMINS_ONLY)
    if caller.scope.kind is not ScopeKind.PRIVATE:
        raise Refused(Refusal.ONLY_IN_PRIVATE)
    scopes = await _scopes(context, asked)
    request = f"export {asked.scope} {asked.owner} {asked.vectors}"
    await note_exported(context, await data_folder.counts(scopes), request)
    if scopes is not None and await data_folder.is_empty(scopes):
        raise Refused(Refusal.NOTHING_THERE)
    started = context.services.jobs.start(
        JobKind.EXPORT,
        lambda tell: _write(context, data_folder, scopes, asked, tell),
        by=caller.signature,
        outcome=lambda done: _outcome(asked, done),
    )
    return await started.result(QUICK)


@for_admins
async def list_importable(context: Context) -> Importable:
    """What lies in the data folder's `imports` and `exports`."""
    data_folder = context.data_folder
    names = await asyncio.to_thread(data_folder.places.names)
    return Importable(names, str(data_folder.places.imports))


@for_admins
async def receive(context: Context, name: str, path: Path) -> str:
    """Take a copy of a file into `imports`; the name it has there."""
    with at_file(name):
        kept = await asyncio.to_thread(context.data_folder.places.take, name, path)
    if kept is None:
        raise Refused(Refusal.UNKNOWN_FILE, name=name)
    return kept


@for_admins
async def delete_file(context: Context, name: str, code: str = "") -> DeletedFile:
    """The file of `imports` or `exports` that is gone now; first a code. Raises StorageError."""
    data_folder = context.data_folder
    file = await asyncio.to_thread(data_folder.places.lying, name)
    if file is None:
        theirs = name in await asyncio.to_thread(data_folder.places.neighbours)
        raise Refused(Refusal.ANOTHER_PLUGINS if theirs else Refusal.UNKNOWN_FILE, name=name)
    if context.services.jobs.running(JobKind.IMPORT) is not None:
        raise Refused(Refusal.IMPORT_RUNNING)
    what, by, now = f"delete {file}", context.by, context.now
    if not code:
        return DeletedFile(name, context.code_for(what))
    context.redeem(what, code)
    entry = AuditEntry(f"file:{uuid4()}", f"file:{name}", "", "file_deleted", by, now)
    await context.journal.audit([entry])
    with at_file(name):
        await asyncio.to_thread(file.unlink)
    return DeletedFile(file.relative_to(data_folder.places.folder).as_posix())


def _outcome(asked: ExportRequest, done: Exported) -> dict[str, str | int]:
    """The name of a person's own file is a digest of who they are, and outlives them nowhere."""
    own = asked.scope == asked.owner == ""
    return {"count": done.count, "file": "" if own else done.name}


async def _write(
    context: Context,
    data_folder: DataFolder,
    scopes: frozenset[str] | None,
    asked: ExportRequest,
    tell: Tell,
) -> Exported:
    own = asked.scope == asked.owner == ""
    with at_file("exports"):
        file = await asyncio.to_thread(_file, context, data_folder, own=own)
        count = await data_folder.export(
            file, context.now, scopes, vectors=asked.vectors, tell=tell
        )
    return Exported(file.name, str(file.parent), count)


async def _scopes(context: Context, asked: ExportRequest) -> frozenset[str] | None:
    if not asked.owner:
        return None if asked.scope is None else await meant(context, asked.scope)
    every = await context.reach(everywhere=True)
    own = frozenset(key for key in every if Scope.parse(key).owner == asked.owner)
    if not own:
        raise Refused(Refusal.UNKNOWN_SCOPE)
    return own


def _file(context: Context, data_folder: DataFolder, *, own: bool) -> Path:
    """A file of the person's own takes the place of the one before."""
    if own and not context.caller.admin:
        return data_folder.places.own(context.caller.scope.owner)
    return data_folder.places.new(context.now)
