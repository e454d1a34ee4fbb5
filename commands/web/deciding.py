"""What waits for a person: conflicts, plans, and undoing decisions of sleep."""

from collections.abc import Sequence
from functools import partial

from ...core.actions import browsing, conflicts, plans, reports
from ...core.actions.answers import CodeNeeded, MemoryView, Refused
from ...core.actions.plans import Which
from ...core.actions.reports import DecidedView
from ...core.model.conversation import Scope
from ...core.model.intentions import Intention
from ...core.model.sleeping import Sleep
from .deciding_shapes import (
    BothShape,
    ConflictPage,
    DecisionShape,
    PlanPage,
    PlanShape,
    SettledShape,
    SleepDecisions,
    SleepPage,
    SleepShape,
)
from .memories import each_of
from .request import WebRequest, revealing
from .shapes import ChangedMemories, MemoryShape, memory_shape, page_numbers

MOST_PAGES = 1_000_000
LARGEST_NUMBER = 2**53


async def list_conflicts(request: WebRequest) -> ConflictPage | Refused | CodeNeeded:
    """Everybody's that are open."""
    context, page = request.context, request.number("page", 1, 1, MOST_PAGES)
    found = await revealing(
        lambda reveal: conflicts.all_conflicts(context, page, reveal), request.reveal
    )
    if isinstance(found, Refused | CodeNeeded):
        return found
    return ConflictPage(found.page.entries, *page_numbers(found.page), found.why_masked or "")


async def decide(request: WebRequest) -> SettledShape | Refused:
    """This memory holds; what contradicts it was never so."""
    done = await conflicts.decide(request.context, request.needed("id"))
    if isinstance(done, Refused):
        return done
    [memory] = await _shapes(request, [done.memory])
    return SettledShape(memory, done.withdrawn)


async def both(request: WebRequest) -> BothShape | Refused:
    """This memory and what contradicts it hold side by side; or no longer."""
    hold = not request.flag("off")
    done = await conflicts.decide_both(request.context, request.needed("id"), on=hold)
    return done if isinstance(done, Refused) else BothShape(len(done.memories), done.hold)


async def list_plans(request: WebRequest) -> PlanPage:
    """What people mean to do."""
    which = request.choice("which", Which) or Which.OPEN
    page = request.number("page", 1, 1, MOST_PAGES)
    found = await plans.list_plans(request.context, which, page, everywhere=True)
    shapes = await _shapes(request, found.page.entries)
    return PlanPage(
        [_plan(*pair) for pair in zip(found.page.entries, shapes, strict=True)],
        dict(found.counts),
        *page_numbers(found.page),
    )


async def close(request: WebRequest) -> ChangedMemories:
    """Plans that are done, or meant again."""
    return await each_of(request, partial(plans.close, request.context, over=request.flag("on")))


async def list_reports(request: WebRequest) -> SleepPage:
    """What sleeps did."""
    page = request.number("page", 1, 1, MOST_PAGES)
    found = await reports.list_reports(request.context, page, everywhere=True)
    return SleepPage(await _sleeps(request, found.entries), *page_numbers(found))


async def report(request: WebRequest) -> SleepDecisions | Refused:
    """One sleep with what it decided."""
    number = request.number("number", 0, 1, LARGEST_NUMBER)
    page = request.number("page", 1, 1, MOST_PAGES)
    found = await reports.report(request.context, number, page, everywhere=True)
    if isinstance(found, Refused):
        return found
    [sleep] = await _sleeps(request, [found.sleep])
    decisions = [await _decision(request, each) for each in found.decisions.entries]
    at, pages, _ = page_numbers(found.decisions)
    return SleepDecisions(sleep, decisions, at, pages)


async def undo(request: WebRequest) -> DecisionShape | Refused:
    """Take one decision back."""
    number = request.number("decision", 0, 1, LARGEST_NUMBER)
    done = await reports.undo(request.context, number, everywhere=True)
    return done if isinstance(done, Refused) else await _decision(request, done)


async def _decision(request: WebRequest, view: DecidedView) -> DecisionShape:
    decided = view.decided
    return DecisionShape(
        decided.id,
        decided.decision.deed,
        decided.decision.reason,
        await _shapes(request, view.memories),
        decided.undone_at,
    )


async def _sleeps(request: WebRequest, sleeps: Sequence[Sleep]) -> list[SleepShape]:
    owners = [Scope.parse(each.scope).owner if each.scope else "" for each in sleeps]
    names = await browsing.owner_names(request.context, filter(None, owners))
    return [
        SleepShape(
            each.id,
            each.at,
            each.cause,
            owner,
            names.get(owner, ""),
            dict(each.counts),
            dict(each.left),
            each.calls,
            each.tokens,
        )
        for each, owner in zip(sleeps, owners, strict=True)
    ]


async def _shapes(request: WebRequest, views: Sequence[MemoryView]) -> list[MemoryShape]:
    return [memory_shape(row) for row in await browsing.browsed(request.context, views)]


def _plan(view: MemoryView, shape: MemoryShape) -> PlanShape:
    # Of a masked one is told that it is there, not what it is.
    intended = view.memory.intention or Intention()
    due = None if view.masked else intended.due_at
    return PlanShape(shape, intended.type, due, intended.closed_at, intended.given_up)
