"""What cannot both be so: listed, and decided."""

from ...core.actions.answers import Refused
from ...core.actions.conflicts import OpenConflict, decide, list_conflicts
from .attributes import attribute
from .records import answer, line, page_number
from .request import Request


async def conflicts(request: Request) -> str:
    """Open conflicts of this chat; or, with an id, that this memory holds."""
    number = page_number(request.argument)
    if number is None:
        return await _decided(request)
    page = await list_conflicts(request.context, number)
    if page.total == 0:
        return request.say("conflicts.none")
    head = request.say("conflicts.header", total=page.total, page=page.number, pages=page.pages)
    lines = [each for conflict in page.entries for each in _told(request, conflict)]
    return answer([head, *lines, request.say("conflicts.footer")])


async def _decided(request: Request) -> str:
    done = await decide(request.context, request.argument)
    if isinstance(done, Refused):
        return request.refused(done)
    text = request.text(done.memory)
    return request.say("conflicts.decided", text=text, withdrawn=done.withdrawn)


def _told(request: Request, conflict: OpenConflict) -> list[str]:
    named = conflict.attribute
    told = attribute(request, named) if named else request.say("conflicts.denied")
    return [f"{told}:", *(f"  {line(request, view)}" for view in conflict.claims)]
