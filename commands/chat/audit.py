"""Everything that happened to one memory, in order, and who was shown one's private ones."""

from ...core.actions.history import AuditTrail, HistoryEntry, ShownToModel, audit_trail, revelations
from ...core.model.conversation import ScopeKind
from . import history
from .records import LONGEST_ANSWER, answer
from .request import Request

LONGEST_TEXT = 120
_ROOM = LONGEST_ANSWER - 200
"""Characters for the events, beside the head of the answer."""


async def audit(request: Request) -> str:
    """Created, shown to the model, judged, changed, moved: when, by whom, why."""
    if not request.argument and request.caller.scope.kind is ScopeKind.PRIVATE:
        return await _revelations(request)
    trail = await audit_trail(request.context, request.needed)
    text = request.text(trail.memory, LONGEST_TEXT)
    head = request.say("audit.header", id=trail.memory.id, text=text)
    return _told(request, head, [_line(request, trail, event) for event in trail.events])


async def _revelations(request: Request) -> str:
    """To whom the caller's private memories were shown, when and why; the newest last."""
    entries = await revelations(request.context)
    if not entries:
        return request.say("reveal.never")
    head = request.say("reveal.header", total=len(entries))
    return _told(request, head, [history.revealed(request, entry) for entry in entries])


def _line(request: Request, trail: AuditTrail, event: HistoryEntry | ShownToModel) -> str:
    if isinstance(event, ShownToModel):
        return history.shown(request, event)
    if event.by:
        return history.event(request, event)
    made = request.say(f"extractor.{trail.memory.memory.extractor}")
    return f"{request.time(event.at)} {history.action(request, event)} · {made}"


def _told(request: Request, head: str, lines: list[str]) -> str:
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
