"""Long work: how far it is, what came of it, and cancelling it."""

from collections.abc import Sequence

from ...core.actions import jobs as job_actions
from ...core.actions.jobs import Job, JobKind, JobState
from ...core.model.errors import Fault
from ...core.text.quoting import quoted
from .failures import failure, reason_of
from .records import answer
from .request import Request, WrongArguments

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
