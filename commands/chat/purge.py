"""Deleting for good what lies in the bin."""

from ...core.actions import bin as bin_
from ...core.actions.answers import Refusal, Refused
from ...core.actions.bin import Discarded, Purged, PurgeToConfirm
from ...core.text.quoting import quoted
from .request import Request

EVERYTHING = ("all", "全部")


async def purge(request: Request) -> str:
    """One memory of the bin, or after a confirmation everything in the bin of this chat."""
    match request.argument.split():
        case [word, *code] if word.lower() in EVERYTHING and len(code) <= 1:
            return _all(request, await bin_.purge_all(request.context, "".join(code)))
        case []:
            return request.wrong_arguments()
        case _:
            return _one(request, await bin_.purge(request.context, request.argument))


def _one(request: Request, done: Purged | Discarded | Refused) -> str:
    match done:
        case Discarded():
            return request.say("purge.unreadable_done", id=quoted(request.argument, 64))
        case Refused(Refusal.NOT_BINNED, memory) if memory is not None:
            return request.say("purge.not_binned", id=memory.id, text=request.text(memory))
        case Refused():
            return request.refused(done)
        case Purged(_, turns, memory):
            text = "" if memory is None else request.text(memory)
            return request.say("purge.done", turns=turns, text=text)


def _all(request: Request, done: Purged | PurgeToConfirm | Refused) -> str:
    match done:
        case Refused(Refusal.NOTHING_THERE):
            return request.say("bin.empty")
        case Refused(Refusal.WRONG_CODE):
            return request.say("purge.wrong_code")
        case Refused():
            return request.refused(done)
        case PurgeToConfirm(count, code):
            return request.say("purge.confirm", count=count, code=code)
        case Purged(memories, turns):
            return request.say("purge.all_done", memories=memories, turns=turns)
