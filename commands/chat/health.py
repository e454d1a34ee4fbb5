"""What is wrong or missing, and what to do about it."""

from ...core.model.errors import EmbeddingUnavailable
from ...core.text.quoting import quoted
from .backend import disagreement
from .failure_messages import described, failure, place
from .records import answer
from .request import Request
from .status import installing, model_in_force
from .values import unused

NEWEST_DEAD = 3
FIRST_UNREADABLE = 5


async def health(request: Request) -> str:
    """Every complaint on a line of its own; one friendly line if there is none."""
    complaints = [
        *_incidents(request),
        *await _dead_work(request),
        *await _unreadable(request),
        *_settings(request),
        *disagreement(request),
        *await _model(request),
        *await _embedder(request),
        *installing(request),
        *_rivals(request),
    ]
    return answer(complaints or [request.say("health.fine")])


def _incidents(request: Request) -> list[str]:
    return [
        request.say(
            "health.incident",
            place=place(request, name),
            count=incident.count,
            time=request.time(incident.last_at),
            failure=failure(request, incident.text),
        )
        for name, incident in request.engine.incidents.snapshot().items()
    ]


async def _dead_work(request: Request) -> list[str]:
    return [
        request.say(
            "health.dead",
            place=place(request, work.kind),
            attempts=work.attempts,
            failure=failure(request, error),
        )
        for work, error in await request.engine.parts.journal.dead(limit=NEWEST_DEAD)
    ]


async def _unreadable(request: Request) -> list[str]:
    records = await request.engine.parts.store.unreadable()
    if not records:
        return []
    ids = ", ".join(quoted(record.id, 64) for record in records[:FIRST_UNREADABLE])
    more = "…" if len(records) > FIRST_UNREADABLE else ""
    return [request.say("health.unreadable", count=len(records), ids=f"{ids}{more}")]


def _settings(request: Request) -> list[str]:
    return [unused(request, problem) for problem in request.services.configuration.problems]


async def _model(request: Request) -> list[str]:
    if request.engine.parts.settings.learning.extractor == "rules":
        return []
    return [] if await model_in_force(request) else [request.say("health.no_model")]


async def _embedder(request: Request) -> list[str]:
    wanted = request.engine.parts.settings.embedding.source
    embedder = await request.engine.parts.embedders.choose()
    if embedder is None:
        return [] if wanted == "off" else [request.say("health.no_embedder")]
    try:
        identity = await embedder.identity()
    except EmbeddingUnavailable as error:
        return [request.say("status.embedder_down", problem=failure(request, described(error)))]
    if identity.provider != "hashed" or wanted == "hashed":
        return []
    local = await request.services.installation.status()
    return [request.say("health.hashed", local=request.say(f"installer.{local}"))]


def _rivals(request: Request) -> list[str]:
    rivals = [quoted(name, 60) for name in request.services.rivals()]
    return [request.say("health.rivals", names=", ".join(rivals))] if rivals else []
