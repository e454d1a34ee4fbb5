"""Memories in an answer: found by short id, shown on one line, listed page by page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.conversation import ScopeKind
from ..core.feedback.credit import USELESS
from ..core.forgetting.lifecycle import BY_HAND
from ..core.forgetting.sweep import DECAYED
from ..core.memory import Kind, Memory
from ..core.ports import Filter, MemoryStore
from ..core.text.quoting import quoted
from .request import Request

PAGE = 8
LONGEST_ANSWER = 1_400
LONGEST_LINE = 90

_ID = re.compile(r"[0-9A-Za-z-]{6,36}")
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


async def page_of(store: MemoryStore, parts: Sequence[Filter], number: int) -> Page:
    """A page of the parts one after another; the last page if there are not so many."""
    counts = [await store.count(part) for part in parts]
    total = sum(counts)
    pages = max(1, -(-total // PAGE))
    number = min(number, pages)
    skip = (number - 1) * PAGE
    found: list[Memory] = []
    for part, count in zip(parts, counts, strict=True):
        if skip < count and len(found) < PAGE:
            found += await store.page(part, limit=PAGE - len(found), offset=skip)
        skip = max(0, skip - count)
    return Page(found, number, pages, total)


async def find(request: Request, text: str) -> Memory | str:
    """The memory meant by an id or its beginning, else the answer that it is not there.

    Only what the caller may see here exists: anything else is answered like an unknown id.
    """
    if not _ID.fullmatch(text):
        return request.say("record.unknown")
    scopes = await request.readable()
    store = request.engine.parts.store
    ids = await store.resolve(text, scopes)
    if len(ids) > 1:
        return request.say("record.ambiguous")
    found = await store.find(ids, scopes)
    return found[0] if found else request.say("record.unknown")


async def short_id(request: Request, memory: str, scopes: frozenset[str]) -> str:
    """The shortest of a few beginnings of the id that means nothing else in these scopes."""
    for length in (6, 8, 12):
        if len(await request.engine.parts.store.resolve(memory[:length], scopes)) <= 1:
            return memory[:length]
    return memory


def one_line(memory: Memory) -> str:
    """The memory's text, short enough for a list."""
    return quoted(memory.text, LONGEST_LINE)


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
    written = memory.standing.reason
    if written == DECAYED:
        return request.say("reason.decayed")
    if written == USELESS:
        return request.say("reason.useless")
    if written.startswith(BY_HAND):
        return request.say("reason.by_hand", who=quoted(written.removeprefix(BY_HAND), 60))
    return quoted(written, 60)


def may_change(request: Request, memory: Memory) -> bool:
    """Own memories, what one said in a group oneself, and everything for admins."""
    if request.caller.admin or request.caller.scope.kind is ScopeKind.PRIVATE:
        return True
    return memory.speaker is not None and memory.speaker.id == request.caller.person


def signature(request: Request) -> str:
    """Who did it, for the audit log."""
    name = quoted(request.caller.name, 40)
    return f"{name} ({request.caller.person})" if name else request.caller.person
