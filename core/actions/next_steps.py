"""The commands that a person most likely needs next, by the state of their memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..ports import Filter
from .context import Context
from .installation import health

MOST = 3


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


@dataclass(frozen=True, slots=True)
class NextSteps:
    """How many memories there are here, the steps, and what could be moved in by the first."""

    memories: int
    steps: Sequence[NextStep]
    neighbour: str = ""


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
    return NextSteps(count, steps[:MOST], neighbour)


async def _mending(context: Context) -> list[NextStep]:
    """What an admin is needed for, the gravest first."""
    found = await health(context)
    steps = [NextStep.HEALTH] if found.dead or found.unreadable or found.unread else []
    steps += [NextStep.MODEL] if found.no_model else []
    return [*steps, NextStep.EMBEDDER] if found.offered else steps


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
