"""Starting a sleep of all chats, and its progress."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..model.jobs import Job, JobKind
from ..model.sleeping import INSTALLATION, Deed, Sleep, SleepCause
from ..ports import WorkKind, WorkState
from ..records.notes import json_note
from .context import Context, for_admins

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

    begun: bool
    episodes: int
    left: int
    step: str
    learnt: bool
    ended_at: float | None = None
    counts: Mapping[Deed, int] = field(default_factory=dict[Deed, int])


@for_admins
async def sleep(context: Context, *, start: bool) -> SleepProgress:
    """Start it unless it is under way, and without waiting tell how far it is."""
    under_way = await _under_way(context)
    if under_way or not start:
        return await _progress(context, under_way)
    begun_at = context.now
    closed, sleeps = await context.engine.begin_sleep()
    context.services.jobs.note_asker(JobKind.SLEEP, context.by)
    await context.journal.set_note(ROUND, json.dumps({"at": begun_at, "total": len(sleeps)}))
    return SleepProgress(True, closed, len(sleeps) - 1, "", await _learnt(context))


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


async def _under_way(context: Context) -> list[Sleep]:
    """The same, if one is of a command."""
    asked = await _asked(context)
    return asked if any(sleep.cause is SleepCause.COMMAND for sleep in asked) else []


def _step(asked: Sequence[Sleep]) -> str:
    """What is being done at the moment."""
    begun = [step for sleep in asked for step, state in sleep.steps.items() if not state.done]
    return next(iter(begun), "")


async def _progress(context: Context, under_way: Sequence[Sleep]) -> SleepProgress:
    learnt = await _learnt(context)
    if under_way:
        left = sum(sleep.scope != INSTALLATION for sleep in under_way)
        return SleepProgress(False, 0, left, _step(under_way), learnt)
    newest = await _last_round(context)
    counts = Counter[Deed]()
    for each in newest:
        counts.update(each.counts)
    ended = [each.ended_at for each in newest if each.ended_at is not None]
    return SleepProgress(False, 0, 0, "", learnt, max(ended, default=None), counts)


async def _last_round(context: Context) -> list[Sleep]:
    """What began together with the newest sleep that tells anything."""
    scopes = frozenset(await context.store.scopes()) | await context.journal.scopes()
    found = await context.journal.reports({INSTALLATION, *scopes}, limit=MOST_IN_ROUND)
    return [each for each in found if each.at == found[0].at]


async def _learnt(context: Context) -> bool:
    return (WorkKind.LEARN, WorkState.READY) not in await context.journal.backlog()
