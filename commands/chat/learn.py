"""Learning from what AstrBot has stored of the time before memory was there."""

import re

from ...core.actions.answers import Refusal, Refused
from ...core.actions.past import MOST_DAYS, PastLearnt, PastToConfirm, learn_past
from .request import Request

_HISTORY = re.compile(r"(?:--history|历史)\s+([0-9]{1,3})(?:\s+(\S{1,40}))?", re.IGNORECASE)


async def learn(request: Request) -> str:
    """What reading the last days would cost; with the code it is done."""
    given = _HISTORY.fullmatch(request.argument.strip())
    if given is None or not 1 <= int(given[1]) <= MOST_DAYS:
        return request.wrong_arguments()
    match await learn_past(request.context, float(given[1]), given[2] or ""):
        case Refused(Refusal.NOTHING_THERE):
            return request.say("learn.nothing")
        case Refused(Refusal.WRONG_CODE):
            return request.say("learn.wrong_code")
        case Refused() as refused:
            return request.refused(refused)
        case PastToConfirm(plan, code):
            said = request.say(
                "learn.confirm",
                chats=plan.chats,
                turns=plan.turns,
                calls=plan.episodes,
                tokens=plan.tokens,
                within=plan.days,
                unclear=plan.unclear,
                days=given[1],
                code=code,
            )
            more = plan.more
        case PastLearnt(turns, episodes, within, more):
            said = request.say("learn.done", turns=turns, calls=episodes, within=within)
    return f"{said}\n{request.say('learn.more')}" if more else said
