"""How the installation is doing, in numbers."""

from ...core.actions import installation
from ...core.actions.installation import (
    EmbedderInForce,
    Embedding,
    InstallationNumbers,
    Learning,
    MissingModel,
    ModelInForce,
    WorkState,
)
from ...core.actions.jobs import Job, JobState
from ...core.model.memory import Status
from ...core.text.quoting import quoted
from .failure_messages import failure
from .records import answer
from .request import Request


async def status(request: Request) -> str:
    """Counts over the whole installation; no memory's text."""
    found = await installation.numbers(request.context)
    return answer(
        [
            *_memories(request, found),
            request.say("status.turns", **found.turns),
            embedder_line(request, found.embedder.in_force),
            *installing(request, found.embedder.installing),
            *([request.say("embedder.offer")] if found.embedder.offered else []),
            request.say(
                "status.learning",
                model=_model(request, found.learning),
                calls=found.spending.calls,
                most_calls=found.spending.most_calls,
                tokens=found.spending.tokens,
                most_tokens=found.spending.most_tokens,
            ),
            request.say(
                "status.queue", ready=found.work[WorkState.READY], dead=found.work[WorkState.DEAD]
            ),
            _swept(request, found.swept_at),
            request.say("status.verdicts", useful=found.useful, useless=found.useless),
            _tokenizer(request, found.tokenizer),
        ]
    )


def embedder_line(request: Request, found: Embedding) -> str:
    """Which vector space is used and how much of the memory is in it."""
    match found:
        case None:
            return request.say("status.embedder_off")
        case MissingModel(problem):
            return request.say("status.embedder_down", problem=failure(request, problem))
        case EmbedderInForce(sort, fingerprint, done, total):
            told, name = request.say(f"space.{sort}"), quoted(fingerprint, 80)
            return request.say("status.embedder", sort=told, name=name, done=done, total=total)


def installing(request: Request, job: Job | None) -> list[str]:
    """How far a running installation of the local model is, or why the last one failed."""
    match job:
        case Job(state=JobState.RUNNING):
            return [request.say("embedder.running", share=f"{job.done}%")]
        case Job(state=JobState.FAILED, problem=problem):
            return [request.say("embedder.failed", problem=failure(request, problem))]
        case _:
            return []


def _model(request: Request, found: Learning) -> str:
    match found:
        case None:
            return request.say("status.rules")
        case MissingModel(problem):
            return request.say("status.model_awaited", problem=failure(request, problem))
        case ModelInForce(name):
            return quoted(name, 60) or request.say("status.model_of_chat")


def _memories(request: Request, found: InstallationNumbers) -> list[str]:
    t0, t1, t2 = found.tiers
    counts = request.say(
        "status.memories",
        live=found.by_status.get(Status.LIVE, 0),
        t0=t0,
        t1=t1,
        t2=t2,
        archived=found.by_status.get(Status.ARCHIVED, 0),
        binned=found.by_status.get(Status.BINNED, 0),
        quarantined=found.by_status.get(Status.QUARANTINED, 0),
        scopes=found.scopes,
    )
    kinds = [f"{request.say(f'kind.{kind}')} {n}" for kind, n in found.by_kind.items() if n]
    return [counts, request.say("status.kinds", kinds=", ".join(kinds))] if kinds else [counts]


def _swept(request: Request, at: float | None) -> str:
    if at is None:
        return request.say("status.never_swept")
    return request.say("status.swept", time=request.time(at))


def _tokenizer(request: Request, name: str | None) -> str:
    if name is None:
        return request.say("status.estimated")
    return request.say("status.tokenizer", name=quoted(name, 40))
