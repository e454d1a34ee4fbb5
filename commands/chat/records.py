"""Memories in an answer: found by short id, shown on one line, listed page by page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...core.actions import lookup
from ...core.actions.answers import MemoryView, Refused
from ...core.actions.outlook import Cause, Outlook, Removal, removal
from ...core.model.conversation import Scope, ScopeKind
from ...core.model.memory import Kind, Memory, Status
from ...core.ports import Filter, MemoryReader, Order
from ...core.records import short_ids
from ...core.text.display_names import LONGEST_NAME
from ...core.text.quoting import quoted
from . import veil
from .request import Request

PAGE = 8
LONGEST_ANSWER = 1_400
LONGEST_LINE = 90

_PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing; `number` counts from 1, `total` over all pages."""

    memories: Sequence[Memory]
    number: int
    pages: int
    total: int


def answer(lines: Iterable[str]) -> str:
    """Lines in one message; those past `LONGEST_ANSWER` characters are left out."""
    kept: list[str] = []
    room = LONGEST_ANSWER - 2
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*kept, "…"])
        kept.append(line)
    return "\n".join(kept)


def page_number(argument: str) -> int | None:
    """1 for nothing, None for what is not a page."""
    text = argument.strip()
    if not text:
        return 1
    return int(text) if _PAGE_NUMBER.fullmatch(text) else None


async def page_of(
    store: MemoryReader, parts: Sequence[Filter], number: int, *, order: Order = Order.NEWEST
) -> Page:
    """A page of the parts one after another; the last page if there are not so many."""
    counts = [await store.count(part) for part in parts]
    total = sum(counts)
    pages = max(1, -(-total // PAGE))
    number = min(number, pages)
    skip = (number - 1) * PAGE
    found: list[Memory] = []
    for part, count in zip(parts, counts, strict=True):
        if skip < count and len(found) < PAGE:
            found += await store.page(part, order=order, limit=PAGE - len(found), offset=skip)
        skip = max(0, skip - count)
    return Page(found, number, pages, total)


async def find(request: Request, text: str) -> Memory | str:
    """The memory meant by an id or its beginning, else the answer that it is not there.

    Without an id the answer is how the command is used.

    Only what the caller may see here exists: anything else is answered like an unknown id. In
    a private chat all exists for an admin, but others' private memories say nothing there.
    """
    memory = await find_whole(request, text)
    return memory if isinstance(memory, str) else (await veil.veiled(request, [memory]))[0]


async def find_whole(request: Request, text: str) -> Memory | str:
    """The same with all that it says, for who has it revealed."""
    if not text:
        return request.wrong_arguments()
    found = await lookup.find(request.context, text)
    return request.refused(found) if isinstance(found, Refused) else found


def sees_everything(request: Request) -> bool:
    """Whether memories of every scope exist for the caller here; see `veil` for their contents."""
    return request.caller.sees_everything


async def short_id(request: Request, memory: str, scopes: frozenset[str] | None) -> str:
    """The shortest of a few beginnings of the id that means nothing else in these scopes.

    None: in all scopes.
    """
    return await short_ids.short_id(request.engine.parts.store, memory, scopes)


def one_line(memory: Memory) -> str:
    """The memory's text, short enough for a list."""
    return quoted(memory.text, LONGEST_LINE)


async def with_speaker(request: Request, memory: Memory) -> str:
    """The text on one line; of a group's memory after the name of another person who said it."""
    speaker = memory.speaker
    if Scope.kind_of(memory.scope) is not ScopeKind.GROUP or speaker is None:
        return one_line(memory)
    if speaker.id == request.caller.person:
        return one_line(memory)
    who = await name_now(request, memory) or quoted(speaker.id, LONGEST_NAME)
    return request.say("record.said_by", who=who, text=one_line(memory))


async def listed(request: Request, memory: Memory, scopes: frozenset[str] | None) -> str:
    """Its line in a list: a short id in these scopes, day, marks, text; where it is if not live."""
    marks = [mark(request, memory)]
    if memory.standing.status is not Status.LIVE:
        marks.append(request.say(f"standing.{memory.standing.status}"))
    short = await short_id(request, memory.id, scopes)
    day = request.date(memory.created_at)
    return f"{short} {day} [{' · '.join(marks)}] {await with_speaker(request, memory)}"


def view_line(request: Request, view: MemoryView) -> str:
    """Its line in a list: its id, the day, marks, text; where it is if it is not live."""
    memory = view.memory
    marks = view_marks(request, view)
    if memory.standing.status is not Status.LIVE:
        marks = f"{marks} · {request.say(f'standing.{memory.standing.status}')}"
    return f"{view.id} {request.date(memory.created_at)} [{marks}] {said(request, view)}"


def said(request: Request, view: MemoryView) -> str:
    """The text on one line; of a group's memory after the name of another person who said it."""
    speaker, text = view.memory.speaker, request.text(view)
    if Scope.kind_of(view.memory.scope) is not ScopeKind.GROUP or speaker is None:
        return text
    if speaker.id == request.caller.person:
        return text
    who = quoted(view.speaker_name or speaker.id, LONGEST_NAME)
    return request.say("record.said_by", who=who, text=text)


def view_marks(request: Request, view: MemoryView) -> str:
    """Its tier and strength, and whether it is a raw turn, kept for good or replaced."""
    memory = view.memory
    marks = [f"{request.say(f'tier.t{view.tier}')} {memory.vitality.strength}"]
    if memory.kind is Kind.EVIDENCE:
        marks.append(request.say("mark.verbatim"))
    if memory.exempt:
        marks.append(request.say("mark.exempt"))
    if memory.successor is not None and not memory.recallable:
        marks.append(request.say("mark.replaced"))
    return " · ".join(marks)


async def name_now(request: Request, memory: Memory) -> str:
    """What the speaker goes by in the memory's chat now, else at that time; "" without a name."""
    if memory.speaker is None or memory.account is None:
        return ""
    names = await request.engine.people.names([Scope.parse(memory.scope).owner])
    return quoted(names.get(memory.account) or memory.speaker.name, LONGEST_NAME)


def mark(request: Request, memory: Memory) -> str:
    """Its tier and strength, and whether it is a raw turn, kept for good or replaced."""
    tier = request.engine.policy.tier(memory.vitality.useful_score)
    marks = [f"{request.say(f'tier.t{tier}')} {memory.vitality.strength}"]
    if memory.kind is Kind.EVIDENCE:
        marks.append(request.say("mark.verbatim"))
    if memory.exempt:
        marks.append(request.say("mark.exempt"))
    if memory.successor is not None and not memory.recallable:
        marks.append(request.say("mark.replaced"))
    return " · ".join(marks)


def reason(request: Request, memory: Memory) -> str:
    """Why the memory is where it is."""
    return because(request, removal(memory.standing.reason))


def because(request: Request, why: Removal) -> str:
    """Why a memory was moved."""
    if why.cause is Cause.OTHER:
        return quoted(why.detail, 60)
    return request.say(f"reason.{why.cause}", policy=quoted(why.detail, 40))


async def id_here(request: Request, memory: Memory) -> str:
    """A short id by which the caller can name the memory here."""
    readable = await request.readable()
    return await short_id(request, memory.id, readable if memory.scope in readable else None)


def future(request: Request, view: MemoryView, outlook: Outlook) -> str:
    """What becomes of it if nothing happens to it."""
    standing = view.memory.standing
    if standing.status is Status.BINNED:
        purge = request.date(standing.purge_at or standing.since)
        since, why = request.date(standing.since), because(request, removal(standing.reason))
        return request.say("show.binned", since=since, reason=why, purge=purge)
    if standing.status is Status.ARCHIVED:
        return request.say("show.archived", since=request.date(standing.since))
    if outlook.at is None:
        return request.say("show.lasting")
    if outlook.spent:
        return request.say("show.spent")
    return request.say("show.fading", date=request.date(outlook.at))


def signature(request: Request) -> str:
    """Who did it, for the audit log."""
    return request.caller.signature
