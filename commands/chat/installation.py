"""The installation: its numbers, what is wrong with it, and the local embedding model."""

from collections.abc import Sequence
from dataclasses import asdict

from ...core.actions import installation
from ...core.actions.installation import (
    EmbedderInForce,
    EmbedderState,
    Embedding,
    Health,
    InstallationNumbers,
    Learning,
    MissingModel,
)
from ...core.model.memory import Status
from ...core.model.sleeping import Job, JobState
from ...core.text.quoting import quoted
from .backups import other_backend
from .config import unused
from .listing import answer
from .request import Request, WrongArguments, failure, place

FIRST_UNREADABLE = 5


async def status(request: Request) -> str:
    """Counts over the whole installation; no memory's text."""
    found = await installation.numbers(request.context)
    swept = "" if found.swept_at is None else request.time(found.swept_at)
    model = _model(request, found.learning)
    return answer(
        [
            *_memories(request, found),
            request.say("status.turns", **found.turns),
            embedder_line(request, found.embedder.in_force),
            *installing(request, found.embedder.installing),
            *([request.say("embedder.offer")] if found.embedder.offered else []),
            request.say("status.learning", model=model, **asdict(found.spending)),
            request.say("status.queue", **found.work),
            request.say("status.swept" if swept else "status.never_swept", time=swept),
            request.say("status.verdicts", useful=found.useful, useless=found.useless),
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
        case str(name):
            return quoted(name, 60) or request.say("status.model_of_chat")


def _memories(request: Request, found: InstallationNumbers) -> list[str]:
    tiers = {f"t{tier}": count for tier, count in enumerate(found.tally.tiers)}
    held = {status.value: found.tally.by_status.get(status, 0) for status in Status}
    counts = request.say("status.memories", **tiers, **held, scopes=found.scopes)
    kinds = [f"{request.say(f'kind.{kind}')} {n}" for kind, n in found.tally.by_kind.items() if n]
    return [counts, request.say("status.kinds", kinds=", ".join(kinds))] if kinds else [counts]


async def health(request: Request) -> str:
    """Every complaint on a line of its own; one friendly line if there is none."""
    found = await installation.health(request.context)
    complaints = [
        *_incidents(request, found),
        *(
            request.say("health.unread", place=place(request, name), failure=failure(request, why))
            for name, why in found.unread.items()
        ),
        *_unreadable(request, found.unreadable),
        *(unused(request, problem) for problem in found.problems),
        *other_backend(request, found.disagreement),
        *([request.say("health.no_model")] if found.no_model else []),
        *_embedder(request, found),
        *_late(request, found),
        *([request.say("health.traces")] if found.traces else []),
    ]
    return answer(complaints or [request.say("health.fine")])


def _incidents(request: Request, found: Health) -> list[str]:
    counted = [
        request.say(
            "health.incident",
            place=place(request, name),
            count=incident.count,
            time=request.time(incident.last_at),
            failure=failure(request, incident.text),
        )
        for name, incident in found.incidents.items()
    ]
    return counted + [
        request.say(
            "health.dead",
            place=place(request, work.kind),
            attempts=work.attempts,
            failure=failure(request, error),
        )
        for work, error in found.dead
    ]


def _late(request: Request, found: Health) -> list[str]:
    """How many of the newest turns went without memory, or without searching by meaning."""
    late = request.say("health.late", count=found.late, recalls=found.recalls)
    by_words = request.say("health.by_words", count=found.by_words, recalls=found.recalls)
    return [*([late] if found.late else []), *([by_words] if found.by_words else [])]


def _unreadable(request: Request, records: Sequence[str]) -> list[str]:
    if not records:
        return []
    ids = ", ".join(quoted(record, 64) for record in records[:FIRST_UNREADABLE])
    more = "…" if len(records) > FIRST_UNREADABLE else ""
    return [request.say("health.unreadable", count=len(records), ids=f"{ids}{more}")]


def _embedder(request: Request, found: Health) -> list[str]:
    """What is missing for searching by meaning, and how far its installation is."""
    state, told = found.embedder, list[str]()
    if state is None:
        return []
    if found.no_embedder:
        told = [request.say("health.no_embedder")]
    elif isinstance(state.in_force, MissingModel):
        told = [embedder_line(request, state.in_force)]
    elif state.makes_do:
        told = [request.say("health.hashed", local=request.say(f"installer.{state.local}"))]
    return [*told, *installing(request, state.installing)]


async def embedder(request: Request) -> str:
    """Its state, or its installation in the background."""
    match request.argument.split():
        case [] | ["status"]:
            return _state(request, await installation.embedder_state(request.context))
        case ["install"]:
            begun = await installation.install_embedder(request.context)
            if isinstance(begun, EmbedderState):
                return answer(installing(request, begun.installing))
            return request.say("embedder.started" if begun else "embedder.installed")
        case ["later"]:
            await installation.decline_embedder(request.context)
            return request.say("embedder.later")
        case _:
            raise WrongArguments


def _state(request: Request, state: EmbedderState) -> str:
    local = request.say("embedder.local", state=request.say(f"installer.{state.local}"))
    there, missing = request.say("embedder.runtime"), request.say("embedder.no_runtime")
    runtime = there if state.runtime else missing
    progress = installing(request, state.installing)
    return answer([embedder_line(request, state.in_force), runtime, local, *progress])
