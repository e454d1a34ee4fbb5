"""Having memories put in order now, and how far that is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..model.sleeping import INSTALLATION, Deed, Sleep, SleepCause
from ..ports import WorkKind, WorkState
from .context import Context, for_admins

MOST_IN_ROUND = 10_000


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
    closed, sleeps = await context.engine.begin_sleep()
    return SleepProgress(True, closed, len(sleeps) - 1, "", await _learnt(context))


async def _under_way(context: Context) -> list[Sleep]:
    """Those that somebody or the night has asked for."""
    open_ = await context.journal.sleeping()
    asked = [sleep for sleep in open_ if sleep.cause in (SleepCause.COMMAND, SleepCause.NIGHT)]
    return asked if any(sleep.cause is SleepCause.COMMAND for sleep in asked) else []


async def _progress(context: Context, under_way: Sequence[Sleep]) -> SleepProgress:
    learnt = await _learnt(context)
    if under_way:
        begun = [step for sleep in under_way for step, s in sleep.steps.items() if not s.done]
        left = sum(sleep.scope != INSTALLATION for sleep in under_way)
        return SleepProgress(False, 0, left, next(iter(begun), ""), learnt)
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
