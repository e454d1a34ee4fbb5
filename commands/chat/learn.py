"""Learning from AstrBot's stored history."""

import re

from ...core.actions.past import MOST_DAYS, learn_past
from .request import Request, WrongArguments

_HISTORY = re.compile(r"(?:--history|历史)\s+([0-9]{1,3})(?:\s+(\S{1,40}))?", re.IGNORECASE)


async def learn(request: Request) -> str:
    """What reading the last days would cost; with the code it is done."""
    given = _HISTORY.fullmatch(request.argument.strip())
    if given is None or not 1 <= int(given[1]) <= MOST_DAYS:
        raise WrongArguments
    past = await learn_past(request.context, float(given[1]), given[2] or "")
    counts = {"turns": past.turns, "calls": past.episodes, "within": past.days}
    if past.code:
        counts |= {"chats": past.chats, "tokens": past.tokens, "unclear": past.unclear}
        said = request.say("learn.confirm", **counts, days=given[1], code=past.code)
    else:
        said = request.say("learn.done", **counts)
    return f"{said}\n{request.say('learn.more')}" if past.more else said
