"""The commands that a person most likely needs next, by the state of their memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..model.errors import StorageError
from ..ports import Filter
from ..settings import Settings
from .context import Context
from .installation import Spending, health, spending

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
    caller, count = context.caller, await _count(context)
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
    return [*steps, NextStep.EMBEDDER] if found.offered else steps


async def _first_told(context: Context) -> Spending | None:
    """What learning costs, once; None where that cannot be noted, lest it be told for ever."""
    if not context.caller.admin or await context.journal.note(TOLD) is not None:
        return None
    try:
        await context.journal.set_note(TOLD, repr(context.now))
    except StorageError:
        return None
    return await spending(context)


async def _count(context: Context) -> int:
    return await context.store.count(Filter(scopes=await context.readable()))


async def _neighbour(context: Context) -> str:
    """Another memory plugin whose memories an admin has not moved in yet; "" without one."""
    data_folder = context.services.data_folder
    if data_folder is None or not context.caller.admin:
        return ""
    there = await asyncio.to_thread(data_folder.places.neighbours)
    moved = {batch.program for batch in await data_folder.moving_in.batches.every()}
    return next((name for name in there if name not in moved), "")
