"""What is known of the person who asks, line by line."""

from ...core.actions.profile import LineView, own_profile, strike
from .records import answer, page_number
from .request import Request, WrongArguments

STRIKE = ("strike", "删", "划掉")
MOST_SOURCES = 4


async def me(request: Request) -> str:
    """The lines of the page with their sources; or one of them is struck."""
    match request.argument.split():
        case []:
            return await _shown(request)
        case [word, number] if word.lower() in STRIKE:
            struck = await strike(request.context, page_number(number))
            return request.say("me.struck", text=struck.said)
        case _:
            raise WrongArguments


async def _shown(request: Request) -> str:
    lines = await own_profile(request.context)
    if not lines:
        return request.say("me.empty")
    told, section = [request.say("me.header")], None
    for line in lines:
        if line.section is not section:
            section = line.section
            told.append(request.say(f"section.{section}"))
        told.append(_line(request, line))
    return answer(told)


def _line(request: Request, line: LineView) -> str:
    ids = " ".join(line.sources[:MOST_SOURCES])
    return request.say("me.line", number=line.number, text=line.said, ids=ids)
