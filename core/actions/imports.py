"""Memories to a file and from one, of ours or of another program: previewed, taken in, undone."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..model.sleeping import Job, JobKind, Tell
from ..ports import AuditEntry
from ..transfer.foreign.rows import LeaveOut, MappingRules, NotASource, Skip, read_target
from ..transfer.import_plan import ChatShare, MovePlan
from ..transfer.moving_in import Batch, BatchState, ImportRunning, MoveRequest
from .answers import Refusal, Refused
from .context import QUICK, Context, at_file, for_admins
from .listing import meant
from .views import PAGE, Page, note_exported, owners, page_of

__all__ = ["Batch", "BatchState", "ChatShare", "MovePlan", "Skip"]


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """A file of the folder `imports` or a plugin beside ours, by name; and the admin's rules.

    `chats`: a chat by its name in the file or by its number in a preview, or `*` for all without
    an owner, to a scope (its key, its number, or a key without persona) or `skip`. `personas`:
    names to names, `*` for all. `columns`: what a column holds (`text`, `time`, ...) to its name.
    """

    name: str
    chats: Mapping[str, str] = field(default_factory=dict[str, str])
    personas: Mapping[str, str] = field(default_factory=dict[str, str])
    columns: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class ImportUndone:
    """How many memories are gone for good, and how many stay because they were used since."""

    batch: Batch
    going: int
    staying: int


@for_admins
async def preview(context: Context, asked: ImportRequest) -> MovePlan:
    """What would come, for whom, and what would not and why. Nothing is changed.

    Raises StorageError.
    """
    path = await _found(context, asked.name)
    with _refused(asked):
        return await _told(context, await _preview(context, await _request(context, path, asked)))


@for_admins
async def start(context: Context, asked: ImportRequest) -> MovePlan | Job:
    """Take a file in; the same call again goes on where it was cut short, and adds nothing twice.

    The job, where that takes long; one import at a time. Raises StorageError.
    """
    path, jobs = await _found(context, asked.name), context.services.jobs
    if jobs.running(JobKind.IMPORT) is not None:
        raise Refused(Refusal.IMPORT_RUNNING)

    async def take_in(tell: Tell) -> MovePlan:
        with at_file(asked.name):
            request = await _request(context, path, asked)
            moving, paused = context.data_folder.moving_in, context.engine.consents.pause
            plan = await moving.run(request, paused, context.now, context.by, tell)
        context.engine.wake()
        return await _told(context, plan)

    started = jobs.start(
        JobKind.IMPORT,
        take_in,
        subject=asked.name,
        by=context.by,
        outcome=lambda done: {"added": done.new, "known": done.known, "batch": done.batch},
    )
    with _refused(asked):
        return await started.result(QUICK)


@for_admins
async def list_imports(context: Context, page: int, size: int = PAGE) -> Page[Batch]:
    """What has been imported, newest first."""
    return page_of(await context.data_folder.moving_in.batches.every(), page, size)


@for_admins
async def undo_import(
    context: Context, id: str, code: str = "", *, everything: bool = False
) -> ImportUndone:
    """Delete for good what a batch brought; with `everything` also what was used since.

    First a code. Raises StorageError.
    """
    moving = context.data_folder.moving_in
    batch = await moving.batches.named(id)
    if batch is None:
        raise Refused(Refusal.UNKNOWN_BATCH, id=id)
    there = await moving.contents(batch)
    staying = 0 if everything else len(there.used)
    going = len(there.untouched) + len(there.used) - staying
    what = f"undo import {batch.id} {everything}"
    if not code:
        if not going:
            raise Refused(Refusal.NOTHING_THERE, id=id)
        raise context.code_needed(what, going=going, staying=staying, id=id, file=batch.file)
    context.redeem(what, code)
    try:
        done = await moving.undo(batch, everything=everything)
    except ImportRunning:
        raise Refused(Refusal.IMPORT_RUNNING) from None
    return ImportUndone(done, going, done.kept)


@contextmanager
def _refused(asked: ImportRequest) -> Iterator[None]:
    """What is the matter with a file, as a refusal."""
    try:
        with at_file(asked.name):
            yield
    except NotASource as error:
        raise Refused(error.problem, name=asked.name, detail=error.detail) from None
    except ImportRunning:
        raise Refused(Refusal.IMPORT_RUNNING) from None


async def _found(context: Context, name: str) -> Path:
    path = await asyncio.to_thread(context.data_folder.places.find, name)
    if path is None:
        raise Refused(Refusal.UNKNOWN_FILE, name=name)
    return path


async def _preview(context: Context, request: MoveRequest) -> MovePlan:
    paused = context.engine.consents.pause
    return await context.data_folder.moving_in.preview(request, paused, context.now)


async def _request(context: Context, path: Path, asked: ImportRequest) -> MoveRequest:
    """The request with its rules read: numbers as the preview without rules counts the chats."""
    request = MoveRequest(path, asked.name, columns=asked.columns)
    numbers: dict[str, str] = {}
    if any(chat.isdecimal() for chat in asked.chats):
        plan = await _preview(context, request)
        numbers = {str(share.number): share.chat for share in plan.chats}
    chats: dict[str, Scope | LeaveOut] = {}
    for chat, written in asked.chats.items():
        target = await _target(context, written)
        named = numbers.get(chat) if chat.isdecimal() else chat
        if target is None or not named:
            raise Refused(Refusal.BAD_RULE, rule=f"{chat}={written}")
        chats[named] = target
    separate = context.settings.scope.persona_separation
    personas = dict(asked.personas) if separate else {ANY_PERSONA: ANY_PERSONA}
    return MoveRequest(path, asked.name, MappingRules(chats, personas), request.columns)


async def _target(context: Context, written: str) -> Scope | LeaveOut | None:
    if written.isdecimal():
        try:
            return Scope.parse(next(iter(await meant(context, written))))
        except Refused:
            return None
    return read_target(written)


async def _told(context: Context, plan: MovePlan) -> MovePlan:
    """With its chats by the names of the people and groups they go to."""
    scopes = {*await context.store.scopes(), *await context.journal.scopes()}
    keys = {share.target.owner for share in plan.chats if share.target is not None}
    known = await owners(context, keys)
    chats = list[ChatShare]()
    for share in plan.chats:
        here = "" if share.target is None else known[share.target.owner].name
        chats.append(replace(share, name=here or share.name))
    platforms = sorted({Scope.parse(key).platform for key in scopes})
    return replace(plan, chats=chats, platforms=platforms)


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
    scopes, own = await _scopes(context, asked), asked.scope == asked.owner == ""
    request = f"export {asked.scope} {asked.owner} {asked.vectors}"
    await note_exported(context, await data_folder.counts(scopes), request)
    if scopes is not None and not await data_folder.counts(scopes):
        raise Refused(Refusal.NOTHING_THERE)
    # A file of the person's own takes the place of the one before.
    new = partial(data_folder.places.new, context.now)
    if own and not caller.admin:
        new = partial(data_folder.places.own, caller.scope.owner)

    async def write(tell: Tell) -> Exported:
        with at_file("exports"):
            file, vectors = await asyncio.to_thread(new), asked.vectors
            count = await data_folder.export(file, context.now, scopes, vectors=vectors, tell=tell)
        return Exported(file.name, str(file.parent), count)

    # The name of a person's own file is a digest of who they are, and outlives them nowhere.
    started = context.services.jobs.start(
        JobKind.EXPORT,
        write,
        by=caller.signature,
        outcome=lambda done: {"count": done.count, "file": "" if own else done.name},
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
async def delete_file(context: Context, name: str, code: str = "") -> str:
    """Which file of `imports` or `exports` is gone now; first a code. Raises StorageError."""
    data_folder = context.data_folder
    file = await asyncio.to_thread(data_folder.places.lying, name)
    if file is None:
        theirs = name in await asyncio.to_thread(data_folder.places.neighbours)
        raise Refused(Refusal.ANOTHER_PLUGINS if theirs else Refusal.UNKNOWN_FILE, name=name)
    if context.services.jobs.running(JobKind.IMPORT) is not None:
        raise Refused(Refusal.IMPORT_RUNNING)
    what, by, now = f"delete {file}", context.by, context.now
    if not code:
        raise context.code_needed(what, file=name)
    context.redeem(what, code)
    entry = AuditEntry(f"file:{uuid4()}", f"file:{name}", "", "file_deleted", by, now)
    await context.journal.audit([entry])
    with at_file(name):
        await asyncio.to_thread(file.unlink)
    return file.relative_to(data_folder.places.folder).as_posix()


async def _scopes(context: Context, asked: ExportRequest) -> frozenset[str] | None:
    if not asked.owner:
        return None if asked.scope is None else await meant(context, asked.scope)
    every = await context.reach()
    own = frozenset(key for key in every if Scope.parse(key).owner == asked.owner)
    if not own:
        raise Refused(Refusal.UNKNOWN_SCOPE)
    return own
