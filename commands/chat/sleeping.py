"""Having memories put in order, and what came of it."""

from collections.abc import Mapping

from ...core.actions import sleeping
from ...core.actions.answers import Refused
from ...core.actions.sleeping import SleepProgress
from ...core.model.sleeping import Deed
from .records import answer
from .request import Request


async def sleep(request: Request) -> str:
    """Put the memories of all chats in order in the background; how far that is."""
    asked = request.argument.lower()
    if asked not in ("", "status"):
        return request.wrong_arguments()
    progress = await sleeping.sleep(request.context, start=not asked)
    if isinstance(progress, Refused):
        return request.refused(progress)
    lines = [_told(request, progress)]
    if not progress.learnt:
        lines.append(request.say("sleep.unfinished"))
    return answer(lines)


def _told(request: Request, progress: SleepProgress) -> str:
    if progress.begun:
        return request.say("sleep.begun", episodes=progress.episodes, left=progress.left)
    if progress.left or progress.step:
        step = request.say(f"step.{progress.step}") if progress.step else "-"
        return request.say("sleep.under_way", left=progress.left, step=step)
    if progress.ended_at is None:
        return request.say("sleep.nothing")
    done = deeds(request, progress.counts)
    return request.say("sleep.done", time=request.time(progress.ended_at), done=done)


def deeds(request: Request, counts: Mapping[Deed, int]) -> str:
    """What was done, each with how often; in words."""
    told = [request.say(f"deed.{deed}", count=count) for deed, count in counts.items()]
    return ", ".join(told) if told else request.say("sleep.nothing_done")
