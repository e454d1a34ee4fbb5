"""Memories of everybody: listed, looked at, corrected, marked, forgotten and brought back."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from ...core.actions import bin as bin_
from ...core.actions import browsing, details, edits, quarantine
from ...core.actions.answers import CodeNeeded, MemoryView, Refused
from ...core.actions.browsing import BrowseRequest
from ...core.actions.history import HistoryEntry, ShownToModel, audit_trail
from ...core.actions.listing import Order
from ...core.actions.outlook import Replaced
from ...core.actions.stories import ToldLine
from ...core.model.memory import LEARNT, Kind, Status
from .request import BadRequest, WebRequest, revealing
from .shapes import (
    ChangedMemories,
    EventShape,
    MemoryDetails,
    MemoryPage,
    MemoryShape,
    StoryLineShape,
    WrittenMemory,
    memory_shape,
    page_numbers,
)

type Declined = Refused | CodeNeeded
EVERY_STATUS = "all"
EVERY_LEARNT_KIND = "learnt"
LARGEST_PAGE = 100


async def owners(request: WebRequest) -> browsing.Browsable | Refused:
    """Whose memories there are."""
    return await browsing.browsable(request.context)


async def list_(request: WebRequest) -> MemoryPage | Declined:
    """A page of memories, filtered and in some order."""
    wanted = _wanted(request)

    async def ask(reveal: str | None) -> browsing.Browsed | Declined:
        return await browsing.browse(request.context, replace(wanted, reveal=reveal))

    found = await revealing(ask, request.reveal)
    if isinstance(found, Refused | CodeNeeded):
        return found
    return MemoryPage(
        [memory_shape(row) for row in found.page.entries],
        *page_numbers(found.page),
        found.why_masked or "",
        found.left_out,
    )


async def show(request: WebRequest) -> MemoryDetails | Declined:
    """One memory with what it rests on and what happened to it."""
    id, context = request.needed("id"), request.context
    found = await revealing(
        lambda reveal: details.details(context, id, reveal=reveal), request.reveal
    )
    if isinstance(found, Refused | CodeNeeded):
        return found
    trail = await audit_trail(context, id)
    events = () if isinstance(trail, Refused) else trail.events
    newer = None if found.replaced is None else found.replaced.newer
    return MemoryDetails(
        await _shape(request, found.memory),
        found.trust,
        found.memory.memory.sentiment.mood,
        found.outlook.spent,
        not await browsing.others_private(context, found.memory),
        None if newer is None else await _shape(request, newer),
        found.sources,
        [await _shape(request, each) for each in found.chain],
        [await _line(request, each) for each in found.story],
        [await _shape(request, each) for each in found.threads],
        [_event(each) for each in events if isinstance(each, HistoryEntry)],
        [each.at for each in events if isinstance(each, ShownToModel)],
        found.memory.memory.media,
        browsing.reason_masked(context) if found.memory.masked else "",
    )


async def write(request: WebRequest) -> WrittenMemory | Declined:
    """A new text in the place of a memory."""
    id, text = request.needed("id"), request.needed("text", longest=edits.LONGEST_TEXT + 1)
    done = await edits.correct(request.context, id, text)
    match done:
        case Refused():
            return done
        case Replaced():
            raise BadRequest("id")
        case edits.CorrectedMemory():
            return WrittenMemory(await _shape(request, done.memory), new=True)


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


async def judge(request: WebRequest) -> ChangedMemories:
    """A verdict by hand on memories."""
    return await each_of(request, partial(edits.judge, request.context, useful=request.flag("on")))


async def each_of(
    request: WebRequest, change: Callable[[str], Awaitable[object]]
) -> ChangedMemories:
    """Do it to each of the ids; a refusal of one does not stop the others."""
    done, refused = list[str](), dict[str, str]()
    for id in request.ids():
        answer = await change(id)
        if isinstance(answer, Refused):
            refused[id] = answer.reason
        else:
            done.append(id)
    return ChangedMemories(done, refused)


def _wanted(request: WebRequest) -> BrowseRequest:
    every = request.text("status") == EVERY_STATUS
    tier = request.number("tier", -1, -1, 2)
    return BrowseRequest(
        owner=request.text("owner"),
        persona=request.text("persona"),
        kinds=_kinds(request),
        tier=None if tier < 0 else tier,
        status=None if every else request.choice("status", Status) or Status.LIVE,
        kept=True if request.flag("kept") else None,
        text=request.text("text"),
        order=request.choice("order", Order) or Order.NEWEST,
        page=request.number("page", 1, 1, 1_000_000),
        size=request.number("size", browsing.PAGE_SIZE, 1, LARGEST_PAGE),
    )


def _kinds(request: WebRequest) -> frozenset[Kind] | None:
    if request.text("kind") == EVERY_LEARNT_KIND:
        return LEARNT
    kind = request.choice("kind", Kind)
    return None if kind is None else frozenset({kind})


async def _line(request: WebRequest, line: ToldLine) -> StoryLineShape:
    day, _, said = line.said.partition(" ")
    return StoryLineShape(day, said, [await _shape(request, each) for each in line.memories])


async def _shape(request: WebRequest, view: MemoryView) -> MemoryShape:
    [row] = await browsing.browsed(request.context, [view])
    return memory_shape(row)


def _event(entry: HistoryEntry) -> EventShape:
    removal = "" if entry.removal is None else entry.removal.cause
    return EventShape(entry.at, entry.action, entry.by, entry.reason, removal, entry.newer)
