"""Memories to a file and from a file."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from ..model.conversation import Scope, ScopeKind
from ..model.jobs import Job, JobKind, Tell
from ..ports import AuditEntry
from ..privacy.revelations import Justification, RevelationKind
from ..transfer.data_folder import DataFolder
from .answers import CodeNeeded, Refusal, Refused
from .context import Context, for_admins
from .files import as_storage, opened_folder
from .jobs import QUICK
from .listing import meant
from .masking import justified, why_masked
from .views import hidden


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """`scope` is a number of `scopes` or a key, "" for this chat, None for everything.

    `owner` is a `Scope.owner` in its place. All but this chat's, vectors and `reveal` (see
    `masking`) are for admins.
    """

    scope: str | None = ""
    owner: str = ""
    vectors: bool = False
    reveal: str | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """The file, and how many memories are in it."""

    file: Path
    count: int


@dataclass(frozen=True, slots=True)
class Importable:
    """What can be imported, plugins beside ours among it, and the folder where files may be put."""

    names: Sequence[str]
    folder: Path


async def export(context: Context, asked: ExportRequest) -> Exported | Job | Refused | CodeNeeded:
    """The caller's own memories into a file; for admins those of a scope, or all.

    The job, where that takes long. Raises StorageError.
    """
    data_folder, caller = opened_folder(context), context.caller
    if isinstance(data_folder, Refused):
        return data_folder
    if asked != ExportRequest() and not caller.admin:
        return Refused(Refusal.ADMINS_ONLY)
    if caller.scope.kind is not ScopeKind.PRIVATE:
        return Refused(Refusal.ONLY_IN_PRIVATE)
    scopes = await _scopes(context, asked)
    if isinstance(scopes, Refused):
        return scopes
    refused = await _noted(context, data_folder, scopes, asked)
    if refused is not None:
        return refused
    if scopes is not None and await data_folder.is_empty(scopes):
        return Refused(Refusal.NOTHING_THERE)
    started = context.services.jobs.start(
        JobKind.EXPORT,
        lambda tell: _write(context, data_folder, scopes, asked, tell),
        by=caller.signature,
        outcome=lambda done: _outcome(asked, done),
    )
    return await started.result(QUICK)


@for_admins
async def list_importable(context: Context) -> Importable | Refused:
    """What lies in the data folder's `imports` and `exports`."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    names = await asyncio.to_thread(data_folder.places.names)
    return Importable(names, data_folder.places.imports)


@for_admins
async def delete_file(context: Context, name: str, code: str = "") -> str | CodeNeeded | Refused:
    """The file of `imports` or `exports` that is gone now; first a code. Raises StorageError."""
    data_folder, confirmations = opened_folder(context), context.services.confirmations
    if isinstance(data_folder, Refused):
        return data_folder
    file = await asyncio.to_thread(data_folder.places.lying, name)
    if file is None:
        theirs = name in await asyncio.to_thread(data_folder.places.neighbours)
        return Refused(Refusal.ANOTHER_PLUGINS if theirs else Refusal.UNKNOWN_FILE)
    if context.services.jobs.running(JobKind.IMPORT) is not None:
        return Refused(Refusal.IMPORT_RUNNING)
    what, caller, now = f"delete {file}", context.caller, context.now
    if not code:
        return CodeNeeded(confirmations.ask(caller, what, now=now))
    if not confirmations.redeem(caller, what, code, now=now):
        return Refused(Refusal.WRONG_CODE)
    entry = AuditEntry(f"file:{uuid4()}", f"file:{name}", "", "file_deleted", caller.signature, now)
    await context.journal.audit([entry])
    try:
        await asyncio.to_thread(file.unlink)
    except OSError as error:
        raise as_storage(error, name) from error
    return file.relative_to(data_folder.places.folder).as_posix()


def _outcome(asked: ExportRequest, done: Exported) -> dict[str, str | int]:
    """The name of a person's own file is a digest of who they are, and outlives them nowhere."""
    own = asked.scope == asked.owner == ""
    return {"count": done.count, "file": "" if own else done.file.name}


async def _write(
    context: Context,
    data_folder: DataFolder,
    scopes: frozenset[str] | None,
    asked: ExportRequest,
    tell: Tell,
) -> Exported:
    own = asked.scope == asked.owner == ""
    try:
        file = await asyncio.to_thread(_file, context, data_folder, own=own)
        count = await data_folder.export(
            file, context.now, scopes, vectors=asked.vectors, tell=tell
        )
    except OSError as error:
        raise as_storage(error, "exports") from error
    return Exported(file, count)


async def _scopes(context: Context, asked: ExportRequest) -> frozenset[str] | Refused | None:
    if not asked.owner:
        return None if asked.scope is None else await meant(context, asked.scope)
    every = await context.reach(everywhere=True)
    own = frozenset(key for key in every if Scope.parse(key).owner == asked.owner)
    return own or Refused(Refusal.UNKNOWN_SCOPE)


def _file(context: Context, data_folder: DataFolder, *, own: bool) -> Path:
    """A file of the person's own takes the place of the one before."""
    if own and not context.caller.admin:
        return data_folder.places.own(context.caller.scope.owner)
    return data_folder.places.new(context.now)


async def _noted(
    context: Context, data_folder: DataFolder, scopes: frozenset[str] | None, asked: ExportRequest
) -> Refused | CodeNeeded | None:
    """Why nothing is exported because of others' private memories; None once they are noted."""
    held = await data_folder.counts(scopes)
    others = await hidden(context, held)
    if not others:
        return None
    if asked.reveal is None:
        return Refused(why_masked(context))
    request = f"export {asked.scope} {asked.owner} {asked.vectors}"
    justification = justified(context, request, asked.reveal)
    if not isinstance(justification, Justification):
        return justification
    counts: Counter[str] = Counter()
    for key in others:
        counts[Scope.parse(key).owner] += held[key]
    await context.engine.revelations.note_all(RevelationKind.EXPORTED, counts, justification)
    return None
