"""What people mean to do, found out and left open: listed, and closed by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from ..model.intentions import PENDING, IntentionStatus
from ..model.memory import Status
from ..model.times import day_of, zone
from ..ports import Filter, Order
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .lookup import find_own
from .views import Page, memories_page, shown, view


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


@dataclass(frozen=True, slots=True)
class ClosedPlan:
    """An intention that is over, or meant again; not `changed` if it was so before."""

    memory: MemoryView
    changed: bool


async def list_plans(
    context: Context, which: Which, page: int, *, everywhere: bool = False
) -> Plans:
    """Intentions of this chat; what is due up to the end of today, else the newest first."""
    scopes = await context.reach(everywhere=everywhere)
    every = {each: _filters(context, each, scopes) for each in Which}
    counts = {each: await _count(context, parts) for each, parts in every.items()}
    order = Order.LATEST if which is Which.DUE else Order.NEWEST
    found = await memories_page(context, every[which], page, order=order)
    return Plans(await shown(context, found), counts)


async def close(context: Context, written: str, *, over: bool) -> ClosedPlan:
    """An intention is done; or, not `over`, it is meant again."""
    memory = await find_own(context, written)
    if memory.intention is None:
        raise Refused(Refusal.NO_INTENTION, await view(context, memory))
    if memory.standing.status is Status.BINNED:
        raise Refused(Refusal.IN_BIN, await view(context, memory))
    changed = await context.engine.curation.close([memory.id], over=over, by=context.by)
    now = changed[0].after if changed else memory
    return ClosedPlan(await view(context, now), bool(changed))


async def _count(context: Context, parts: list[Filter]) -> int:
    return sum([await context.store.count(part) for part in parts])


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
