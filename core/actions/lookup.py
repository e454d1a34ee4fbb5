"""Which memory an id means here, and whether the caller may change it."""

import re

from ..model.conversation import ScopeKind
from ..model.memory import Memory, Status
from ..records.quarantine import is_quarantined
from .answers import Refusal, Refused
from .context import Context
from .views import view

_ID = re.compile(r"[0-9A-Za-z-]{6,36}")


async def find(context: Context, written: str) -> Memory:
    """The memory meant by an id or its beginning, with all that it says: not to be shown as it is.

    Only what the caller may see here exists: anything else is refused like an unknown id. In
    a private chat all exists for an admin, but others' private memories say nothing there.
    """
    if not _ID.fullmatch(written):
        raise Refused(Refusal.UNKNOWN_MEMORY)
    found = await _resolved(context, written, await context.readable())
    if not found and context.caller.sees_everything:
        found = await _resolved(context, written, None)
    if len(found) != 1:
        raise Refused(Refusal.AMBIGUOUS_ID if found else Refusal.UNKNOWN_MEMORY)
    return found[0]


async def find_own(context: Context, written: str) -> Memory:
    """The same, if the caller may change it."""
    memory = await find(context, written)
    if not may_change(context, memory):
        raise Refused(Refusal.NOT_YOURS)
    return memory


async def find_in_use(context: Context, written: str) -> Memory:
    """The same, if it lies neither in the bin nor in quarantine."""
    return await in_use(context, await find_own(context, written))


async def in_use(context: Context, memory: Memory) -> Memory:
    """The memory; refused if it lies in the bin or in quarantine."""
    if is_quarantined(memory):
        raise Refused(Refusal.QUARANTINED, await view(context, memory))
    if memory.standing.status is Status.BINNED:
        raise Refused(Refusal.IN_BIN, await view(context, memory))
    return memory


def may_change(context: Context, memory: Memory) -> bool:
    """Own memories, what one said in a group oneself, and everything for admins."""
    caller = context.caller
    if caller.admin or caller.scope.kind is ScopeKind.PRIVATE:
        return True
    return memory.speaker is not None and memory.speaker.id == caller.person


async def _resolved(context: Context, written: str, scopes: frozenset[str] | None) -> list[Memory]:
    return await context.store.find(await context.store.resolve(written, scopes), scopes)
