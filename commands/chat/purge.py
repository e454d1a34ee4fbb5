"""Deleting for good what lies in the bin."""

from ...core.actions import bin as bin_
from ...core.text.quoting import quoted
from .request import Request, WrongArguments

EVERYTHING = ("all", "全部")


async def purge(request: Request) -> str:
    """One memory of the bin, or after a confirmation everything in the bin of this chat."""
    match request.argument.split():
        case [word, *code] if word.lower() in EVERYTHING and len(code) <= 1:
            done = await bin_.purge_all(request.context, "".join(code))
            if done.code:
                return request.say("purge.confirm", count=done.memories, code=done.code)
            return request.say("purge.all_done", memories=done.memories, turns=done.turns)
        case []:
            raise WrongArguments
        case _:
            done = await bin_.purge(request.context, request.argument)
            if done.memory is None:
                return request.say("purge.unreadable_done", id=quoted(request.argument, 64))
            return request.say("purge.done", turns=done.turns, text=request.text(done.memory))
