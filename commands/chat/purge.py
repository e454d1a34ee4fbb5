"""Deleting for good what lies in the bin."""

from ...core.model.memory import Status
from ...core.ports import Filter
from ...core.privacy.purging import PurgeCount
from ...core.text.quoting import quoted
from .records import find, id_here, one_line, sees_everything, signature
from .request import Request

AT_ONCE = 200
EVERYTHING = ("all", "全部")


async def purge(request: Request) -> str:
    """One memory of the bin, or after a confirmation everything in the bin of this chat."""
    match request.argument.split():
        case [word] if word.lower() in EVERYTHING:
            return await _ask(request)
        case [word, code] if word.lower() in EVERYTHING:
            return await _everything(request, code)
        case _:
            return await _one(request, request.argument)


async def _one(request: Request, written: str) -> str:
    memory = await find(request, written)
    if isinstance(memory, str):
        return await _unreadable(request, written) or memory
    if memory.standing.status is not Status.BINNED:
        short = await id_here(request, memory)
        return request.say("purge.not_binned", id=short, text=one_line(memory))
    purged = await request.engine.curation.purge([memory.id], by=signature(request))
    return request.say("purge.done", turns=purged.turns, text=one_line(memory))


async def _unreadable(request: Request, written: str) -> str | None:
    """Delete the record that cannot be read and has this id; None if there is none here."""
    scopes = None if sees_everything(request) else await request.readable()
    meant = [
        record
        for record in await request.engine.parts.store.unreadable()
        if record.id == written and (scopes is None or record.scope in scopes)
    ]
    if not await request.engine.curation.discard(meant, by=signature(request)):
        return None
    return request.say("purge.unreadable_done", id=quoted(written, 64))


async def _ask(request: Request) -> str:
    count = await request.engine.parts.store.count(await _bin(request))
    if count == 0:
        return request.say("bin.empty")
    code = request.services.confirmations.ask(
        request.caller, request.command, now=request.engine.parts.clock.now()
    )
    return request.say("purge.confirm", count=count, code=code)


async def _everything(request: Request, code: str) -> str:
    now = request.engine.parts.clock.now()
    confirmations = request.services.confirmations
    if not confirmations.redeem(request.caller, request.command, code, now=now):
        return request.say("purge.wrong_code")
    store, where = request.engine.parts.store, await _bin(request)
    memories = turns = 0
    while page := await store.page(where, limit=AT_ONCE):
        ids = [memory.id for memory in page]
        purged: PurgeCount = await request.engine.curation.purge(ids, by=signature(request))
        memories += purged.memories
        turns += purged.turns
    return request.say("purge.all_done", memories=memories, turns=turns)


async def _bin(request: Request) -> Filter:
    return Filter(scopes=await request.readable(), status=Status.BINNED)
