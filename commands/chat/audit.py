"""Everything that happened to one memory, in order, and who was shown one's private ones."""

from ...core.model.conversation import ScopeKind
from ...core.text.quoting import quoted
from . import history
from .records import LONGEST_ANSWER, answer, find, id_here
from .request import Request

LONGEST_TEXT = 120
_ROOM = LONGEST_ANSWER - 200
"""Characters for the events, beside the head of the answer."""


async def audit(request: Request) -> str:
    """Created, shown to the model, judged, changed, moved: when, by whom, why."""
    if not request.argument and request.caller.scope.kind is ScopeKind.PRIVATE:
        return await _revelations(request)
    memory = await find(request, request.argument)
    if isinstance(memory, str):
        return memory
    journal = request.engine.parts.journal
    entries = await journal.audit_of(memory.id)
    entries += await request.engine.revelations.of_memory(memory)
    scopes = frozenset({memory.scope})
    noted = any(entry.action == "created" for entry in entries)
    events = [] if noted else [(memory.created_at, history.born(request, memory))]
    events += [(entry.at, await history.event(request, entry, scopes)) for entry in entries]
    showings = await journal.showings(memory.id)
    events += [(showing.at, history.shown(request, showing)) for showing in showings]
    lines = [line for _, line in sorted(events, key=lambda event: event[0])]
    kept = _newest(lines)
    head = request.say(
        "audit.header", id=await id_here(request, memory), text=quoted(memory.text, LONGEST_TEXT)
    )
    left_out = len(lines) - len(kept)
    earlier = [request.say("audit.earlier", count=left_out)] if left_out else []
    return answer([head, *earlier, *kept])


async def _revelations(request: Request) -> str:
    """To whom the caller's private memories were shown, when and why; the newest last."""
    entries = await request.engine.revelations.of(request.caller.scope)
    if not entries:
        return request.say("reveal.never")
    kept = _newest([await history.revealed(request, entry) for entry in entries])
    left_out = len(entries) - len(kept)
    earlier = [request.say("audit.earlier", count=left_out)] if left_out else []
    return answer([request.say("reveal.header", total=len(entries)), *earlier, *kept])


def _newest(lines: list[str]) -> list[str]:
    """The last lines that there is room for."""
    room, kept = _ROOM, 0
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept += 1
    return lines[len(lines) - kept :]
