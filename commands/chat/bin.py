"""The bin and quarantine: listed, brought back, deleted for good."""

from ...core.actions import bin as bin_
from ...core.actions.bin import drop, keep, list_quarantine
from ...core.text.quoting import quoted
from .records import answer, because, listed, page_number, said
from .request import Request, WrongArguments

KEEP = ("keep", "保留")
DROP = ("drop", "丢弃")

EVERYTHING = ("all", "全部")


async def quarantine(request: Request) -> str:
    """Memories that nobody recalls until somebody has decided on them."""
    match request.argument.split():
        case [word, id] if word.lower() in KEEP:
            done = await keep(request.context, id)
            return request.say("quarantine.kept", text=request.text(done))
        case [word, id] if word.lower() in DROP:
            done = await drop(request.context, id)
            return request.say("quarantine.dropped", text=request.text(done))
        case _:
            return await _listed(request)


async def _listed(request: Request) -> str:
    page = await list_quarantine(request.context, page_number(request.argument))
    lines = (
        f"{view.id} {request.date(view.memory.created_at)} "
        f"[{because(request, view.removal)}] {said(request, view)}"
        for view in page.entries
    )
    return answer(listed(request, "quarantine", page, lines, request.say("quarantine.footer")))


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


async def restore(request: Request) -> str:
    """A binned or archived memory back to life."""
    restored = await bin_.restore(request.context, request.needed)
    strength = restored.memory.vitality.strength
    return request.say("restore.done", text=request.text(restored), strength=strength)


async def list_(request: Request) -> str:
    """What lies in the bin of this chat, with the day it will be deleted for good."""
    page = await bin_.list_bin(request.context, page_number(request.argument))
    lines = list[str]()
    for view in page.entries:
        standing = view.memory.standing
        until = request.say("bin.until", date=request.date(standing.purge_at or standing.since))
        lines.append(f"{view.id} {until} [{because(request, view.removal)}] {said(request, view)}")
    return answer(listed(request, "bin", page, lines))
