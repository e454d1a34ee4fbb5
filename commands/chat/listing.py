"""For admins: which scopes there are, and the memories of one, filtered and in some order."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...core.forgetting.tmd import Tmd
from ...core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from ...core.model.memory import Kind, Memory, Status
from ...core.ports import Filter, Order
from ...core.text.normalisation import normalise
from ...core.text.quoting import quoted
from . import veil
from .phrases import FILES
from .records import (
    PAGE,
    Page,
    answer,
    listed,
    page_number,
    page_of,
    sees_everything,
)
from .request import Request

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
    "sort": "sort",
    "排序": "sort",
    "page": "page",
    "页": "page",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `list` was asked for; `scope` is a number or a key, "" for this chat."""

    scope: str = ""
    where: Filter = Filter()
    order: Order = Order.NEWEST
    page: int = 1


async def list_(request: Request) -> str:
    """A page of the memories of one scope."""
    asked = veil.plea(request)
    wanted = _wanted(request, asked.argument)
    if wanted is None:
        return request.wrong_arguments()
    readable = await request.readable()
    scopes = await meant(request, wanted.scope, readable)
    if isinstance(scopes, str):
        return scopes
    where = replace(wanted.where, scopes=scopes)
    page = await _page(request, where, wanted)
    if page.total == 0:
        return request.say("list.empty")
    shown = await _shown(request, page.memories, asked)
    if isinstance(shown, str):
        return shown
    here = scopes if scopes <= readable else None
    lines = [await listed(request, memory, here) for memory in shown]
    if shown != page.memories:
        lines.append(veil.how(request, asked))
    head = request.say(
        "list.header",
        total=page.total,
        order=request.say(f"order.{wanted.order}"),
        page=page.number,
        pages=page.pages,
    )
    title = [await _title(request, Scope.parse(key)) for key in scopes if wanted.scope]
    return answer([*filter(None, title), head, *lines, request.say("mine.footer")])


async def scopes(request: Request) -> str:
    """Every scope with its number and how many memories live in it; no texts."""
    number = page_number(request.argument)
    if number is None:
        return request.wrong_arguments()
    numbered = await _numbered(request)
    if not sees_everything(request):
        readable = await request.readable()
        numbered = {n: key for n, key in numbered.items() if key in readable}
    if not numbered:
        return request.say("scopes.empty")
    pages = -(-len(numbered) // PAGE)
    number = min(number, pages)
    live = await request.engine.parts.store.scopes()
    shown = list(numbered.items())[(number - 1) * PAGE : number * PAGE]
    lines = [await _scope(request, n, key, live.get(key, 0)) for n, key in shown]
    head = request.say("scopes.header", total=len(numbered), page=number, pages=pages)
    return answer([head, *lines, request.say("scopes.footer")])


async def _shown(
    request: Request, memories: Sequence[Memory], asked: veil.Plea
) -> Sequence[Memory] | str:
    """The memories as the caller may see them, else the answer to who would see more."""
    hidden = await veil.foreign(request, {memory.scope for memory in memories})
    if not hidden or asked.reason is None:
        return await veil.veiled(request, memories)
    grounds = veil.granted(request, asked)
    if isinstance(grounds, str):
        return grounds
    theirs = [memory for memory in memories if memory.scope in hidden]
    await request.engine.revelations.note_shown(theirs, grounds)
    return memories


def _wanted(request: Request, argument: str) -> Wanted | None:
    wanted, seen = Wanted(), set[str]()
    for written in argument.split():
        changed = _read(request, written, wanted)
        if changed is None or changed[0] in seen:
            return None
        seen.add(changed[0])
        wanted = changed[1]
    return wanted


def _read(request: Request, written: str, wanted: Wanted) -> tuple[str, Wanted] | None:
    """Which part of the wish a word is, and the wish with it; None if it is none."""
    word = normalise(written)
    if word in KEPT:
        return "pinned", replace(wanted, where=replace(wanted.where, exempt=True))
    match = _FILTER.fullmatch(word)
    if match is None or match["name"] not in _NAMES:
        return ("scope", replace(wanted, scope=written)) if _is_scope(written) else None
    name = _NAMES[match["name"]]
    changed = _filtered(request, name, match["value"], wanted)
    return None if changed is None else (name, changed)


def _filtered(request: Request, name: str, value: str, wanted: Wanted) -> Wanted | None:
    where = wanted.where
    match name:
        case "tier":
            tier = _choice(request, "tier.t", TIERS, value)
            found = (
                None if tier is None else replace(where, score=_span(request.engine.policy, tier))
            )
        case "kind":
            kind = _choice(request, "kind.", Kind, value)
            found = None if kind is None else replace(where, kinds=frozenset({kind}))
        case "status":
            found = _with_status(request, value, where)
        case "sort":
            order = _choice(request, "order.", Order, value)
            return None if order is None else replace(wanted, order=order)
        case _:
            page = page_number(value)
            return None if page is None else replace(wanted, page=page)
    return None if found is None else replace(wanted, where=found)


def _with_status(request: Request, value: str, where: Filter) -> Filter | None:
    if value in ALL_STATUSES:
        return replace(where, status=None)
    status = _choice(request, "standing.", Status, value)
    return None if status is None else replace(where, status=status)


def _choice[T](request: Request, family: str, choices: Iterable[T], value: str) -> T | None:
    """The choice whose name, or whose word in either language, is the value."""
    for choice in choices:
        words = {request.phrases.say(language, f"{family}{choice}") for language in FILES}
        if value in {str(choice), *words}:
            return choice
    return None


def _span(policy: Tmd, tier: int) -> tuple[float, float]:
    """Useful scores of the tier, the end excluded."""
    p = policy.parameters
    bounds = (0.0, p.tier0_threshold, p.tier1_threshold, float("inf"))
    return bounds[tier], bounds[tier + 1]


def _is_scope(written: str) -> bool:
    if _NUMBER.fullmatch(written):
        return True
    try:
        return bool(Scope.parse(written))
    except ValueError:
        return False


async def meant(request: Request, written: str, readable: frozenset[str]) -> frozenset[str] | str:
    """The keys of the scopes meant by a number or a key, else the answer why they are not."""
    if not written:
        return readable
    numbered = await _numbered(request)
    key = numbered.get(int(written)) if _NUMBER.fullmatch(written) else written
    if key is not None and key in readable:
        return frozenset({key})
    if not sees_everything(request):
        return request.say("list.group_only")
    if key not in numbered.values():
        return request.say("list.unknown_scope")
    return frozenset({str(key)})


async def _numbered(request: Request) -> Mapping[int, str]:
    """Every scope by its number: its place in the order of the keys."""
    return dict(enumerate(sorted(await request.engine.parts.store.scopes()), start=1))


async def _page(request: Request, where: Filter, wanted: Wanted) -> Page:
    store = request.engine.parts.store
    return await page_of(store, [where], wanted.page, order=wanted.order)


async def _scope(request: Request, number: int, key: str, live: int) -> str:
    scope = Scope.parse(key)
    marks = [quoted(f"{scope.platform}/{scope.subject}", 60)]
    names = await request.engine.people.names([scope.owner])
    name = names.get((scope.platform, scope.subject), "")
    if scope.kind is ScopeKind.GROUP:
        name = await _group_name(request, scope)
    if name:
        marks.append(quoted(name, 30))
    if scope.persona == ANY_PERSONA:
        marks.append(request.say("scopes.any_persona"))
    elif scope.persona != DEFAULT_PERSONA:
        marks.append(request.say("scopes.persona", name=quoted(scope.persona, 30)))
    return request.say(
        "scopes.line",
        number=number,
        kind=request.say(f"scope.{scope.kind}"),
        marks=" · ".join(marks),
        live=live,
    )


async def _title(request: Request, scope: Scope) -> str:
    """Which group a list is of, where its name is known."""
    name = await _group_name(request, scope)
    key = quoted(f"{scope.platform}/{scope.subject}", 60)
    kind = request.say(f"scope.{scope.kind}")
    return f"{kind} {key} · {quoted(name, 30)}" if name else ""


async def _group_name(request: Request, scope: Scope) -> str:
    names = await request.engine.parts.journal.chat_names()
    return names.get(scope.owner, "")
