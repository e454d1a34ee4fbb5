"""What is wrong or missing, and what to do about it."""

from collections.abc import Mapping, Sequence

from ...core.actions import installation
from ...core.actions.installation import Health
from ...core.text.quoting import quoted
from .backend import other_backend
from .failure_messages import failure, place
from .records import answer
from .request import Request
from .status import installing
from .values import unused

FIRST_UNREADABLE = 5


async def health(request: Request) -> str:
    """Every complaint on a line of its own; one friendly line if there is none."""
    found = await installation.health(request.context)
    complaints = [
        *_incidents(request, found),
        *_unread(request, found.unread),
        *_unreadable(request, found.unreadable),
        *(unused(request, problem) for problem in found.problems),
        *other_backend(request, found.disagreement),
        *([request.say("health.no_model")] if found.no_model else []),
        *_embedder(request, found),
        *_late(request, found),
        *installing(request, found.installing),
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
            failure=failure(request, work.error),
        )
        for work in found.dead
    ]


def _late(request: Request, found: Health) -> list[str]:
    """How many of the newest turns went without memory, or without searching by meaning."""
    late = request.say("health.late", count=found.late, recalls=found.recalls)
    by_words = request.say("health.by_words", count=found.by_words, recalls=found.recalls)
    return [*([late] if found.late else []), *([by_words] if found.by_words else [])]


def _unread(request: Request, failures: Mapping[str, str]) -> list[str]:
    return [
        request.say("health.unread", place=place(request, name), failure=failure(request, error))
        for name, error in failures.items()
    ]


def _unreadable(request: Request, records: Sequence[str]) -> list[str]:
    if not records:
        return []
    ids = ", ".join(quoted(record, 64) for record in records[:FIRST_UNREADABLE])
    more = "…" if len(records) > FIRST_UNREADABLE else ""
    return [request.say("health.unreadable", count=len(records), ids=f"{ids}{more}")]


def _embedder(request: Request, found: Health) -> list[str]:
    if found.no_embedder:
        return [request.say("health.no_embedder")]
    if found.embedder_problem:
        problem = failure(request, found.embedder_problem)
        return [request.say("status.embedder_down", problem=problem)]
    if found.hashed:
        return [request.say("health.hashed", local=request.say(f"installer.{found.hashed}"))]
    return []
