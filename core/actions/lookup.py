"""Which memory an id means here, what others said of the caller, and who may change it."""

import re

from ..model.conversation import ScopeKind
from ..model.memory import RAW, Kind, Memory, Status
from ..ports import Filter
from ..records.quarantine import is_quarantined
from ..text.display_names import entity_id
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .views import Page, page_of, shown, view

_ID = re.compile(r"[0-9A-Za-z-]{6,36}")

MOST_READ = 2_000
"""Memories of a group, the newest, that are looked through."""


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


async def about_caller(context: Context, memory: Memory) -> bool:
    """Whether others said it about the caller, in the group where they are."""
    here = context.caller.scope
    if here.kind is not ScopeKind.GROUP or memory.scope not in await context.readable():
        return False
    return is_about(memory, context.caller.person, await _own_name(context))


async def list_about(context: Context, page: int) -> Page[MemoryView]:
    """What others have said about the caller here, newest first; nothing in a private chat."""
    told = frozenset(Kind) - RAW
    where = Filter(scopes=await context.readable(), kinds=told, recallable=True)
    name, person = await _own_name(context), context.caller.person
    group = context.caller.scope.kind is ScopeKind.GROUP
    found = await context.store.page(where, limit=MOST_READ) if group else []
    return await shown(
        context, page_of([memory for memory in found if is_about(memory, person, name)], page)
    )


async def _own_name(context: Context) -> str:
    """What the caller is called here; "" if somebody else here is called the same."""
    here, person = context.caller.scope, context.caller.person
    names = await context.engine.people.names([here.owner])
    own = names.get((here.platform, person), context.caller.name)
    others = (name for account, name in names.items() if account != (here.platform, person))
    return "" if entity_id(own) in map(entity_id, others) else own


def is_about(memory: Memory, person: str, name: str) -> bool:
    """Whether others said it of this person: a user id of its platform, and the name they bear
    there, "" if that is nobody's alone.

    It is learnt, and names them as whom it is about, or they are mentioned in it as the host
    writes that, `@NAME(ID)`. What people say themselves is no statement about them here.
    """
    if memory.kind in RAW or (memory.speaker is not None and memory.speaker.id == person):
        return False
    if person and re.search(rf"@[^@\n]*?\({re.escape(person)}\)", memory.text):
        return True
    subject = () if memory.claim is None else (memory.claim.subject.partition("/")[0],)
    return bool(name) and entity_id(name) in map(entity_id, (*memory.about, *subject))
