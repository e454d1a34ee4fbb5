"""Starting a sleep, its progress, its reports and undoing its decisions."""

import re
from collections.abc import Mapping

from ...core.actions import jobs
from ...core.actions import reports as report_actions
from ...core.actions.jobs import SleepProgress
from ...core.actions.reports import DecidedView, Report
from ...core.model.sleeping import Deed, Left
from ...core.text.quoting import quoted
from .listing import answer, listed, said
from .request import Request, WrongArguments

OF_A_CONVERSATION = frozenset({Deed.OVERLOOKED, Deed.REREAD})
"""What is done to a conversation as a whole, however many memories come of it."""

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


async def sleep(request: Request) -> str:
    """Put the memories of all chats in order in the background; how far that is."""
    asked = request.argument.lower()
    if asked not in ("", "status"):
        raise WrongArguments
    progress = await jobs.sleep(request.context, start=not asked)
    lines = [_told(request, progress)]
    if not progress.learnt:
        lines.append(request.say("sleep.unfinished"))
    return answer(lines)


def _told(request: Request, progress: SleepProgress) -> str:
    if progress.begun:
        return request.say("sleep.begun", episodes=progress.episodes, left=progress.left)
    if progress.left or progress.step:
        step = request.say(f"step.{progress.step}") if progress.step else "-"
        return request.say("sleep.under_way", left=progress.left, step=step)
    if progress.ended_at is None:
        return request.say("sleep.nothing")
    done = deeds(request, progress.counts, {})
    return request.say("sleep.done", time=request.time(progress.ended_at), done=done)


def deeds(request: Request, counts: Mapping[Deed, int], why: Mapping[Left, int]) -> str:
    """What was done, each with how often; if nothing, what was looked at and why not; in words."""
    if told := [request.say(f"deed.{deed}", count=count) for deed, count in counts.items()]:
        return ", ".join(told)
    reasons = [request.say(f"left.{each}", count=count) for each, count in why.items()]
    if not reasons:
        return request.say("sleep.nothing_done")
    return request.say("sleep.nothing_because", why=", ".join(reasons))


async def reports(request: Request) -> str:
    """What sleep did: the newest reports, or one of them with its decisions."""
    number, page = _asked(request.argument)
    if number is None:
        found = await report_actions.list_reports(request.context, page)
        lines = (request.say("reports.line", **_gist(request, each)) for each in found.entries)
        return answer(listed(request, "reports", found, lines))
    told = await report_actions.report(request.context, number, page)
    decisions = told.decisions
    head = request.say(
        "reports.one",
        **_gist(request, told),
        calls=told.sleep.calls,
        tokens=told.sleep.tokens,
        seconds=f"{told.seconds:.1f}",
    )
    failed = quoted(", ".join(told.failed), 80)
    left_out = [request.say("reports.failed", steps=failed)] * bool(failed)
    more = request.say("reports.page", page=decisions.number, pages=decisions.pages)
    shown = [_decision(request, each) for each in decisions.entries]
    return answer([head, *left_out, *shown, *[more] * (decisions.pages > 1)])


async def undo(request: Request) -> str:
    """Take back one decision of a sleep."""
    number = _number(request.argument.removeprefix("#"))
    undone = await report_actions.undo(request.context, number)
    return answer([request.say("undo.done", decision=_decision(request, undone))])


def _gist(request: Request, report: Report) -> dict[str, str]:
    """Which sleep it is, when and why it was, and what it did."""
    return {
        "id": str(report.sleep.id),
        "time": request.time(report.sleep.at),
        "cause": request.say(f"cause.{report.sleep.cause}"),
        "done": deeds(request, report.deeds, report.left),
    }


def _decision(request: Request, shown: DecidedView) -> str:
    decided, made = shown.decided, shown.decided.decision
    told = [f"{view.id} {said(request, view)}" for view in shown.memories]
    count = 1 if made.deed in OF_A_CONVERSATION else len(made.memories)
    line = request.say(
        "reports.decision",
        id=decided.id,
        deed=request.say(f"deed.{made.deed}", count=count),
        reason=quoted(made.reason, 60),
        memories=" | ".join(told) or request.say("reports.gone"),
    )
    return line if decided.undone_at is None else request.say("reports.undone", decision=line)


def _asked(argument: str) -> tuple[int | None, int]:
    """The number of a report, if any, and the page."""
    number, page = None, 1
    for word in argument.split():
        name, _, value = word.partition("=")
        if name == "page":
            page = _number(value)
        elif number is None:
            number = _number(word)
        else:
            raise WrongArguments
    return number, page


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise WrongArguments
    return int(text)
