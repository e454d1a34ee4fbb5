"""Imports: previewing a file of ours or of another program, taking it in, undoing it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..model.errors import TidemarkError
from ..model.jobs import Job, JobKind, Tell
from ..transfer.batches import Batch, BatchState
from ..transfer.data_folder import PROGRAM, DataFolder
from ..transfer.foreign.owners import LeaveOut, MappingRules, read_target
from ..transfer.foreign.rows import Columns, NotASource, Skip, SourceProblem
from ..transfer.import_plan import ChatShare, MovePlan
from ..transfer.importing import Imported, Looked, open_export
from ..transfer.lines import FileProblem, NotOurExport
from ..transfer.moving_in import ImportRunning, MoveRequest
from .answers import Refusal, Refused
from .context import Context, for_admins
from .files import as_storage, opened_folder
from .jobs import QUICK
from .listing import meant
from .views import PAGE, Page, page_of

__all__ = ["Batch", "BatchState", "ChatShare", "Imported", "Skip"]


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
class ChatView:
    """What comes from one chat of the file, and what its person or group is called here.

    `known_platform`: whether anything has been recorded on the platform it goes to.
    """

    share: ChatShare
    target_name: str
    known_platform: bool


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What a file would bring; of what `program`, in which version ("" if it has none)."""

    program: str
    version: str
    chats: Sequence[ChatView]
    skipped: Mapping[Skip, int]
    new: int
    known: int


@dataclass(frozen=True, slots=True)
class MovedIn:
    """What a file of another program has brought; no batch if there was nothing new."""

    batch: Batch | None
    told: ImportPreview


@dataclass(frozen=True, slots=True)
class NotImportable:
    """The file is refused as a whole, and why; `detail` is the version or the columns there are."""

    problem: FileProblem | SourceProblem
    detail: str = ""


@dataclass(frozen=True, slots=True)
class BadRule:
    """A rule that names nothing in the file, or nobody here."""

    rule: str


@dataclass(frozen=True, slots=True)
class UndoToConfirm:
    """What would go, what stays because it was used since; nothing goes before the code comes."""

    batch: Batch
    going: int
    staying: int
    code: str


@dataclass(frozen=True, slots=True)
class ImportUndone:
    """How many memories are gone for good; `batch.kept` of it stay."""

    batch: Batch
    removed: int


type NotTaken = NotImportable | BadRule | Refused


@for_admins
async def preview(context: Context, asked: ImportRequest) -> ImportPreview | NotTaken:
    """What would come, for whom, and what would not and why. Nothing is changed.

    Raises StorageError.
    """
    found = await _found(context, asked.name)
    if not isinstance(found, _File):
        return found
    if found.ours:
        looked = await found.folder.look(found.path)
        return await _told(context, _plan(looked))
    plan = await _with_rules(context, found, asked)
    return plan if not isinstance(plan, MovePlan) else await _told(context, plan)


@for_admins
async def start(context: Context, asked: ImportRequest) -> Imported | MovedIn | Job | NotTaken:
    """Take a file in; the same call again goes on where it was cut short, and adds nothing twice.

    The job, where that takes long; one import at a time. Raises StorageError.
    """
    found = await _found(context, asked.name)
    if not isinstance(found, _File):
        return found
    jobs = context.services.jobs
    if jobs.running(JobKind.IMPORT) is not None:
        return Refused(Refusal.IMPORT_RUNNING)
    started = jobs.start(
        JobKind.IMPORT,
        lambda tell: _take_in(context, found, asked, tell),
        subject=asked.name,
        by=context.caller.signature,
        outcome=_outcome,
    )
    try:
        return await started.result(QUICK)
    except NotASource as error:
        return NotImportable(error.problem, error.detail)
    except _NoSuchRule as error:
        return error.rule
    except ImportRunning:
        return Refused(Refusal.IMPORT_RUNNING)


@for_admins
async def list_imports(context: Context, page: int, size: int = PAGE) -> Page[Batch] | Refused:
    """What has been imported, newest first."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    return page_of(await data_folder.moving_in.batches.every(), page, size)


@for_admins
async def undo_import(
    context: Context, id: str, code: str = "", *, everything: bool = False
) -> ImportUndone | UndoToConfirm | Refused:
    """Delete for good what a batch brought; with `everything` also what was used since.

    First without a code, which tells what would go. Raises StorageError.
    """
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    moving, confirmations = data_folder.moving_in, context.services.confirmations
    batch = await moving.batches.named(id)
    if batch is None:
        return Refused(Refusal.UNKNOWN_BATCH)
    there = await moving.contents(batch)
    staying = 0 if everything else len(there.used)
    going = len(there.untouched) + len(there.used) - staying
    what = f"undo import {batch.id} {everything}"
    if not code:
        if not going:
            return Refused(Refusal.NOTHING_THERE)
        asked = confirmations.ask(context.caller, what, now=context.now)
        return UndoToConfirm(batch, going, staying, asked)
    if not confirmations.redeem(context.caller, what, code, now=context.now):
        return Refused(Refusal.WRONG_CODE)
    try:
        return ImportUndone(await moving.undo(batch, everything=everything), going)
    except ImportRunning:
        return Refused(Refusal.IMPORT_RUNNING)


class _NoSuchRule(TidemarkError):
    def __init__(self, rule: BadRule) -> None:
        super().__init__(rule.rule)
        self.rule = rule


@dataclass(frozen=True, slots=True)
class _File:
    folder: DataFolder
    path: Path
    ours: bool


async def _found(context: Context, name: str) -> _File | NotImportable | Refused:
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    path = await asyncio.to_thread(data_folder.places.find, name)
    if path is None:
        return Refused(Refusal.UNKNOWN_FILE)
    try:
        await asyncio.to_thread(lambda: open_export(path).source.close())
    except NotOurExport as error:
        if error.problem is not FileProblem.FOREIGN:
            return NotImportable(error.problem)
        return _File(data_folder, path, ours=False)
    except OSError as error:
        raise as_storage(error, path.name) from error
    return _File(data_folder, path, ours=True)


async def _take_in(
    context: Context, found: _File, asked: ImportRequest, tell: Tell
) -> Imported | MovedIn:
    by, now = context.caller.signature, context.now
    try:
        if found.ours:
            done = await found.folder.take_in(found.path, now, by, tell)
            context.engine.wake()
            return done
        request = await _request(context, found, asked)
        if not isinstance(request, MoveRequest):
            raise _NoSuchRule(request)
        paused, parameters = context.engine.consents.pause, context.engine.policy.parameters
        moving = found.folder.moving_in
        batch, plan = await moving.run(request, parameters, paused, now, by, tell)
    except OSError as error:
        raise as_storage(error, asked.name) from error
    context.engine.wake()
    return MovedIn(batch, await _told(context, plan))


def _outcome(done: Imported | MovedIn) -> dict[str, str | int]:
    if isinstance(done, Imported):
        return {"added": done.added, "known": done.known, "batch": done.batch}
    batch = "" if done.batch is None else done.batch.id
    return {"added": done.told.new, "known": done.told.known, "batch": batch}


async def _with_rules(context: Context, found: _File, asked: ImportRequest) -> MovePlan | NotTaken:
    try:
        request = await _request(context, found, asked)
        if not isinstance(request, MoveRequest):
            return request
        return await _preview(context, found, request)
    except NotASource as error:
        return NotImportable(error.problem, error.detail)
    except OSError as error:
        raise as_storage(error, asked.name) from error


async def _preview(context: Context, found: _File, request: MoveRequest) -> MovePlan:
    parameters, paused = context.engine.policy.parameters, context.engine.consents.pause
    return await found.folder.moving_in.preview(request, parameters, paused, context.now)


async def _request(context: Context, found: _File, asked: ImportRequest) -> MoveRequest | BadRule:
    """The request with its rules read: numbers as the preview without rules counts the chats."""
    request = MoveRequest(found.path, asked.name, columns=Columns(asked.columns))
    numbers: dict[str, str] = {}
    if any(chat.isdecimal() for chat in asked.chats):
        plan = await _preview(context, found, request)
        numbers = {str(share.number): share.chat for share in plan.chats}
    chats: dict[str, Scope | LeaveOut] = {}
    for chat, written in asked.chats.items():
        target = await _target(context, written)
        named = numbers.get(chat) if chat.isdecimal() else chat
        if target is None or not named:
            return BadRule(f"{chat}={written}")
        chats[named] = target
    separate = context.settings.scope.persona_separation
    personas = dict(asked.personas) if separate else {ANY_PERSONA: ANY_PERSONA}
    return MoveRequest(found.path, asked.name, MappingRules(chats, personas), request.columns)


async def _target(context: Context, written: str) -> Scope | LeaveOut | None:
    if written.isdecimal():
        keys = await meant(context, written)
        return None if isinstance(keys, Refused) else Scope.parse(next(iter(keys)))
    return read_target(written)


async def _told(context: Context, plan: MovePlan) -> ImportPreview:
    known = {Scope.parse(key).platform for key in await context.store.scopes()}
    known |= {Scope.parse(key).platform for key in await context.journal.scopes()}
    names = await context.journal.chat_names()
    chats: list[ChatView] = []
    for share in plan.chats:
        name, target = share.name, share.target
        if target is not None and target.kind is ScopeKind.GROUP:
            name = names.get(target.owner) or name
        elif target is not None:
            people = await context.engine.people.names([target.owner])
            name = people.get((target.platform, target.subject)) or name
        chats.append(ChatView(share, name, target is None or target.platform in known))
    return ImportPreview(plan.program, plan.version, chats, plan.skipped, plan.new, plan.known)


def _plan(looked: Looked) -> MovePlan:
    """A preview of an export of our own, whose chats are scopes already."""
    keys = sorted({*looked.new, *looked.known})
    chats = [
        ChatShare(i, key, "", "", Scope.parse(key), False, looked.new[key], looked.known[key], 0)
        for i, key in enumerate(keys, start=1)
    ]
    unwanted = {Skip.FORGOTTEN: looked.held, Skip.BROKEN: looked.rejected}
    skipped = {reason: count for reason, count in unwanted.items() if count}
    return MovePlan(PROGRAM, "", chats, skipped, looked.new.total(), looked.known.total())
