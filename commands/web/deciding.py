"""What waits for a person: conflicts, plans, and undoing decisions of sleep."""

from ...core.actions import conflicts, plans, reports
from ...core.actions.conflicts import BothHold, Conflicts
from ...core.actions.plans import Plans, Which
from ...core.actions.reports import DecidedView, Report, SleepView
from ...core.actions.views import Page
from .request import WebRequest

LARGEST_NUMBER = 2**53


async def list_conflicts(request: WebRequest) -> Conflicts:
    """Everybody's that are open."""
    return await conflicts.list_conflicts(request.context, request.page, everywhere=True)


async def both(request: WebRequest) -> BothHold:
    """This memory and what contradicts it hold side by side; or no longer."""
    hold = not request.flag("off")
    return await conflicts.decide_both(request.context, request.needed("id"), on=hold)


async def list_plans(request: WebRequest) -> Plans:
    """What people mean to do."""
    which = request.choice("which", Which) or Which.OPEN
    return await plans.list_plans(request.context, which, request.page, everywhere=True)


async def list_reports(request: WebRequest) -> Page[Report]:
    """What sleeps did."""
    return await reports.list_reports(request.context, request.page, everywhere=True)


async def report(request: WebRequest) -> SleepView:
    """One sleep with what it decided."""
    number = request.number("number", 0, 1, LARGEST_NUMBER)
    return await reports.report(request.context, number, request.page, everywhere=True)


async def undo(request: WebRequest) -> DecidedView:
    """Take one decision back."""
    number = request.number("decision", 0, 1, LARGEST_NUMBER)
    return await reports.undo(request.context, number, everywhere=True)
