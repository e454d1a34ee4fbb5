"""Memories on the page: which are listed, and their corrections and tags."""

from functools import partial

from ...core.actions import edits
from ...core.actions.edits import CorrectedMemory
from ...core.actions.listing import ListRequest, Order
from ...core.actions.views import Replaced
from ...core.model.memory import Kind, Status
from .request import BadRequest, ChangedMemories, WebRequest, of_each

EVERY_STATUS = "all"
PAGE_SIZE = 40
LARGEST_PAGE = 100


def wanted(request: WebRequest) -> ListRequest:
    """Which memories are listed, and in which order."""
    status = request.choice("status", (EVERY_STATUS, *Status), Status.LIVE)
    tier = request.number("tier", -1, -1, 2)
    return ListRequest(
        owner=request.text("owner"),
        persona=request.text("persona"),
        kinds=_kinds(request),
        tier=None if tier < 0 else tier,
        status=None if status == EVERY_STATUS else Status(status),
        kept=True if request.flag("kept") else None,
        text=request.text("text"),
        tag=request.text("tag"),
        order=request.choice("order", Order, Order.NEWEST),
        page=request.page,
        size=request.number("size", PAGE_SIZE, 1, LARGEST_PAGE),
    )


async def write(request: WebRequest) -> CorrectedMemory:
    """A new text in the place of a memory."""
    id, text = request.needed("id"), request.needed("text", longest=edits.LONGEST_TEXT + 1)
    done = await edits.correct(request.context, id, text)
    if isinstance(done, Replaced):
        raise BadRequest("id")
    return done


async def tag(request: WebRequest) -> ChangedMemories:
    """Tags given to memories, and taken from them."""
    words = {name: request.text(name).split() for name in ("added", "removed")}
    return await of_each(partial(edits.tag, **words))(request)


def _kinds(request: WebRequest) -> frozenset[Kind] | None:
    named = request.text("kinds")
    try:
        return frozenset(map(Kind, named.split(","))) if named else None
    except ValueError:
        raise BadRequest("kinds") from None
