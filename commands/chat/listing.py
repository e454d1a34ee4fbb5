"""Memories in an answer: on one line each, and lists of them for admins."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...core.actions import listing
from ...core.actions.answers import MemoryView, Refused
from ...core.actions.listing import ListRequest, Order, ScopeView
from ...core.actions.views import Page
from ...core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from ...core.model.knowledge import Claim
from ...core.model.memory import Kind, Status
from ...core.text.quoting import LONGEST_NAME, LONGEST_TAG, folded, quoted, tag_of
from .phrases import FILES
from .request import Request, WrongArguments

LONGEST_ANSWER = 1_400
FOLD = 10
"""Characters kept for the number of lines that are folded away."""

TAGS_OF_A_LINE = 3

PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,5}")

LONGEST_ATTRIBUTE = 40


def answer(lines: Iterable[str]) -> str:
    """Lines in one message; of those past `LONGEST_ANSWER` characters only how many are told."""
    kept: list[str] = []
    told, room = list(lines), LONGEST_ANSWER - FOLD
    for number, line in enumerate(told):
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*kept, f"… (+{len(told) - number})"])
        kept.append(line)
    return "\n".join(kept)


def listed(
    request: Request, name: str, page: Page[Any], lines: Iterable[str], foot: str = "", **told: str
) -> list[str]:
    """The lines of a page of the list `name`, between its header and `foot`."""
    if not page.total:
        return [request.say(f"listed_empty.{name}")]
    numbers = {"total": page.total, "page": page.number, "pages": page.pages}
    return [request.say(f"listed_header.{name}", **numbers, **told), *lines, *[foot] * bool(foot)]


def page_number(argument: str) -> int:
    """1 for nothing."""
    text = argument.strip() or "1"
    if not PAGE_NUMBER.fullmatch(text):
        raise WrongArguments
    return int(text)


def line(request: Request, view: MemoryView) -> str:
    """Its line in a list: its id, the day, marks, text; where it is if it is not live."""
    memory = view.memory
    told = marks(request, view)
    if memory.standing.status is not Status.LIVE:
        told = f"{told} · {request.say(f'standing.{memory.standing.status}')}"
    return f"{view.id} {request.date(memory.created_at)} [{told}] {said(request, view)}"


def said(request: Request, view: MemoryView) -> str:
    """The text on one line; of a group's memory after the name of another person who said it."""
    speaker, text = view.memory.speaker, request.text(view)
    scope, caller = Scope.parse(view.memory.scope), request.caller
    if scope.kind is not ScopeKind.GROUP or speaker is None:
        return text
    if (scope.platform, speaker.id) == (caller.scope.platform, caller.person):
        return text
    who = quoted(view.speaker_name or speaker.id, LONGEST_NAME)
    return request.say("record.said_by", who=who, text=text)


def marks(request: Request, view: MemoryView) -> str:
    """Its tier and strength, whether it is a raw turn, kept for good or replaced, and its tags."""
    memory = view.memory
    told = [f"{request.say(f'tier.t{view.tier}')} {memory.vitality.strength}"]
    if memory.kind is Kind.EVIDENCE:
        told.append(request.say("mark.verbatim"))
    if memory.exempt and not memory.is_thread:
        told.append(request.say("mark.exempt"))
    if memory.successor is not None and not memory.recallable:
        told.append(request.say("mark.replaced"))
    if memory.tags:
        told.append(tag_list(memory.tags[:TAGS_OF_A_LINE]))
    return " · ".join(told)


def tag_list(tags: Iterable[str]) -> str:
    """Each behind a "#"."""
    return " ".join(f"#{quoted(tag, LONGEST_TAG)}" for tag in tags)


def because(request: Request, reason: str) -> str:
    """Why a memory was moved: what a reason begins with, in words; else as it was written down."""
    cause, _, policy = reason.partition(" ")
    if not request.phrases.has(f"reason.{cause}"):
        return quoted(reason, 60)
    return request.say(f"reason.{cause}", policy=quoted(policy, 40))


def future(request: Request, view: MemoryView) -> str:
    """What becomes of it if nothing happens to it."""
    standing = view.memory.standing
    if standing.status is Status.BINNED:
        purge = request.date(standing.purge_at or standing.since)
        since, why = request.date(standing.since), because(request, standing.reason)
        return request.say("show.binned", since=since, reason=why, purge=purge)
    if standing.status is Status.ARCHIVED:
        return request.say("show.archived", since=request.date(standing.since))
    if standing.status is Status.QUARANTINED:
        return request.say("show.quarantined", reason=because(request, standing.reason))
    if view.sinks_at is None:
        return request.say("show.lasting")
    if view.sinks_at <= request.context.now:
        return request.say("show.spent")
    return request.say("show.fading", date=request.date(view.sinks_at))


def relative(request: Request, name: str) -> str:
    """Of a claim's subject what somebody is to who said it."""
    return request.named(f"kin.{name}", quoted(name, LONGEST_ATTRIBUTE))


def attribute(request: Request, key: str) -> str:
    """Of "pet:bees" the name of pets, with the bees."""
    general, _, special = key.partition(":")
    told = request.named(f"attribute.{general}")
    if not told:
        return quoted(key, LONGEST_ATTRIBUTE)
    return f"{told} ({quoted(special, LONGEST_ATTRIBUTE)})" if special else told


def claimed(request: Request, claim: Claim, longest: int) -> dict[str, str]:
    """What is claimed: of which attribute, what, and since which day."""
    return {
        "attribute": attribute(request, claim.attribute),
        "value": quoted(claim.value, longest) or request.say("show.claim_none"),
        "since": request.date(claim.valid_from),
    }


TIERS = (0, 1, 2)
ALL_STATUSES = ("all", "全部")
DEFAULT_PERSONA = "default"
"""The persona of a chat that has chosen none; not worth a word."""
KEPT = ("pinned", "固定")

_FILTER = re.compile(r"(?P<name>[^=:]+)[=:](?P<value>.+)")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_NAMES = {
    "tier": "tier",
    "层级": "tier",
    "status": "status",
    "状态": "status",
    "kind": "kind",
    "类型": "kind",
    "tag": "tag",
    "标签": "tag",
    "sort": "order",
    "排序": "order",
    "page": "page",
    "页": "page",
}


async def list_(request: Request) -> str:
    """A page of the memories of one scope."""
    wanted = _wanted(request, request.argument)
    found = await listing.browse(request.context, wanted)
    lines = [line(request, view) for view in found.page.entries]
    if found.why_masked:
        lines.append(request.refused(Refused(found.why_masked)))
    order = request.say(f"order.{wanted.order}")
    told = listed(request, "list", found.page, lines, request.say("mine.footer"), order=order)
    return answer([*_title(request, wanted, found.page.entries), *told])


async def scopes(request: Request) -> str:
    """Every scope with its number and how many memories live in it; no texts."""
    page = await listing.list_scopes(request.context, page_number(request.argument))
    names = Counter(view.owner.name for view in page.entries if view.owner.name)
    twice = frozenset(name for name, count in names.items() if count > 1)
    lines = (_scope(request, view, twice) for view in page.entries)
    return answer(listed(request, "scopes", page, lines, request.say("scopes.footer")))


def _wanted(request: Request, argument: str) -> ListRequest:
    wanted, seen = ListRequest(), set[str]()
    for written in argument.split():
        part, wanted = _read(request, written, wanted)
        if part in seen:
            raise WrongArguments
        seen.add(part)
    return wanted


def _read(request: Request, written: str, wanted: ListRequest) -> tuple[str, ListRequest]:
    """Which part of the wish a word is, and the wish with it."""
    word = folded(written)
    if word in KEPT:
        return "kept", replace(wanted, kept=True)
    match = _FILTER.fullmatch(word)
    if match is not None and match["name"] in _NAMES:
        name = _NAMES[match["name"]]
        return name, _filtered(request, name, match["value"], wanted)
    if not _is_scope(written):
        raise WrongArguments
    return "scope", replace(wanted, scope=written)


def _filtered(request: Request, name: str, value: str, wanted: ListRequest) -> ListRequest:
    match name:
        case "tier":
            found = _choice(request, "tier.t", TIERS, value)
        case "kind":
            kind = _choice(request, "kind.", Kind, value)
            return replace(wanted, kinds=frozenset({kind}))
        case "tag":
            found = tag_of(value)
            if not found:
                raise WrongArguments
        case "status" if value in ALL_STATUSES:
            return replace(wanted, status=None)
        case "status":
            found = _choice(request, "standing.", Status, value)
        case "order":
            found = _choice(request, "order.", Order, value)
        case _:
            found = page_number(value)
    return replace(wanted, **{name: found})


def _choice[T](request: Request, family: str, choices: Iterable[T], value: str) -> T:
    """The choice whose name, or whose word in either language, is the value."""
    for choice in choices:
        words = {request.phrases.say(language, f"{family}{choice}") for language in FILES}
        if value in {str(choice), *words}:
            return choice
    raise WrongArguments


def _is_scope(written: str) -> bool:
    if _NUMBER.fullmatch(written):
        return True
    try:
        return bool(Scope.parse(written))
    except ValueError:
        return False


def _scope(request: Request, view: ScopeView, twice: frozenset[str]) -> str:
    """By its name; by its account where it has none, or shares it with another on the page."""
    owner = view.owner
    account = quoted(f"{owner.platform}/{owner.subject}", 60)
    marks = [quoted(owner.name, 30) or account]
    if owner.name in twice:
        marks.append(account)
    if view.persona == ANY_PERSONA:
        marks.append(request.say("scopes.any_persona"))
    elif view.persona != DEFAULT_PERSONA:
        marks.append(request.say("scopes.persona", name=quoted(view.persona, 30)))
    return request.say(
        "scopes.line",
        number=view.number,
        kind=request.say(f"scope.{owner.kind}"),
        marks=" · ".join(marks),
        live=view.live,
    )


def _title(request: Request, wanted: ListRequest, found: Sequence[MemoryView]) -> list[str]:
    """Of which group the memories of a scope are, where its name is known."""
    owner = found[0].owner if wanted.scope and found else None
    if owner is None or owner.kind is not ScopeKind.GROUP or not owner.name:
        return []
    return [f"{request.say(f'scope.{owner.kind}')} {quoted(owner.name, 30)}"]
