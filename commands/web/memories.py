"""Memories of everybody: listed, looked at, corrected, marked, forgotten and brought back."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from ...core.actions import bin as bin_
from ...core.actions import browsing, details, edits, quarantine
from ...core.actions.answers import Refused
from ...core.actions.browsing import Browsable, Browsed, BrowseRequest
from ...core.actions.details import Details
from ...core.actions.edits import CorrectedMemory, RememberedMemory
from ...core.actions.graph import EntityGraph, entity_graph
from ...core.actions.listing import Order
from ...core.actions.outlook import Replaced
from ...core.model.memory import Kind, Status
from .request import BadRequest, WebRequest

EVERY_STATUS = "all"
LARGEST_PAGE = 100


@dataclass(frozen=True, slots=True)
class ChangedMemories:
    """What was done to several memories: those it was done to, and why not to the others."""

    done: list[str]
    refused: dict[str, str]


async def owners(request: WebRequest) -> Browsable:
    """Whose memories there are."""
    return await browsing.browsable(request.context)


async def list_(request: WebRequest) -> Browsed:
    """A page of memories, filtered and in some order."""
    every = request.text("status") == EVERY_STATUS
    tier = request.number("tier", -1, -1, 2)
    wanted = BrowseRequest(
        owner=request.text("owner"),
        persona=request.text("persona"),
        kinds=_kinds(request),
        tier=None if tier < 0 else tier,
        status=None if every else request.choice("status", Status) or Status.LIVE,
        kept=True if request.flag("kept") else None,
        text=request.text("text"),
        tag=request.text("tag"),
        order=request.choice("order", Order) or Order.NEWEST,
        page=request.page,
        size=request.number("size", browsing.PAGE_SIZE, 1, LARGEST_PAGE),
    )
    return await browsing.browse(request.context, wanted)


async def show(request: WebRequest) -> Details:
    """One memory with what it rests on and what happened to it."""
    return await details.details(request.context, request.needed("id"))


async def graph(request: WebRequest) -> EntityGraph:
    """The most mentioned entities, or one and its neighbours."""
    return await entity_graph(request.context, request.text("owner"), request.text("focus"))


async def add(request: WebRequest) -> RememberedMemory:
    """A new memory of a group or of one's own."""
    owner, text = request.needed("owner"), request.needed("text", longest=edits.LONGEST_TEXT + 1)
    return await edits.add(request.context, owner, text)


async def write(request: WebRequest) -> CorrectedMemory:
    """A new text in the place of a memory."""
    id, text = request.needed("id"), request.needed("text", longest=edits.LONGEST_TEXT + 1)
    done = await edits.correct(request.context, id, text)
    if isinstance(done, Replaced):
        raise BadRequest("id")
    return done


async def forget(request: WebRequest) -> ChangedMemories:
    """Memories to the bin."""
    return await each_of(request, partial(edits.forget, request.context))


async def restore(request: WebRequest) -> ChangedMemories:
    """Memories out of the bin or the archive."""
    return await each_of(request, partial(bin_.restore, request.context))


async def accept(request: WebRequest) -> ChangedMemories:
    """Memories out of quarantine: they are so."""
    return await each_of(request, partial(quarantine.keep, request.context))


async def drop(request: WebRequest) -> ChangedMemories:
    """Memories out of quarantine to the bin: they are not so."""
    return await each_of(request, partial(quarantine.drop, request.context))


async def purge(request: WebRequest) -> ChangedMemories:
    """Memories of the bin, deleted for good."""
    return await each_of(request, partial(bin_.purge, request.context))


async def mark(request: WebRequest) -> ChangedMemories:
    """Memories important, or no longer."""
    important = request.flag("on")
    return await each_of(request, partial(edits.mark, request.context, important=important))


async def pin(request: WebRequest) -> ChangedMemories:
    """Memories kept whatever their strength, or no longer."""
    return await each_of(request, partial(edits.pin, request.context, on=request.flag("on")))


async def tag(request: WebRequest) -> ChangedMemories:
    """Tags given to memories, and taken from them."""
    words = {name: request.text(name).split() for name in ("added", "removed")}
    return await each_of(request, lambda id: edits.tag(request.context, id, **words))


async def judge(request: WebRequest) -> ChangedMemories:
    """A verdict by hand on memories."""
    return await each_of(request, partial(edits.judge, request.context, useful=request.flag("on")))


async def each_of(
    request: WebRequest, change: Callable[[str], Awaitable[object]]
) -> ChangedMemories:
    """Do it to each of the ids; a refusal of one does not stop the others."""
    done, refused = list[str](), dict[str, str]()
    for id in request.ids():
        try:
            await change(id)
            done.append(id)
        except Refused as why:
            refused[id] = why.reason
    return ChangedMemories(done, refused)


def _kinds(request: WebRequest) -> frozenset[Kind] | None:
    named = request.text("kinds")
    try:
        return frozenset(map(Kind, named.split(","))) if named else None
    except ValueError:
        raise BadRequest("kinds") from None
