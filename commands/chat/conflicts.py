"""What cannot both be so: listed, and decided."""

from ...core.actions.conflicts import OpenConflict, decide, decide_both, list_conflicts
from .records import PAGE_NUMBER, answer, attribute, line, listed, page_number
from .request import Request

BOTH = ("both", "都对", "两者")
OFF = ("off", "撤销")


async def conflicts(request: Request) -> str:
    """Open conflicts of this chat; with an id, that this memory holds; with `both`, that all do."""
    match request.argument.split():
        case [word, id, *off] if word.lower() in BOTH and {*map(str.lower, off)} <= {*OFF}:
            return await _both(request, id, on=not off)
    if request.argument and not PAGE_NUMBER.fullmatch(request.argument):
        return await _decided(request)
    page = (await list_conflicts(request.context, page_number(request.argument))).page
    lines = (each for conflict in page.entries for each in _told(request, conflict))
    return answer(listed(request, "conflicts", page, lines, request.say("conflicts.footer")))


async def _decided(request: Request) -> str:
    done = await decide(request.context, request.argument)
    text = request.text(done.memory)
    return request.say("conflicts.decided", text=text, withdrawn=done.withdrawn)


async def _both(request: Request, id: str, *, on: bool) -> str:
    done = await decide_both(request.context, id, on=on)
    lines = [line(request, view) for view in done.memories]
    if not on:
        return answer([request.say("conflicts.apart"), *lines])
    return answer([request.say("conflicts.both", id=done.memories[0].id), *lines])


def _told(request: Request, conflict: OpenConflict) -> list[str]:
    named = conflict.attribute
    told = attribute(request, named) if named else request.say("conflicts.denied")
    lines = [
        request.say("conflicts.claim", line=line(request, view), trust=f"{trust:.0%}")
        for view, trust in zip(conflict.claims, conflict.trust, strict=True)
    ]
    return [f"{told}:", *lines]
