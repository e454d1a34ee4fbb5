"""What was learnt and not borne out by what was said."""

from ...core.actions.bin import drop, keep, list_quarantine
from .records import answer, because, page_number, said
from .request import Request

KEEP = ("keep", "保留")
DROP = ("drop", "丢弃")


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
    number = page_number(request.argument)
    page = await list_quarantine(request.context, number)
    if page.total == 0:
        return request.say("quarantine.empty")
    head = request.say("quarantine.header", total=page.total, page=page.number, pages=page.pages)
    lines = [
        f"{view.id} {request.date(view.memory.created_at)} "
        f"[{because(request, view.removal)}] {said(request, view)}"
        for view in page.entries
    ]
    return answer([head, *lines, request.say("quarantine.footer")])
