"""Long work: listed and cancelled; sleep of all chats; learning from what the host has stored."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from ..embedding.backfill import BATCH
from ..engine.past import PastReading, recorded
from ..model.consent import person_in
from ..model.errors import EmbeddingUnavailable
from ..model.sleeping import INSTALLATION, Deed, Job, JobKind, JobState, Sleep, SleepCause
from ..ports import WorkKind, WorkState
from ..records.notes import json_note
from ..transfer.host_history import StoredTurn
from .answers import Refusal, Refused
from .context import Context, for_admins, told
from .keeping import cancel_move, move_job

MOST_IN_ROUND = 10_000

ROUND = "sleep_round"
"""The note of how many sleeps began together, by which one tells how far they are."""


@dataclass(frozen=True, slots=True)
class SleepProgress:
    """How far the newest sleep of all chats is. `left` chats are still to be put in order.

    `begun`: the caller has started it just now, which has ended so many `episodes`. `step` is what
    is being done at the moment. With nothing left, `counts` has what was done and `ended_at` when
    (None: never). `learnt`: nothing is left to be learnt.
    """

    learnt: bool
    begun: bool = False
    episodes: int = 0
    left: int = 0
    step: str = ""
    ended_at: float | None = None
    counts: Mapping[Deed, int] = field(default_factory=dict[Deed, int])


@for_admins
async def sleep(context: Context, *, start: bool) -> SleepProgress:
    """Start it unless it is under way, and without waiting tell how far it is."""
    asked, began = await _asked(context), context.now
    if any(each.cause is SleepCause.COMMAND for each in asked):
        left = sum(each.scope != INSTALLATION for each in asked)
        return SleepProgress(await _learnt(context), left=left, step=_step(asked))
    if not start:
        return await _last_round(context)
    closed, sleeps = await context.engine.begin_sleep()
    context.services.jobs.note_asker(JobKind.SLEEP, context.by)
    await context.journal.set_note(ROUND, json.dumps({"at": began, "total": len(sleeps)}))
    learnt, left = await _learnt(context), len(sleeps) - 1
    return SleepProgress(learnt, begun=True, episodes=closed, left=left)


async def sleep_job(context: Context) -> Job | None:
    """The sleep of all chats that is under way, of a command or of the night."""
    asked = await _asked(context)
    if not asked:
        return None
    began = min(each.at for each in asked)
    noted = await json_note(context.journal, ROUND) or {}
    total = noted["total"] if noted.get("at") == began else 0
    return Job(
        id=JobKind.SLEEP,
        kind=JobKind.SLEEP,
        by=context.services.jobs.asker(JobKind.SLEEP),
        subject=_step(asked),
        done=max(0, total - len(asked)),
        total=total,
        started_at=began,
    )


async def stop_sleep(context: Context) -> None:
    """End it where it is: what has been decided stands, and can be undone."""
    async with context.engine.worker.halted():
        job = await sleep_job(context)
        for each in await _asked(context):
            await context.journal.end_sleep(each, at=context.now)
        if job is not None:
            context.services.jobs.note_cancelled(job)


async def _asked(context: Context) -> list[Sleep]:
    """Those that somebody or the night has asked for."""
    open_ = await context.journal.sleeping()
    return [sleep for sleep in open_ if sleep.cause in (SleepCause.COMMAND, SleepCause.NIGHT)]


def _step(asked: Sequence[Sleep]) -> str:
    """What is being done at the moment."""
    begun = [step for sleep in asked for step, state in sleep.steps.items() if not state.done]
    return next(iter(begun), "")


async def _last_round(context: Context) -> SleepProgress:
    """What was done by all that began together with the newest sleep that tells anything."""
    scopes = frozenset(await context.store.scopes()) | await context.journal.scopes()
    found = await context.journal.reports({INSTALLATION, *scopes}, limit=MOST_IN_ROUND)
    counts, ended = Counter[Deed](), list[float]()
    for each in found:
        if each.at == found[0].at:
            counts.update(each.counts)
            ended.append(each.ended_at or each.at)
    ended_at = max(ended, default=None)
    return SleepProgress(await _learnt(context), ended_at=ended_at, counts=counts)


async def _learnt(context: Context) -> bool:
    return (WorkKind.LEARN, WorkState.READY) not in await context.journal.backlog()


@for_admins
async def list_jobs(context: Context) -> Sequence[Job]:
    """Those under way, then those that are over; the newest first.

    What has a journal of its own (sleep, vectors, a move) is read from that.
    """
    journaled = [await sleep_job(context), await _embedding_job(context), move_job(context)]
    found = [job for job in journaled if job is not None]
    for job in found:
        context.services.jobs.note_begun(job.id)
    every = [replace(job, by=told(job.by)) for job in (*context.services.jobs.every(), *found)]
    return sorted(every, key=lambda job: not job.running)


@for_admins
async def cancel_job(context: Context, id: str) -> Job:
    """Give one up. What it has done stays whole: it can be gone on with, or nothing is left of it.

    Raises StorageError.
    """
    jobs = await list_jobs(context)
    job = next((each for each in jobs if each.id == id.lower() and each.running), None)
    if job is None:
        raise Refused(Refusal.UNKNOWN_JOB)
    match job.kind:
        case JobKind.SLEEP:
            await stop_sleep(context)
        case JobKind.EMBEDDING:
            context.engine.backfill.held = True
        case JobKind.MIGRATION:
            await cancel_move(context)
        case _:
            context.services.jobs.cancel(job.id)
    return job


async def _embedding_job(context: Context) -> Job | None:
    """Vectors for memories that have none of the embedder in force; None for a few new ones."""
    backfill = context.engine.backfill
    if not backfill.working:
        return None
    embedder = await context.engine.embedders.choose()
    if embedder is None:
        return None
    try:
        fingerprint = (await embedder.identity()).fingerprint
    except EmbeddingUnavailable:
        return None
    done, total = await context.store.embedded_count(fingerprint)
    if total - done <= BATCH:
        return None
    kind, held = JobKind.EMBEDDING, backfill.held
    state = JobState.CANCELLED if held else JobState.RUNNING
    return Job(id=kind, kind=kind, state=state, done=done, total=total, problem=backfill.problem)


DAY = 86_400.0
MOST_DAYS = 365.0
CALL_TOKENS = 2_500
"""What a learning call costs besides the messages: instructions, what is known, the reply."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a run reads: chats, messages, episodes, and tokens of a model by an estimate.

    `days` is how long learning would take within half of each day's budget. `unclear` are
    conversations, and messages, of which it is not known who spoke or when: they are left out.
    `more` if there is more than one run takes.
    """

    chats: int
    turns: int
    episodes: int
    tokens: int
    days: int
    unclear: int
    more: bool


async def learn_past(context: Context, days: float, code: str = "") -> Past:
    """Read the last `days` before recording began: all chats for admins, else the caller's own.

    First a code, with what that would cost. Done again, it goes on where it stopped: no message is
    recorded twice, and those that were new are told.
    """
    history = context.services.host_history
    if history is None:
        raise Refused(Refusal.NOTHING_THERE)
    what = f"learn history {days:g}"
    if code:
        context.redeem(what, code)
    owners = None
    if not context.caller.admin:
        caller = person_in(context.caller.scope, context.caller.person)
        owners = await context.engine.consents.owners(caller)
    engine, cap, fresh = context.engine, context.settings.learning.daily_tokens, 0
    pace = _Pace(max(CALL_TOKENS, cap // 2))
    now = context.now
    reading = PastReading(
        history, engine.journal, engine.settings, engine.consents, engine.admission, now, owners
    )
    async for place, turns in reading.episodes(now - days * DAY):
        learn_at = now + DAY * pace.day(turns)
        if code:
            new = [recorded(turn, place) for turn in turns]
            fresh += await context.journal.append_past(new, now=now, learn_at=learn_at)
    if not code and not reading.turns:
        raise Refused(Refusal.NOTHING_THERE)
    past = Past(
        reading.chats,
        fresh if code else reading.turns,
        pace.calls,
        pace.tokens,
        pace.days,
        reading.unclear,
        reading.more,
    )
    if not code:
        raise context.code_needed(what, **asdict(past), last=f"{days:g}")
    engine.wake()
    return past


@dataclass(slots=True)
class _Pace:
    """Spreads episodes over days: `most` tokens of each, half of its cap, are for them."""

    most: int
    calls: int = 0
    tokens: int = 0

    def day(self, turns: Sequence[StoredTurn]) -> int:
        """On which day, from 0, an episode of these turns is learnt from."""
        day = self.tokens // self.most
        self.calls += 1
        self.tokens += CALL_TOKENS + sum(len(turn.text) for turn in turns)
        return day

    @property
    def days(self) -> int:
        return 1 + max(0, self.tokens - 1) // self.most
