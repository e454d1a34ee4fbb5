"""For admins: which scopes there are, and the memories of one, filtered and in some order."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from ...core.actions import listing
from ...core.actions.answers import Refused
from ...core.actions.listing import Listed, ListRequest, Order, ScopeView
from ...core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from ...core.model.memory import Kind, Status
from ...core.text.normalisation import folded
from ...core.text.quoting import quoted
from ...core.text.tags import tag_of
from .phrases import FILES
from .records import answer, line, listed, page_number
from .request import Request, WrongArguments

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
    found = await listing.list_memories(request.context, wanted)
    lines = [line(request, view) for view in found.page.entries]
    if found.why_masked:
        lines.append(request.refused(Refused(found.why_masked)))
    order = request.say(f"order.{wanted.order}")
    told = listed(request, "list", found.page, lines, request.say("mine.footer"), order=order)
    return answer([*_title(request, found), *told])


async def scopes(request: Request) -> str:
    """Every scope with its number and how many memories live in it; no texts."""
    page = await listing.list_scopes(request.context, page_number(request.argument))
    names = Counter(view.name for view in page.entries if view.name)
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
    scope = view.scope
    account = quoted(f"{scope.platform}/{scope.subject}", 60)
    marks = [quoted(view.name, 30) or account]
    if view.name in twice:
        marks.append(account)
    if scope.persona == ANY_PERSONA:
        marks.append(request.say("scopes.any_persona"))
    elif scope.persona != DEFAULT_PERSONA:
        marks.append(request.say("scopes.persona", name=quoted(scope.persona, 30)))
    return request.say(
        "scopes.line",
        number=view.number,
        kind=request.say(f"scope.{scope.kind}"),
        marks=" · ".join(marks),
        live=view.live,
    )


def _title(request: Request, found: Listed) -> list[str]:
    """Which group a list is of, where its name is known."""
    scope = found.scope
    if scope is None or scope.kind is not ScopeKind.GROUP or not found.name:
        return []
    return [f"{request.say(f'scope.{scope.kind}')} {quoted(found.name, 30)}"]
