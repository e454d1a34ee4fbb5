"""Memories to a file and from one; long work, how far it is, and cancelling it."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ...core.actions import imports
from ...core.actions import jobs as job_actions
from ...core.actions.answers import CodeNeeded, Refusal, Refused
from ...core.actions.imports import (
    Batch,
    ChatShare,
    ExportRequest,
    Importable,
    ImportRequest,
    MovePlan,
)
from ...core.actions.jobs import MOST_DAYS, learn_past
from ...core.model.conversation import ANY_PERSONA, Scope
from ...core.model.errors import Fault
from ...core.model.sleeping import Job, JobKind, JobState
from ...core.text.quoting import quoted
from .listing import answer, listed, page_number
from .request import Request, WrongArguments, failure, reason_of

CANCEL = ("cancel", "取消")
MOST_SHOWN = 12


async def jobs(request: Request) -> str:
    """What is under way and what was; with `cancel`, giving one up."""
    match request.argument.split():
        case []:
            found = await job_actions.list_jobs(request.context)
            return _list(request, found)
        case [word, id] if word.lower() in CANCEL:
            ended = await job_actions.cancel_job(request.context, id)
            left = request.say(f"job_cancelled.{ended.kind}", subject=_subject(ended))
            return answer([request.say("jobs.ending", what=what(request, ended)), left])
        case _:
            raise WrongArguments


def begun(request: Request, job: Job) -> str:
    """The answer to whoever asked for something that takes long."""
    if not job.running:
        return line(request, job)
    told, admin = {"what": what(request, job), "id": job.id}, request.caller.admin
    return request.say("jobs.begun" if admin else "jobs.begun_own", **told)


def what(request: Request, job: Job) -> str:
    """The kind of work, and what it is about."""
    kind, subject = request.say(f"job_kind.{job.kind}"), _subject(job)
    return f"{kind} {subject}" if subject and job.kind is not JobKind.SLEEP else kind


def line(request: Request, job: Job) -> str:
    """One job of the list."""
    told = [what(request, job), _state(request, job)]
    if job.started_at is not None:
        told.append(request.time(job.started_at))
    if job.by:
        told.append(quoted(job.by, 60))
    head = " · ".join([job.id, *told])
    return answer([head, *_after(request, job)])


def _list(request: Request, found: Sequence[Job]) -> str:
    if not found:
        return request.say("jobs.none")
    lines = [line(request, job) for job in found[:MOST_SHOWN]]
    how = [request.say("jobs.how")] if any(job.running for job in found) else []
    return answer([request.say("jobs.header", count=sum(j.running for j in found)), *lines, *how])


def _state(request: Request, job: Job) -> str:
    if not job.running:
        return request.say(f"job_state.{job.state}")
    if job.kind is JobKind.SLEEP and job.subject:
        step = request.say(f"step.{job.subject}")
        return request.say("jobs.at_step", done=job.done, total=job.total or "?", step=step)
    if not job.total:
        return request.say("jobs.rows", done=job.done)
    share = f"{100 * job.done // job.total}%"
    return request.say("jobs.share", done=job.done, total=job.total, share=share)


def _after(request: Request, job: Job) -> list[str]:
    """What came of it, why it failed, or what to do now."""
    subject = _subject(job)
    match job.state:
        case JobState.RUNNING | JobState.FAILED if job.problem:
            return [_reason(request, job)]
        case JobState.DONE if job.outcome and job.kind is not JobKind.MODEL:
            values = {name: quoted(str(value), 80) for name, value in job.outcome.items()}
            return [request.say(f"job_done.{job.kind}", subject=subject, **values)]
        case JobState.INTERRUPTED:
            return [request.say(f"job_interrupted.{job.kind}", subject=subject)]
        case JobState.CANCELLED:
            return [request.say(f"job_cancelled.{job.kind}", subject=subject)]
        case _:
            return []


def _reason(request: Request, job: Job) -> str:
    if job.fault in (None, Fault.OTHER):
        return failure(request, job.problem)
    return reason_of(request.phrases, request.caller.language, job.fault, job.file)


def _subject(job: Job) -> str:
    return quoted(job.subject, 60)


DRY = "--dry-run"
ALL = "--all"
UNDO = ("undo", "撤销")
DELETE = ("delete", "删除")
RULES = {"--map": "chats", "--persona": "personas", "--column": "columns"}
SHOWN_NAMES = 8
SHOWN_CHATS = 12

VECTORS = "--vectors"
EVERYTHING = ("all", "全部")

_HISTORY = re.compile(r"(?:--history|历史)\s+([0-9]{1,3})(?:\s+(\S{1,40}))?", re.IGNORECASE)


async def import_(request: Request) -> str:
    """Take in a file of the data folder's `imports` or `exports`, or a plugin beside ours."""
    if not request.argument:
        return _importable(request, await imports.list_importable(request.context))
    name, flag, rest = request.argument.partition(" --")
    wanted, dry = _read(name.strip(), f"{flag.strip()}{rest}")
    if dry:
        told = await imports.preview(request.context, wanted)
        return answer(_previewed(request, wanted.name, told))
    match await imports.start(request.context, wanted):
        case Job() as job:
            return begun(request, job)
        case MovePlan() as done:
            return answer(_moved(request, done))


async def imports_(request: Request) -> str:
    """What has been imported; deleting what an import brought, or the file it came from."""
    match request.argument.split():
        case [word, id, *rest] if word.lower() in UNDO and len(rest) <= 2:
            codes = [each for each in rest if each != ALL]
            if len(codes) > 1:
                raise WrongArguments
            return await _undo(request, id, "".join(codes), everything=ALL in rest)
        case [word, _, *_] if word.lower() in DELETE:
            return await _delete(request, request.argument.removeprefix(word).strip())
        case _:
            number = page_number(request.argument)
            page = await imports.list_imports(request.context, number)
            lines = (_batch(request, each) for each in page.entries)
            return answer(listed(request, "imports", page, lines, request.say("imports.how")))


def _read(name: str, rest: str) -> tuple[ImportRequest, bool]:
    """The request, and whether only to look."""
    rules: dict[str, dict[str, str]] = {kind: {} for kind in RULES.values()}
    try:
        words = shlex.split(rest)
    except ValueError:
        raise WrongArguments from None
    dry = False
    while words:
        word = words.pop(0)
        if word == DRY:
            dry = True
            continue
        key, equals, value = words.pop(0).rpartition("=") if words else ("", "", "")
        if word not in RULES or not equals or not key or not value:
            raise WrongArguments
        rules[RULES[word]][key] = value
    if not name:
        raise WrongArguments
    return ImportRequest(name, **rules), dry


def _importable(request: Request, found: Importable) -> str:
    if not found.names:
        return request.say("import.none", folder=found.folder)
    shown = [quoted(name, 80) for name in found.names[:SHOWN_NAMES]]
    return answer([request.say("import.files"), *shown, request.say("import.how")])


def _previewed(request: Request, name: str, plan: MovePlan) -> list[str]:
    file = quoted(name, 60)
    program = f"{plan.program} {plan.version}".strip()
    lines = [request.say("import.preview", program=program, new=plan.new, known=plan.known)]
    lines += _planned(request, plan)
    if any(chat.target is None and not chat.left_out for chat in plan.chats):
        lines.append(request.say("import.map", name=file))
    return [*lines, request.say("import.go", name=file)] if plan.new else lines


def _moved(request: Request, done: MovePlan) -> list[str]:
    lines = [request.say("import.done", added=done.new, known=done.known)]
    lines += _planned(request, done)
    return [*lines, request.say("import.batch", id=done.batch)] if done.batch else lines


def _planned(request: Request, plan: MovePlan) -> list[str]:
    """Chat by chat, and what does not come."""
    lines = [_chat(request, chat, plan.platforms) for chat in plan.chats[:SHOWN_CHATS]]
    if (more := len(plan.chats) - SHOWN_CHATS) > 0:
        lines.append(request.say("import.more", count=more))
    if plan.skipped:
        lines.append(request.say("import.skipped", count=sum(plan.skipped.values())))
    for reason, count in sorted(plan.skipped.items(), key=lambda item: -item[1]):
        why = request.say(f"import_skip.{reason}")
        lines.append(request.say("import.skip_line", reason=why, count=count))
    return lines


def _chat(request: Request, share: ChatShare, platforms: Sequence[str]) -> str:
    chat = quoted(share.chat, 60)
    if share.persona:
        chat = f"{chat} · {quoted(share.persona, 30)}"
    if share.target is not None:
        target = _owner(request, share.target, share.name)
        if share.target.platform not in platforms:
            target += request.say("import.new_platform")
    elif share.left_out:
        target = request.say("import.left_out")
    else:
        target = request.say("import.no_owner")
    return request.say(
        "import.chat",
        number=share.number,
        chat=chat,
        target=target,
        count=share.new + share.known if share.target is not None else share.skipped,
    )


def _owner(request: Request, scope: Scope, name: str) -> str:
    marks = [quoted(name, 30)] if name else []
    marks.append(quoted(f"{scope.platform}/{scope.subject}", 60))
    if scope.persona not in (ANY_PERSONA, "default"):
        marks.append(request.say("scopes.persona", name=quoted(scope.persona, 30)))
    return f"{request.say(f'scope.{scope.kind}')} {' · '.join(marks)}"


def _batch(request: Request, batch: Batch) -> str:
    return request.say(
        "imports.line",
        id=batch.id,
        time=request.time(batch.at),
        program=batch.program,
        file=quoted(batch.file, 60),
        state=request.say(f"imports.{batch.state}", added=batch.added, kept=batch.kept),
    )


async def _delete(request: Request, written: str) -> str:
    """A file by its name, which may have spaces; behind it a code."""
    name, _, code = written.rpartition(" ")
    try:
        gone = await imports.delete_file(request.context, written)
    except CodeNeeded as needed:
        asked = request.say("imports.confirm_file", file=quoted(written, 60))
        return answer([asked, request.say("imports.code", line=f"delete {written} {needed.code}")])
    except Refused as refused:
        if not name or refused.reason is not Refusal.UNKNOWN_FILE:
            raise
        gone = await imports.delete_file(request.context, name.strip(), code)
    return request.say("imports.done_file", file=quoted(gone, 90))


async def _undo(request: Request, id: str, code: str, *, everything: bool) -> str:
    try:
        done = await imports.undo_import(request.context, id, code, everything=everything)
    except CodeNeeded as needed:
        told = needed.told
        staying = [request.say("imports.staying", **told)] if told["staying"] else []
        line = " ".join(["undo", id, *[ALL] * everything, needed.code])
        return answer([request.confirm(needed), *staying, request.say("imports.code", line=line)])
    return request.say("imports.done_undo", removed=done.going, kept=done.staying)


async def export(request: Request) -> str:
    """The caller's own memories into a file; for admins those of a scope, or all.

    Not sent as a file: most platforms cannot, and where they can it may pass through servers of
    others. An admin, who can read the data folder, is told where it is; everybody else is told
    which file to ask an admin for.
    """
    words = request.argument.split()
    names = [word for word in words if word != VECTORS]
    if len(names) > 1:
        raise WrongArguments
    scope = None if names and names[0].lower() in EVERYTHING else "".join(names)
    done = await imports.export(request.context, ExportRequest(scope, vectors=VECTORS in words))
    if isinstance(done, Job):
        return begun(request, done)
    if request.caller.admin:
        file = Path(done.folder, done.name)
        return request.say("export.done", count=done.count, file=file)
    return request.say("export.ask_admin", count=done.count, file=done.name)


async def learn(request: Request) -> str:
    """What reading the last days would cost; with the code it is done."""
    given = _HISTORY.fullmatch(request.argument.strip())
    if given is None or not 1 <= int(given[1]) <= MOST_DAYS:
        raise WrongArguments
    try:
        past = await learn_past(request.context, float(given[1]), given[2] or "")
        said, more = request.say("learn.done", **asdict(past)), past.more
    except CodeNeeded as needed:
        said, more = request.confirm(needed), needed.told["more"]
    return f"{said}\n{request.say('learn.more')}" if more else said
