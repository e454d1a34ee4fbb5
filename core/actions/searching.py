"""Searching without a recall, and which memory an id means here."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..graph.communities import mentions
from ..languages.terms import carries_meaning, terms
from ..model.conversation import ScopeKind
from ..model.knowledge import EventType
from ..model.memory import RAW, Kind, Memory, Status
from ..ports import Filter, Order
from ..records.learnt import is_quarantined
from ..records.serialisation import indexed_text, searched_terms
from ..text.quoting import entity_id
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .views import PAGE, Page, page_of, shown, view, views

MOST_SEARCHED = 20_000
"""Memories that one search reads, the latest: archives, events and communities have no index."""

BATCH = 500
"""Memories whose words are counted at a time, off the event loop."""

MOST = 12
"""Memories of events or communities that are shown."""

MOST_LISTED = 20
"""Communities that are listed."""

MOST_NAMES = 3
"""Names by which a community is called: those that most of its memories mention."""


@dataclass(frozen=True, slots=True)
class NamedCommunity:
    """A community by its most central names, how many memories it has, and some, latest first."""

    names: tuple[str, ...]
    total: int
    memories: tuple[MemoryView, ...] = ()


async def search_archive(
    context: Context, text: str, *, limit: int = PAGE
) -> list[tuple[MemoryView, float]]:
    """Archived memories of this chat that share words with the text, best first; how well, 0..1."""
    where = Filter(scopes=await context.readable(), status=Status.ARCHIVED)
    best = (await by_words(context, where, text))[:limit]
    shown = await views(context, [memory for memory, _ in best])
    return list(zip(shown, (score for _, score in best), strict=True))


async def search_tagged(
    context: Context, tag: str, text: str = "", *, limit: int = PAGE
) -> list[MemoryView]:
    """Memories of this chat with the tag: the newest, or those that fit the text best."""
    where = Filter(scopes=await context.readable(), recallable=True, tag=tag)
    if not text:
        return await views(context, await context.store.page(where, limit=limit))
    best = (await by_words(context, where, text))[:limit]
    return await views(context, [memory for memory, _ in best])


async def search_events(
    context: Context, type: EventType, text: str = ""
) -> list[Sequence[MemoryView]]:
    """Event by event of the type the memories of this chat that tell of it, the latest first.

    With text, of those events of which any memory says it.
    """
    by_event: dict[str, list[Memory]] = {}
    for memory in await _latest(context):
        if memory.event is not None and memory.event.type == type:
            by_event.setdefault(memory.event.id, []).append(memory)
    wanted = frozenset(searched_terms(text))
    found: list[Sequence[MemoryView]] = []
    left = MOST
    for told in by_event.values():
        said = frozenset(term for memory in told for term in searched_terms(memory.text))
        if left > 0 and wanted <= said:
            found.append(await views(context, told[:left]))
            left -= len(told[:left])
    return found


async def communities(context: Context, text: str = "") -> list[NamedCommunity]:
    """Communities of this chat, the largest first; with text, those with a name or a memory that
    has its words, and their memories.
    """
    by_id: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in await _latest(context):
        if memory.community.id:
            by_id[memory.community.id].append(memory)
    ordered = sorted(by_id.items(), key=lambda item: (-len(item[1]), item[0]))
    if not text.strip():
        return [NamedCommunity(_names(own), len(own)) for _, own in ordered[:MOST_LISTED]]
    wanted, found, left = frozenset(searched_terms(text)), list[NamedCommunity](), MOST
    for _, own in ordered:
        said = (frozenset(searched_terms(memory.text)) for memory in own)
        if left > 0 and wanted and any(wanted <= each for each in said):
            shown = tuple(await views(context, own[:left]))
            found.append(NamedCommunity(_names(own), len(own), shown))
            left -= len(shown)
    return found


async def _latest(context: Context) -> Sequence[Memory]:
    where = Filter(scopes=await context.readable(), recallable=True)
    return await context.store.page(where, order=Order.LATEST, limit=MOST_SEARCHED)


async def by_words(context: Context, where: Filter, text: str) -> list[tuple[Memory, float]]:
    """Those that hold words of the text and how many of them, 0..1; the most, the newest first."""
    every, found = searched_terms(text), list[tuple[Memory, float]]()
    # Nearly every text has a function word of the question.
    wanted = frozenset(filter(carries_meaning, every)) or frozenset(every)
    for start in range(0, MOST_SEARCHED if wanted else 0, BATCH):
        page = await context.store.page(where, limit=BATCH, offset=start)
        found += await asyncio.to_thread(_shares, page, wanted)
        if len(page) < BATCH:
            break
    return sorted(found, key=lambda pair: -pair[1])


def _shares(memories: Sequence[Memory], wanted: frozenset[str]) -> list[tuple[Memory, float]]:
    held = [(memory, wanted.intersection(terms(indexed_text(memory)))) for memory in memories]
    return [(memory, len(words) / len(wanted)) for memory, words in held if words]


def _names(memories: list[Memory]) -> tuple[str, ...]:
    """As they were written; who speaks names none."""
    told = Counter[str]()
    written: dict[str, str] = {}
    for memory in memories:
        speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
        written |= {entity_id(each.name): each.name for each in memory.entities if each.name}
        written |= {entity_id(name): name for name in memory.about}
        told.update(name for name in mentions(memory) if name != speaker)
    best = sorted(told, key=lambda name: (-told[name], name))[:MOST_NAMES]
    return tuple(written.get(name, name) for name in best)


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
