"""What others have said about the caller in a group, to be listed and corrected by the caller."""

import re

from ..model.conversation import ScopeKind
from ..model.memory import RAW, Kind, Memory
from ..ports import Filter
from ..text.display_names import entity_id
from .answers import MemoryView
from .context import Context
from .views import Page, page_of, shown

MOST_READ = 2_000
"""Memories of a group, the newest, that are looked through."""


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
