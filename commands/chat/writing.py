"""What people have remembered, and put right, in their own words."""

from ...core.actions import edits
from ...core.actions.views import Replaced
from .request import Request, WrongArguments


async def remember(request: Request) -> str:
    """A new memory of this chat, kept for good: whoever asks for it says that it matters."""
    done = await edits.remember(request.context, request.needed)
    values = {"id": done.memory.id, "text": request.text(done.memory)}
    if done.new:
        return request.say("remember.done", **values)
    if done.marked:
        return request.say("remember.marked", **values)
    return request.say("remember.known", **values)


async def correct(request: Request) -> str:
    """A new text in the place of a memory."""
    written, _, text = request.argument.partition(" ")
    if not text.strip():
        raise WrongArguments
    done = await edits.correct(request.context, written, text)
    match done:
        case Replaced():
            return _replaced(request, done)
        case _:
            new, old = request.text(done.memory), request.text(done.old)
            return request.say("correct.done", id=done.memory.id, text=new, old=old)


def _replaced(request: Request, done: Replaced) -> str:
    how = request.say(f"succession.{done.how}")
    if done.newer is None:
        return request.say("correct.gone", how=how)
    return request.say("correct.already", how=how, id=done.newer.id, text=request.text(done.newer))
