"""Learning from AstrBot's stored history, and a dry run of learning."""

import re

from ...core.actions.answers import Refusal, Refused
from ...core.actions.dry_run import MOST_MESSAGES, DryRun, dry_run
from ...core.actions.past import MOST_DAYS, PastLearnt, PastToConfirm, learn_past
from ...core.text.quoting import quoted
from .records import said
from .request import Request

_HISTORY = re.compile(r"(?:--history|历史)\s+([0-9]{1,3})(?:\s+(\S{1,40}))?", re.IGNORECASE)
_DRY_RUN = re.compile(r"(?:--dry-run|试学)\s+([0-9]{1,3})(\s+(?:--ask|问))?", re.IGNORECASE)

LONGEST_PROMPT = 6_000
LONGEST_TURN = 80


async def learn(request: Request) -> str:
    """What reading the last days would cost; with the code it is done. Or a dry run."""
    if trial := _DRY_RUN.fullmatch(request.argument.strip()):
        return await _dry_run(request, int(trial[1]), ask=trial[2] is not None)
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


async def _dry_run(request: Request, messages: int, *, ask: bool) -> str:
    if not 1 <= messages <= MOST_MESSAGES:
        return request.wrong_arguments()
    found = await dry_run(request.context, messages, ask=ask)
    if not isinstance(found, DryRun):
        return (
            request.say("learn.dry_nothing")
            if found.reason is Refusal.NOTHING_THERE
            else (request.refused(found))
        )
    outcome = request.say(f"dry_run.{found.outcome}")
    lines = [request.say("learn.dry", messages=found.messages, outcome=outcome)]
    for each in found.covered:
        text = quoted(each.text, LONGEST_TURN)
        lines.append(
            request.say("learn.covered", text=text, id=each.by.id, by=said(request, each.by))
        )
    if found.unanswered is not None:
        lines.append(request.say(f"unanswered.{found.unanswered}"))
        return "\n".join([*lines, *_prompt(request, found)])
    lines += _reply(request, found)
    return "\n".join(lines)


def _prompt(request: Request, found: DryRun) -> list[str]:
    """As it would be sent, but for the instructions: they are the same each time."""
    version, _, rest = found.instructions.partition("\n")
    head = request.say("learn.prompt", tokens=found.tokens, version=version, size=len(rest))
    cut = found.prompt[:LONGEST_PROMPT]
    return [head, cut + "…" * (len(cut) < len(found.prompt))]


def _reply(request: Request, found: DryRun) -> list[str]:
    lines = [request.say("learn.proposed", count=len(found.proposed))]
    for each in found.proposed:
        marks = [each.gap] if each.gap else []
        if each.follows is not None and each.how is not None:
            marks.append(f"{request.say(f'succession.{each.how}')} {each.follows.id}")
        if each.doubt:
            marks.append(request.say("learn.doubt", doubt=each.doubt))
        text = quoted(each.text, 500)
        lines.append(f"- {text}{f' [{"; ".join(marks)}]' if marks else ''}")
    if found.useful:
        told = ", ".join(view.id for view in found.useful)
        lines.append(request.say("learn.useful", ids=told))
    return lines
