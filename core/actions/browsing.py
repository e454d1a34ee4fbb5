"""Memories of every person and group, filtered, for who looks after all of them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..languages.terms import terms
from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..model.intentions import Intention
from ..model.memory import Kind, Memory, Source, Status
from ..ports import Filter, Order
from .answers import MemoryView, Refusal
from .context import Context, over_everybody
from .listing import score_span
from .masking import masked_by, seen, why_masked
from .outlook import Outlook, outlook
from .views import Page, hidden, memories_page, page_of

MOST_FOUND = 200
"""Memories that a search among living ones lists."""

MOST_READ = 20_000
"""Memories that a search among those that are gone reads, the newest; no index holds them."""

BATCH = 500
"""Memories whose words are looked at together, off the event loop."""

PAGE_SIZE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseRequest:
    """`owner` is a `Scope.owner`, "" for everybody; None and "" let everything through.

    `persona` is one of `Browsable.personas`.
    """

    owner: str = ""
    persona: str = ""
    kinds: frozenset[Kind] | None = None
    tier: int | None = None
    status: Status | None = Status.LIVE
    kept: bool | None = None
    text: str = ""
    order: Order = Order.NEWEST
    page: int = 1
    size: int = PAGE_SIZE


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory as a page lists it: whose it is, how it stands, and what becomes of it.

    `sinks_at` is when time alone forgets it, None for never. What is `masked` says nothing.
    """

    id: str
    owner: str
    owner_name: str
    owner_kind: ScopeKind
    persona: str
    kind: Kind
    text: str
    masked: bool
    speaker: str
    tier: int
    strength: int
    useful: int
    status: Status
    source: Source
    important: bool
    pinned: bool
    created_at: float
    happened_at: float
    sinks_at: float | None
    replaced: str
    removal: str
    removal_detail: str
    purge_at: float | None
    intention: Intention | None


@dataclass(frozen=True, slots=True)
class Browsed:
    """A page of memories. `why_masked` says why some are masked, None if none is.

    `left_out`: how many scopes a text was not looked for in, because they are others' private ones.
    """

    page: Page[MemoryView]
    why_masked: Refusal | None
    left_out: int


@dataclass(frozen=True, slots=True)
class OwnerView:
    """A person or a group with memories, what they are called ("" without a name), live ones."""

    owner: str
    kind: ScopeKind
    platform: str
    subject: str
    name: str
    live: int


@dataclass(frozen=True, slots=True)
class Browsable:
    """Whose memories there are, the most memories first, and under which personas."""

    owners: Sequence[OwnerView]
    personas: Sequence[str]


@over_everybody
async def browsable(context: Context) -> Browsable:
    """Everybody and every group of whom there is a memory."""
    live: dict[str, int] = {}
    personas: set[str] = set()
    for key, count in (await context.store.scopes()).items():
        scope = Scope.parse(key)
        live[scope.owner] = live.get(scope.owner, 0) + count
        personas.add(scope.persona)
    names = await owner_names(context, live)
    owners = [_owner_view(owner, names[owner], count) for owner, count in live.items()]
    owners.sort(key=lambda each: (-each.live, each.name, each.owner))
    return Browsable(owners, sorted(personas - {ANY_PERSONA}))


@over_everybody
async def browse(context: Context, asked: BrowseRequest) -> Browsed:
    """A page of all memories there are, as they may be seen.

    A text is looked for in others' private memories for a reason alone, see `masking`.
    """
    keys = await _keys(context, asked)
    left_out = 0
    if asked.text.strip() and context.reveal is None:
        others = await hidden(context, keys)
        keys, left_out = keys - others, len(others)
    found = await _page(context, _filter(context, asked, keys), asked)
    told = await seen(context, found.entries, f"browse {asked}")
    masked = why_masked(context) if left_out else masked_by(context, told)
    return Browsed(found.showing(told), masked, left_out)


async def rows(context: Context, views: Sequence[MemoryView]) -> list[MemoryRow]:
    """The memories as rows."""
    scopes = [Scope.parse(view.memory.scope) for view in views]
    names = await owner_names(context, {scope.owner for scope in scopes})
    # What is masked lacks what a policy looks at.
    masked = [view.memory.id for view in views if view.masked]
    whole = {memory.id: memory for memory in await context.store.find(masked)}
    return [
        _row(
            view,
            scope,
            names[scope.owner],
            outlook(context, whole.get(view.memory.id, view.memory)),
        )
        for view, scope in zip(views, scopes, strict=True)
    ]


def _row(view: MemoryView, scope: Scope, owner_name: str, outlook: Outlook) -> MemoryRow:
    memory, standing = view.memory, view.memory.standing
    gone = standing.status is not Status.LIVE
    return MemoryRow(
        id=memory.id,
        owner=scope.owner,
        owner_name=owner_name,
        owner_kind=scope.kind,
        persona=scope.persona,
        kind=memory.kind,
        text=memory.text,
        masked=view.masked,
        speaker=view.speaker_name,
        tier=view.tier,
        strength=memory.vitality.strength,
        useful=memory.vitality.useful_count,
        status=standing.status,
        source=memory.source,
        important=memory.feedback.important is True,
        pinned=memory.vitality.pinned,
        created_at=memory.created_at,
        happened_at=memory.happened_at,
        sinks_at=outlook.at,
        replaced="" if memory.successor is None else memory.successor.how,
        removal=view.removal.cause if gone else "",
        removal_detail=view.removal.detail if gone else "",
        purge_at=standing.purge_at,
        intention=memory.intention,
    )


async def owner_names(context: Context, owners: Iterable[str]) -> Mapping[str, str]:
    """What each group, or person, is called; "" without a name."""
    wanted = set(owners)
    chats = await context.journal.chat_names()
    aliases = await context.journal.aliases()
    found: dict[str, str] = {}
    for owner in wanted:
        scope = Scope.parse(owner)
        if scope.kind is ScopeKind.GROUP:
            found[owner] = chats.get(owner, "")
            continue
        account = (scope.platform, scope.subject)
        names = await context.engine.people.names([owner])
        found[owner] = names.get(account) or aliases.get(account, "")
    return found


def _owner_view(owner: str, name: str, live: int) -> OwnerView:
    scope = Scope.parse(owner)
    return OwnerView(owner, scope.kind, scope.platform, scope.subject, name, live)


async def _keys(context: Context, asked: BrowseRequest) -> frozenset[str]:
    every = {key: Scope.parse(key) for key in await context.store.scopes()}
    return frozenset(
        key
        for key, scope in every.items()
        if asked.owner in ("", scope.owner) and asked.persona in ("", scope.persona)
    )


def _filter(context: Context, asked: BrowseRequest, keys: frozenset[str]) -> Filter:
    return Filter(
        # A filter that names every scope there is costs a look at each of them.
        scopes=keys if asked.owner or asked.persona or asked.text.strip() else None,
        status=asked.status,
        kinds=asked.kinds,
        score=None if asked.tier is None else score_span(context.engine.policy, asked.tier),
        exempt=asked.kept,
    )


async def _page(context: Context, where: Filter, asked: BrowseRequest) -> Page[Memory]:
    if not asked.text.strip():
        return await memories_page(context, [where], asked.page, order=asked.order, size=asked.size)
    if asked.status is Status.LIVE:
        found = await _found_by_meaning(context, where, asked.text)
    else:
        found = await _found_by_words(context, where, asked.text)
    return page_of(found, asked.page, asked.size)


async def _found_by_meaning(context: Context, where: Filter, text: str) -> list[Memory]:
    """As a recall would find them, the best first, of those that pass the filter."""
    recalled = await context.engine.search(where.scopes or frozenset(), text, limit=MOST_FOUND)
    return [memory for memory in recalled.memories if _passes(memory, where)]


def _passes(memory: Memory, where: Filter) -> bool:
    low, high = where.score or (0.0, float("inf"))
    return (
        (where.kinds is None or memory.kind in where.kinds)
        and low <= memory.vitality.useful_score < high
        and where.exempt in (None, memory.exempt)
    )


async def _found_by_words(context: Context, where: Filter, text: str) -> list[Memory]:
    """Those that hold every word of the text, the newest first."""
    wanted = frozenset(terms(text))
    found: list[Memory] = []
    for start in range(0, MOST_READ, BATCH):
        page = await context.store.page(where, limit=BATCH, offset=start)
        found += await asyncio.to_thread(_holding, page, wanted)
        if len(page) < BATCH:
            break
    return found


def _holding(memories: Sequence[Memory], wanted: frozenset[str]) -> list[Memory]:
    return [memory for memory in memories if wanted <= frozenset(terms(memory.text))]
