"""What happened to a memory, in words, and who was shown one's private ones."""

from collections.abc import Mapping

from ...core.actions.history import AuditTrail, HistoryEntry, ShownToModel, audit_trail, revelations
from ...core.model.conversation import ScopeKind
from ...core.text.quoting import quoted
from .records import LONGEST_ANSWER, answer, because
from .request import Request

LONGEST_REASON = 200

LONGEST_TEXT = 120
_ROOM = LONGEST_ANSWER - 200
"""Characters for the events, beside the head of the answer."""


def action(request: Request, entry: HistoryEntry) -> str:
    """What was done."""
    return request.named(f"action.{entry.action}", quoted(entry.action, 40))


def actor(request: Request, by: str, longest: int = 60) -> str:
    """Who did it."""
    return request.named(f"actor.{by}", quoted(by, longest))


def event(request: Request, entry: HistoryEntry) -> str:
    """One line: when, what, by whom, with which numbers or why."""
    told = [f"{request.time(entry.at)} {action(request, entry)}", actor(request, entry.by)]
    return " · ".join([*told, *_particulars(request, entry)])


def shown(request: Request, showing: ShownToModel) -> str:
    """One line: when the model saw it, and under which number."""
    return f"{request.time(showing.at)} {request.say('audit.shown', number=showing.number)}"


def revealed(request: Request, entry: HistoryEntry) -> str:
    """One line: when private memories were shown to somebody else, how many, to whom and why."""
    count = entry.numbers.get("count")
    told = [f"{request.time(entry.at)} {action(request, entry)}", actor(request, entry.by)]
    counted = [request.say("reveal.count", count=count)] if count else []
    return " · ".join([*told, *counted, *_reason(request, entry)])


def _particulars(request: Request, entry: HistoryEntry) -> list[str]:
    match entry.action:
        case "created":
            made = _numbers(entry, "importance", "strength")
            return [request.say("audit.made", **made)] if made else []
        case "useful" | "useless":
            left = _numbers(entry, "strength", "useful_score")
            told = [request.say("audit.judged", **left)] if left else []
            return [*told, request.say("audit.spent")] if entry.spent else told
        case "binned" | "archived":
            aged = _numbers(entry, "age_days", "useful_score")
            told = [request.say("audit.aged", **aged)] if aged else []
            return [*_reason(request, entry), *told]
        case "restored":
            back = _numbers(entry, "strength")
            return [request.say("audit.strength", **back)] if back else []
        case _ if entry.newer:
            return [request.say("audit.newer", id=entry.newer)]
        case _:
            return _reason(request, entry)


def _reason(request: Request, entry: HistoryEntry) -> list[str]:
    moved = entry.removal and because(request, entry.removal)
    reason = moved or quoted(entry.reason, LONGEST_REASON)
    return [request.say("audit.because", reason=reason)] if reason else []


def _numbers(entry: HistoryEntry, *names: str) -> Mapping[str, str]:
    """These numbers as they are shown; empty if one of them is not recorded."""
    if not all(name in entry.numbers for name in names):
        return {}
    return {name: _number(name, entry.numbers[name]) for name in names}


def _number(name: str, value: float) -> str:
    return f"{value:.0%}" if name == "importance" else f"{round(float(value), 1):g}"


async def audit(request: Request) -> str:
    """Created, shown to the model, judged, changed, moved: when, by whom, why."""
    if not request.argument and request.caller.scope.kind is ScopeKind.PRIVATE:
        return await _revelations(request)
    trail = await audit_trail(request.context, request.needed)
    text = request.text(trail.memory, LONGEST_TEXT)
    head = request.say("audit.header", id=trail.memory.id, text=text)
    return _newest(request, head, [_line(request, trail, event) for event in trail.events])


async def _revelations(request: Request) -> str:
    """To whom the caller's private memories were shown, when and why; the newest last."""
    entries = await revelations(request.context)
    if not entries:
        return request.say("reveal.never")
    head = request.say("reveal.header", total=len(entries))
    return _newest(request, head, [revealed(request, entry) for entry in entries])


def _line(request: Request, trail: AuditTrail, happened: HistoryEntry | ShownToModel) -> str:
    if isinstance(happened, ShownToModel):
        return shown(request, happened)
    if happened.by:
        return event(request, happened)
    made = request.say(f"extractor.{trail.memory.memory.extractor}")
    return f"{request.time(happened.at)} {action(request, happened)} · {made}"


def _newest(request: Request, head: str, lines: list[str]) -> str:
    """The last lines that there is room for, and how many are left out."""
    room, shown = _ROOM, 0
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        shown += 1
    left_out = len(lines) - shown
    earlier = [request.say("audit.earlier", count=left_out)] if left_out else []
    return answer([head, *earlier, *lines[left_out:]])
