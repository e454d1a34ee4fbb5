"""How the installation is doing, in numbers."""

from ...core.actions.services import Stage
from ...core.model.errors import EmbeddingUnavailable, ModelUnavailable
from ...core.model.memory import Status
from ...core.model.times import utc_day
from ...core.ports import WorkState
from ...core.records.notes import number_note
from ...core.sleep.sweep import LAST_SWEEP
from ...core.text.quoting import quoted
from ...core.text.token_count import ESTIMATE
from .failure_messages import described, failure
from .records import answer
from .request import Request


async def status(request: Request) -> str:
    """Counts over the whole installation; no memory's text."""
    return answer(
        [
            *await _memories(request),
            await _turns(request),
            await embedder_in_force(request),
            *installing(request),
            await _learning(request),
            await _queue(request),
            await _sweep(request),
            await _verdicts(request),
            _tokenizer(request),
        ]
    )


async def embedder_in_force(request: Request) -> str:
    """Which vector space is used and how much of the memory is in it."""
    embedder = await request.engine.parts.embedders.choose()
    if embedder is None:
        return request.say("status.embedder_off")
    try:
        identity = await embedder.identity()
    except EmbeddingUnavailable as error:
        return request.say("status.embedder_down", problem=failure(request, described(error)))
    fingerprint = identity.fingerprint
    done, total = await request.engine.parts.store.embedded_count(fingerprint)
    sort = request.say(f"space.{_sort(identity.provider)}")
    name = quoted(fingerprint, 80)
    return request.say("status.embedder", sort=sort, name=name, done=done, total=total)


def installing(request: Request) -> list[str]:
    """How far a running installation of the local model is, or why the last one failed."""
    progress = request.services.installation.progress
    if progress is None:
        return []
    match progress.stage:
        case Stage.RUNNING:
            return [request.say("embedder.running", share=f"{progress.share:.0%}")]
        case Stage.FAILED:
            return [request.say("embedder.failed", problem=failure(request, progress.problem))]
        case Stage.READY:
            return []


async def model_in_force(request: Request) -> str | None:
    """The chat model that learning would use now; None if it falls to the rules."""
    try:
        model = await request.engine.parts.models.choose(request.caller.session)
    except ModelUnavailable as error:
        return request.say("status.model_awaited", problem=failure(request, described(error)))
    if model is None:
        return None
    learning = request.engine.parts.settings.learning
    own_endpoint = learning.endpoint_url and learning.extractor in ("auto", "endpoint")
    named = learning.endpoint_model if own_endpoint else learning.provider_id
    return quoted(named, 60) or request.say("status.model_of_chat")


def _sort(provider: str) -> str:
    if provider in ("hashed", "local"):
        return provider
    return "host" if provider.startswith("host@") else "endpoint"


def _tokenizer(request: Request) -> str:
    name = request.services.tokenizer
    if name == ESTIMATE:
        return request.say("status.estimated")
    return request.say("status.tokenizer", name=quoted(name, 40))


async def _memories(request: Request) -> list[str]:
    store = request.engine.parts.store
    tally = await store.tally(request.engine.policy)
    t0, t1, t2 = tally.tiers
    counts = request.say(
        "status.memories",
        live=tally.by_status.get(Status.LIVE, 0),
        t0=t0,
        t1=t1,
        t2=t2,
        archived=tally.by_status.get(Status.ARCHIVED, 0),
        binned=tally.by_status.get(Status.BINNED, 0),
        scopes=len(await store.scopes()),
    )
    kinds = [f"{request.say(f'kind.{kind}')} {n}" for kind, n in tally.by_kind.items() if n]
    return [counts, request.say("status.kinds", kinds=", ".join(kinds))] if kinds else [counts]


async def _turns(request: Request) -> str:
    rows = await request.engine.parts.journal.statistics()
    return request.say("status.turns", **rows)


async def _learning(request: Request) -> str:
    model = await model_in_force(request)
    learning = request.engine.parts.settings.learning
    now = request.engine.parts.clock.now()
    usage = await request.engine.parts.journal.usage(utc_day(now))
    return request.say(
        "status.learning",
        model=model or request.say("status.rules"),
        calls=usage.calls,
        most_calls=learning.daily_calls,
        tokens=usage.tokens,
        most_tokens=learning.daily_tokens,
    )


async def _queue(request: Request) -> str:
    backlog = await request.engine.parts.journal.backlog()
    counts = dict.fromkeys(WorkState, 0)
    for (_, state), count in backlog.items():
        counts[state] += count
    return request.say("status.queue", ready=counts[WorkState.READY], dead=counts[WorkState.DEAD])


async def _sweep(request: Request) -> str:
    last = await number_note(request.engine.parts.journal, LAST_SWEEP)
    if last is None:
        return request.say("status.never_swept")
    return request.say("status.swept", time=request.time(last))


async def _verdicts(request: Request) -> str:
    useful, useless = await request.engine.parts.journal.verdict_counts()
    return request.say("status.verdicts", useful=useful, useless=useless)
