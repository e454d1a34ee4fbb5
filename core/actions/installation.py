"""How the installation is doing: numbers, models, what is wrong, and what to do next."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..model.errors import EmbeddingUnavailable, Incident, ModelUnavailable, StorageError
from ..model.sleeping import Job
from ..model.times import utc_day
from ..ports import Filter, Tally, Work, WorkState
from ..recall.trace import Leg, LegState, SilenceReason, readable
from ..records.background import spared
from ..records.notes import number_note
from ..settings import Problem, Settings
from ..sleep.sweep import LAST_SWEEP
from .context import Context, for_admins
from .keeping import Disagreement, disagreement

NEWEST_DEAD = 3
JUDGED_RECALLS = 100
OFFER, DECLINED = "embedder.offer", "declined"


@dataclass(frozen=True, slots=True)
class EmbedderInForce:
    """The vector space in use, and how many memories of all are in it.

    `sort` is hashed, local, folder, host or endpoint.
    """

    sort: str
    fingerprint: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class MissingModel:
    """A model is meant to be there and is not; `problem` is `Class: words`."""

    problem: str


type Embedding = EmbedderInForce | MissingModel | None
"""None: vectors are off, or what was asked for by name is not there."""

type Learning = str | MissingModel | None
"""The chat model that learning would use now, "" for the chat's own; None: the rules do it."""


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """The embedder in force; the local model (missing, damaged, ready) and its installation;
    whether onnxruntime is installed. It `makes_do` with hashed vectors for want of a better one,
    and then the model is `offered` if it is not there and the owner has not said "not now".
    """

    in_force: Embedding
    local: str
    installing: Job | None
    runtime: bool
    makes_do: bool
    offered: bool


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls and tokens of the model that learns, today, and the most of the tokens."""

    calls: int
    tokens: int
    most_tokens: int


@dataclass(frozen=True, slots=True)
class InstallationNumbers:
    """Counts over the whole installation, no text."""

    tally: Tally
    scopes: int
    turns: Mapping[str, int]
    embedder: EmbedderState
    learning: Learning
    spending: Spending
    work: Mapping[WorkState, int]
    swept_at: float | None
    useful: int
    useless: int


@dataclass(frozen=True, slots=True)
class Health:
    """Everything that is wrong or missing; `no_model` and `no_embedder` where one is wanted.

    `dead` is work that was given up, and by what it failed last, `Class: words`.

    `unreadable` are ids of set-aside records, `unread` what of this could not be read, by place,
    with the failure as `Class: words`. Of the newest `recalls` of all chats `late` had nothing
    ready at the deadline, `by_words` no vectors in time. `traces`: the files keep bytes of what
    was deleted until the next start.
    """

    incidents: Mapping[str, Incident]
    dead: Sequence[tuple[Work, str]]
    unreadable: Sequence[str]
    problems: Sequence[Problem]
    disagreement: Disagreement | None
    no_model: bool
    no_embedder: bool
    embedder: EmbedderState | None
    unread: Mapping[str, str]
    recalls: int
    late: int
    by_words: int
    traces: bool


@for_admins
async def embedder_state(context: Context) -> EmbedderState:
    """What searching by meaning has to work with."""
    installation, found = context.services.installation, await _embedding(context)
    local, source = await installation.status(), context.settings.embedding.source
    makes_do = isinstance(found, EmbedderInForce) and found.sort == "hashed" != source
    offered = makes_do and local in ("missing", "damaged")
    offered = offered and await context.journal.note(OFFER) != DECLINED
    runtime = installation.runtime()
    return EmbedderState(found, local, installation.job, runtime, makes_do, offered)


@for_admins
async def install_embedder(context: Context) -> EmbedderState | bool:
    """Install the local model and onnxruntime, as far as they are missing, in the background.

    No model where another embedder is in force. True if that has begun, False if all is there; the
    state if it is under way.
    """
    installation, found = context.services.installation, await _embedding(context)
    other = isinstance(found, EmbedderInForce) and found.sort in ("host", "endpoint", "folder")
    model = not other and context.settings.embedding.source != "folder"
    if installation.runtime() and (not model or await installation.status() == "ready"):
        return False
    begun = installation.start(context.by, model=model)
    return begun or await embedder_state(context)


@for_admins
async def decline_embedder(context: Context) -> None:
    """Not now: the local model is not offered any more."""
    await context.journal.set_note(OFFER, DECLINED)


@for_admins
async def numbers(context: Context) -> InstallationNumbers:
    """How the installation is doing, in numbers."""
    store, journal = context.store, context.journal
    useful, useless = await journal.verdict_counts()
    return InstallationNumbers(
        tally=await store.tally(context.engine.policy),
        scopes=len(await store.scopes()),
        turns=await journal.statistics(),
        embedder=await embedder_state(context),
        learning=await _learning(context),
        spending=await spending(context),
        work=await _work(context),
        swept_at=await number_note(journal, LAST_SWEEP),
        useful=useful,
        useless=useless,
    )


@for_admins
async def health(context: Context) -> Health:
    """What is wrong or missing."""
    settings, services = context.settings, context.services
    unread = dict[str, str]()

    def noting(place: str) -> Callable[[StorageError], None]:
        return lambda error: unread.update({place: _described(error)})

    embedder = await spared(embedder_state(context), None, noting("embedding"))
    lacking = embedder is not None and embedder.in_force is None
    dead = await spared(context.journal.dead(limit=NEWEST_DEAD), [], noting("queue"))
    aside = await spared(context.store.unreadable(), [], noting("set_aside"))
    newest = context.journal.newest_recollections(limit=JUDGED_RECALLS)
    found = await spared(newest, [], noting("recall"))
    traces = [trace for each in found if (trace := readable(each.trace)) is not None]
    legs = [{(report.leg, report.state) for report in trace.legs} for trace in traces]
    rules = settings.learning.extractor == "rules"
    folder = services.data_folder
    kept = folder is not None and await spared(folder.traces.left(), False, noting("erase"))
    return Health(
        incidents=context.engine.incidents.snapshot(),
        dead=dead,
        unreadable=[record.id for record in aside],
        problems=services.configuration.problems,
        disagreement=disagreement(context),
        no_model=not rules and await _learning(context) is None,
        no_embedder=lacking and settings.embedding.source != "off",
        embedder=embedder,
        unread=unread,
        recalls=len(traces),
        late=sum(trace.silence is SilenceReason.LATE for trace in traces),
        by_words=sum((Leg.SEMANTIC, LegState.LATE) in late for late in legs),
        traces=kept,
    )


@for_admins
async def spending(context: Context) -> Spending:
    """What learning costs today."""
    usage = await context.journal.usage(utc_day(context.now))
    return Spending(usage.calls, usage.tokens, context.settings.learning.daily_tokens)


async def _embedding(context: Context) -> Embedding:
    embedder = await context.engine.embedders.choose()
    if embedder is None:
        return None
    try:
        identity = await embedder.identity()
    except EmbeddingUnavailable as error:
        return MissingModel(_described(error))
    done, total = await context.store.embedded_count(identity.fingerprint)
    return EmbedderInForce(_sort(identity.provider), identity.fingerprint, done, total)


async def _learning(context: Context) -> Learning:
    try:
        model = await context.engine.models.choose(context.caller.session)
    except ModelUnavailable as error:
        return MissingModel(_described(error))
    if model is None:
        return None
    learning = context.settings.learning
    own_endpoint = learning.endpoint_url and learning.extractor in ("auto", "endpoint")
    return learning.endpoint_model if own_endpoint else learning.provider_id


async def _work(context: Context) -> Mapping[WorkState, int]:
    counts = dict.fromkeys(WorkState, 0)
    for (_, state), count in (await context.journal.backlog()).items():
        counts[state] += count
    return counts


def _sort(provider: str) -> str:
    if provider in ("hashed", "local", "folder"):
        return provider
    return "host" if provider.startswith("host@") else "endpoint"


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


MOST = 3

TOLD = "told_what_is_on"
"""The note that an admin has been told what is on and what it costs."""


class NextStep(StrEnum):
    """A command worth giving now; each has a message of its name under `next`."""

    RESUME = "resume"
    HEALTH = "health"
    MODEL = "model"
    EMBEDDER = "embedder"
    MOVE_IN = "move_in"
    REMEMBER = "remember"
    TALK = "talk"
    MINE = "mine"
    WHY = "why"
    CORRECT = "correct"
    PAUSE = "pause"


class SwitchedOn(StrEnum):
    """What the settings let the bot do; each has a message of its name under `on`."""

    BOTH = "both"
    RECORDING = "recording"
    RECALL = "recall"
    NEITHER = "neither"

    @classmethod
    def by(cls, settings: Settings) -> "SwitchedOn":
        """As they are set."""
        if settings.capture.enabled:
            return cls.BOTH if settings.recall.enabled else cls.RECORDING
        return cls.RECALL if settings.recall.enabled else cls.NEITHER


@dataclass(frozen=True, slots=True)
class NextSteps:
    """How many memories there are here, the steps, and what could be moved in by the first.

    `cost` is for the first admin who asks: what learning costs while this is `on`.
    """

    memories: int
    steps: Sequence[NextStep]
    on: SwitchedOn
    neighbour: str = ""
    cost: Spending | None = None


async def next_steps(context: Context) -> NextSteps:
    """The three that fit: to resume if memory is paused, to mend or to move in if an admin can, to
    look after what there is, or to begin.
    """
    caller = context.caller
    count = await context.store.count(Filter(scopes=await context.readable()))
    neighbour = await _neighbour(context)
    paused = await context.engine.consents.pause(caller.scope, caller.person) is not None
    first = [NextStep.RESUME] if paused else []
    first += await _mending(context) if caller.admin else []
    first += [NextStep.MOVE_IN] if neighbour else []
    begun = [NextStep.MINE, NextStep.WHY, NextStep.CORRECT]
    fresh = [NextStep.TALK, NextStep.REMEMBER, NextStep.PAUSE]
    steps = [*first, *(begun if count else fresh)]
    on = SwitchedOn.by(context.settings)
    return NextSteps(count, steps[:MOST], on, neighbour, await _first_told(context))


async def _mending(context: Context) -> list[NextStep]:
    """What an admin is needed for, the gravest first."""
    found = await health(context)
    steps = [NextStep.HEALTH] if found.dead or found.unreadable or found.unread else []
    steps += [NextStep.MODEL] if found.no_model else []
    offered = found.embedder is not None and found.embedder.offered
    return [*steps, NextStep.EMBEDDER] if offered else steps


async def _first_told(context: Context) -> Spending | None:
    """What learning costs, once; None where that cannot be noted, lest it be told for ever."""
    if not context.caller.admin or await context.journal.note(TOLD) is not None:
        return None
    try:
        await context.journal.set_note(TOLD, repr(context.now))
    except StorageError:
        return None
    return await spending(context)


async def _neighbour(context: Context) -> str:
    """Another memory plugin whose memories an admin has not moved in yet; "" without one."""
    data_folder = context.services.data_folder
    if data_folder is None or not context.caller.admin:
        return ""
    there = await asyncio.to_thread(data_folder.places.neighbours)
    moved = {batch.program for batch in await data_folder.moving_in.batches.every()}
    return next((name for name in there if name not in moved), "")
