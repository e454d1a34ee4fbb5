"""Decided by a person: which claim of a slot holds, and what became of a plan."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import islice

from ..conflict.trust import BOTH, contradicting, linked, trust_of
from ..engine.manual_edits import back
from ..model.knowledge import PENDING, IntentionStatus
from ..model.memory import Memory, Status
from ..model.times import day_of, zone
from ..ports import Filter, Order
from ..records.intentions import closed, reopened
from ..records.opposition import beside, not_beside
from ..records.sameness import MERGED
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .edits import Edited, changed
from .searching import find_own
from .views import Page, masked_by, memories_page, page_of, seen, shown, view, views

MOST_READ = 2_000
"""Claims that hold, and statements, the newest, among which conflicts are looked for."""


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """What is claimed of one attribute of one subject at the same moment, two or more.

    Without an attribute: statements of which one denies the other. The most trusted first, with
    how far each is.
    """

    attribute: str
    claims: Sequence[MemoryView]
    trust: Sequence[float]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """A page of them; `why_masked` says why some are masked, None if none is."""

    page: Page[OpenConflict]
    why_masked: Refusal | None


async def list_conflicts(context: Context, page: int) -> Conflicts:
    """Those that nobody has decided, of this chat or of everybody, as they may be seen."""
    found = page_of(await _open(context, await context.reach()), page)
    claims = [memory for group in found.entries for memory in group]
    shown = await seen(context, claims, f"conflicts {page}")
    views = iter(shown)
    entries = [
        OpenConflict(
            "" if group[0].claim is None else group[0].claim.attribute,
            list(islice(views, len(group))),
            [trust_of(memory, context.now) for memory in group],
        )
        for group in found.entries
    ]
    return Conflicts(found.showing(entries), masked_by(context, shown))


async def _open(context: Context, scopes: frozenset[str]) -> list[list[Memory]]:
    here = Filter(scopes=scopes, recallable=True)
    holding = await context.store.page(replace(here, holds=True), limit=MOST_READ)
    stated = await context.store.page(replace(here, kinds=MERGED), limit=MOST_READ)
    found = [*_groups(holding), *_denied(stated)]
    return [sorted(group, key=lambda each: -trust_of(each, context.now)) for group in found]


async def decide(context: Context, written: str) -> Sequence[MemoryView]:
    """This one holds, and what contradicts it was never so: the memory, and then these.

    Only of what the caller may change: whose memory it is, or an admin.
    """
    memory = await find_own(context, written)
    if memory.standing.status is not Status.LIVE:
        raise Refused(Refusal.IN_BIN, await view(context, memory))
    rivals = await _rivals(context, memory)
    if not rivals:
        raise Refused(Refusal.NO_CONFLICT, await view(context, memory))
    kept = await context.engine.curation.decide(memory, rivals, by=context.by)
    return await views(context, [kept, *rivals])


async def decide_both(context: Context, written: str, *, on: bool) -> Sequence[MemoryView]:
    """This one and what contradicts it, all told, hold side by side; not `on`, that is taken back.

    Only of what the caller may change, as `decide`.
    """
    memory = await find_own(context, written)
    if on:
        rivals = await _rivals(context, memory)
    else:
        said = sorted(linked(memory, BOTH))
        rivals = await context.store.find(said, frozenset({memory.scope}))
    if not rivals:
        raise Refused(Refusal.NO_CONFLICT, await view(context, memory))
    ids, change = [memory.id, *(rival.id for rival in rivals)], beside if on else not_beside
    await context.engine.curation.apply(
        ids,
        lambda each, now: change(each, ids),
        "both_hold" if on else "either_holds",
        by=context.by,
    )
    return await views(context, [memory, *rivals])


async def _rivals(context: Context, memory: Memory) -> list[Memory]:
    if memory.claim is None:
        found = await context.store.find(sorted(contradicting(memory)), frozenset({memory.scope}))
        return [rival for pair in _denied([memory, *found]) for rival in pair if rival != memory]
    slot = Filter(
        scopes=frozenset({memory.scope}),
        slots=frozenset({memory.claim.slot}),
        recallable=True,
        holds=True,
    )
    holding = await context.store.page(slot, limit=MOST_READ)
    groups = [group for group in _groups(holding) if memory.id in {each.id for each in group}]
    return [each for group in groups for each in group if each.id != memory.id]


def _groups(holding: Sequence[Memory]) -> list[list[Memory]]:
    """Memories of one slot that contradict each other, in the order of the newest of each."""
    slots: defaultdict[tuple[str, str], dict[str, Memory]] = defaultdict(dict)
    for memory, rival in _contradictions(holding):
        if memory.claim is not None and rival.claim is not None:
            slots[memory.scope, memory.claim.slot] |= {memory.id: memory, rival.id: rival}
    return [list(group.values()) for group in slots.values()]


def _denied(stated: Sequence[Memory]) -> list[list[Memory]]:
    """Statements without a slot, two by two, of which sleep found that one denies the other."""
    pairs = {
        frozenset({one.id, other.id}): [one, other]
        for one, other in _contradictions([each for each in stated if _stands(each)])
        if one.claim is None or other.claim is None
    }
    return list(pairs.values())


def _stands(memory: Memory) -> bool:
    over = memory.claim is not None and not memory.holds
    return memory.recallable and memory.successor is None and not over


def _contradictions(memories: Sequence[Memory]) -> list[tuple[Memory, Memory]]:
    known = {memory.id: memory for memory in memories}
    return [
        (memory, known[id])
        for memory in memories
        for id in sorted(contradicting(memory))
        if id in known
    ]


class Which(StrEnum):
    """Which intentions are asked for."""

    OPEN = "open"
    DUE = "due"
    CLOSED = "closed"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Plans:
    """A page of the intentions of this chat, and how many of each sort there are."""

    page: Page[MemoryView]
    counts: Mapping[Which, int]


async def list_plans(context: Context, which: Which, page: int) -> Plans:
    """Intentions of this chat; what is due up to the end of today, else the newest first."""
    scopes = await context.reach()
    every = {each: _filters(context, each, scopes) for each in Which}
    counts = {
        each: sum([await context.store.count(part) for part in parts])
        for each, parts in every.items()
    }
    order = Order.LATEST if which is Which.DUE else Order.NEWEST
    found = await memories_page(context, every[which], page, order=order)
    return Plans(await shown(context, found), counts)


async def close(context: Context, written: str, *, over: bool) -> Edited:
    """An intention is done; or, not `over`, it is meant again: back where it was archived."""

    def change(each: Memory, *, now: float) -> Memory:
        again = closed(each, now) if over else reopened(each, now)
        archived = not over and again.standing.status is Status.ARCHIVED
        return back(again, now=now) if archived else again

    memory = await find_own(context, written)
    if memory.intention is None:
        raise Refused(Refusal.NO_INTENTION, await view(context, memory))
    if memory.standing.status is Status.BINNED:
        raise Refused(Refusal.IN_BIN, await view(context, memory))
    return await changed(context, memory, change, "closed" if over else "reopened")


def _filters(context: Context, which: Which, scopes: frozenset[str]) -> list[Filter]:
    """What is over may have been archived meanwhile: it is listed all the same."""
    where = partial(Filter, scopes=scopes)
    match which:
        case Which.OPEN:
            return [where(recallable=True, intentions=PENDING)]
        case Which.DUE:
            return [
                where(recallable=True, due=(0.0, day_of(context.now, zone(context.timezone))[1]))
            ]
        case Which.CLOSED:
            status = IntentionStatus.CLOSED
        case Which.STALE:
            status = IntentionStatus.STALE
    stands = frozenset({status})
    return [where(status=each, intentions=stands) for each in (Status.LIVE, Status.ARCHIVED)]
