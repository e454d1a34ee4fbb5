"""Memories as somebody may see them: named, dated, masked, page by page, and their outlook."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.conversation import Account, Scope, ScopeKind
from ..model.memory import Memory, Status, Succession, Successor, UserFeedback
from ..ports import Filter, Order
from ..records.short_ids import short_id
from .answers import MemoryView
from .context import Context

PAGE = 8
"""Entries of a page, if it is not said how many."""

TOLD_OF_MASKED = (
    *("id", "scope", "kind", "created_at", "happened_at", "vitality", "access", "source"),
    *("extractor", "standing", "facet", "importance", "confidence", "trust", "origin"),
    "successor",
)
"""That it is there and how it is held; of a field that is not named here nothing is told."""


@dataclass(frozen=True, slots=True)
class Page[T]:
    """One page of a listing; `number` counts from 1, `total` over all pages."""

    entries: Sequence[T]
    number: int
    pages: int
    total: int

    def showing[U](self, entries: Sequence[U]) -> "Page[U]":
        """The same page with these in the place of its entries."""
        return Page(entries, self.number, self.pages, self.total)


def page_at(number: int, size: int, total: int) -> tuple[Page[Any], int]:
    """The page of this number, still empty, and how many entries come before it.

    The last one if there are not so many.
    """
    pages = max(1, -(-total // size))
    number = min(number, pages)
    return Page((), number, pages, total), (number - 1) * size


def page_of[T](entries: Sequence[T], number: int, size: int = PAGE) -> Page[T]:
    """A page of what is at hand as a whole; the last page if there are not so many."""
    page, skip = page_at(number, size, len(entries))
    return page.showing(entries[skip : skip + size])


async def memories_page(
    context: Context,
    parts: Sequence[Filter],
    number: int,
    *,
    order: Order = Order.NEWEST,
    size: int = PAGE,
) -> Page[Memory]:
    """A page of the parts one after another; the last page if there are not so many."""
    counts = [await context.store.count(part) for part in parts]
    asked, skip = page_at(number, size, sum(counts))
    found = list[Memory]()
    for part, count in zip(parts, counts, strict=True):
        if skip < count and len(found) < size:
            limit = size - len(found)
            found += await context.store.page(part, order=order, limit=limit, offset=skip)
        skip = max(0, skip - count)
    return asked.showing(found)


async def hidden(context: Context, keys: Iterable[str]) -> frozenset[str]:
    """Those of the scopes whose contents are not shown here: private ones of others."""
    return await context.engine.revelations.foreign(context.caller.scope, keys)


async def views(
    context: Context, memories: Sequence[Memory], *, whole: bool = False
) -> list[MemoryView]:
    """The memories as the caller may see them; `whole` where they have been revealed."""
    keys = {memory.scope for memory in memories}
    masked = frozenset[str]() if whole else await hidden(context, keys)
    readable = await context.readable()
    known: dict[str, Mapping[Account, str]] = {}
    found: list[MemoryView] = []
    for memory in memories:
        among = readable if memory.scope in readable else None
        short = await short_id(context.store, memory.id, among)
        shown = _masked(memory) if memory.scope in masked else memory
        tier = context.engine.policy.tier(memory.vitality.useful_score)
        name = await _speaker_name(context, shown, known)
        found.append(MemoryView(shown, short, tier, name, memory.scope in masked))
    return found


async def shown(context: Context, page: Page[Memory]) -> Page[MemoryView]:
    """A page as the caller may see it."""
    return page.showing(await views(context, page.entries))


async def view(context: Context, memory: Memory) -> MemoryView:
    """One memory as the caller may see it."""
    return (await views(context, [memory]))[0]


async def owner_names(context: Context, owners: Iterable[str]) -> Mapping[str, str]:
    """What each group, or person, is called; "" without a name."""
    chats = await context.journal.chat_names()
    aliases = await context.journal.aliases()
    found: dict[str, str] = {}
    for owner in owners:
        scope = Scope.parse(owner)
        account = (scope.platform, scope.subject)
        if scope.kind is ScopeKind.GROUP:
            found[owner] = chats.get(owner, "")
        else:
            names = await context.engine.people.names([owner])
            found[owner] = names.get(account) or aliases.get(account, "")
    return found


async def _speaker_name(
    context: Context, memory: Memory, known: dict[str, Mapping[Account, str]]
) -> str:
    """What the speaker goes by in the memory's chat now, else at that time; names by chat."""
    if memory.speaker is None or memory.account is None:
        return ""
    owner = Scope.parse(memory.scope).owner
    if owner not in known:
        known[owner] = await context.engine.people.names([owner])
    return known[owner].get(memory.account) or memory.speaker.name


def _masked(memory: Memory) -> Memory:
    told = {name: getattr(memory, name) for name in TOLD_OF_MASKED}
    marked = UserFeedback(important=memory.feedback.important)
    return Memory(text="", summary="", feedback=marked, **told)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What time alone does to a live memory.

    Forgotten `at` a time (None: never), or `spent`: the next sweep puts it into the bin.
    """

    at: float | None
    spent: bool


@dataclass(frozen=True, slots=True)
class Replaced:
    """How a memory was replaced, and by which, if that is still there."""

    how: Succession
    newer: MemoryView | None


def outlook(context: Context, memory: Memory) -> Outlook:
    """By the policy in force; nothing for what is not live."""
    if memory.standing.status is not Status.LIVE:
        return Outlook(None, spent=False)
    at = context.engine.sweeper.policy.forgotten_at(memory)
    return Outlook(at, spent=at is not None and at <= context.now)


async def replaced(context: Context, old: Memory, link: Successor) -> Replaced:
    """What took the memory's place."""
    found = await context.store.find([link.memory], frozenset({old.scope}))
    return Replaced(link.how, await view(context, found[0]) if found else None)
