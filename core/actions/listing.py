"""Which scopes there are, and the memories of one of them, filtered and in some order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..forgetting.tmd import Tmd
from ..model.conversation import Scope
from ..model.memory import RAW, Kind, Memory, Status
from ..ports import Filter, Order
from .answers import MemoryView, Refusal, Refused
from .context import Context, for_admins
from .masking import masked_by, seen
from .views import PAGE, Page, hidden, memories_page, owner_names, page_of, shown

_DISTILLED = frozenset(Kind) - {Kind.EVIDENCE}
MOST_HOLDING = 500
"""Claims, the newest, among which those of a page are."""

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """`scope` is a number of `scopes` or a key, "" for this chat; where everybody's are browsed,
    `owner` is a `Scope.owner`, `persona` one of `Browsable.personas`, and `text` what is looked
    for. None and "" let everything through.
    """

    scope: str = ""
    owner: str = ""
    persona: str = ""
    tier: int | None = None
    kinds: frozenset[Kind] | None = None
    status: Status | None = Status.LIVE
    kept: bool | None = None
    text: str = ""
    tag: str = ""
    order: Order = Order.NEWEST
    page: int = 1
    size: int = PAGE

    def filter(self, policy: Tmd, scopes: frozenset[str] | None) -> Filter:
        """What is asked for, of these scopes; None for all."""
        return Filter(
            scopes=scopes,
            status=self.status,
            kinds=self.kinds,
            score=None if self.tier is None else score_span(policy, self.tier),
            exempt=self.kept,
            tag=self.tag or None,
        )


@dataclass(frozen=True, slots=True)
class ScopeView:
    """A scope, what its chat or person is called ("" without a name), its live memories."""

    number: int
    scope: Scope
    name: str
    live: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of memories; if one scope was named, which it is and what it is called.

    `why_masked` says why some are masked, None if none is.
    """

    page: Page[MemoryView]
    scope: Scope | None
    name: str
    why_masked: Refusal | None


async def list_own(context: Context, page: int) -> Page[MemoryView]:
    """Live memories of this chat, newest first, raw turns last."""
    scopes = await context.readable()
    parts = [Filter(scopes=scopes, kinds=kinds) for kinds in (_DISTILLED, RAW)]
    found = await memories_page(context, parts, page)
    return await shown(context, found)


async def list_holding(context: Context, page: int, size: int = PAGE) -> Page[MemoryView]:
    """What is claimed here and holds, by whom it is of and what, the newest of that first."""
    where = Filter(scopes=await context.readable(), recallable=True, holds=True)
    claims = await context.store.page(where, limit=MOST_HOLDING)
    found = page_of(sorted(claims, key=_person_and_topic), page, size)
    return await shown(context, found)


def _person_and_topic(memory: Memory) -> tuple[str, str, str, float]:
    claim = memory.claim
    assert claim is not None
    speaker = "" if memory.speaker is None else memory.speaker.id
    return speaker, claim.subject, claim.attribute, -claim.valid_from


@for_admins
async def list_memories(context: Context, asked: ListRequest) -> Listed:
    """A page of the memories of one scope."""
    keys = await meant(context, asked.scope)
    # A tag is part of the contents.
    untold = await hidden(context, keys) if asked.tag and context.reveal is None else frozenset()
    where = asked.filter(context.engine.policy, keys - untold)
    found = await memories_page(context, [where], asked.page, order=asked.order, size=asked.size)
    told = await seen(context, found.entries, f"list {asked}")
    page, masked = found.showing(told), masked_by(context, told)
    if not asked.scope:
        return Listed(page, None, "", masked)
    scope = Scope.parse(next(iter(keys)))
    name = (await owner_names(context, [scope.owner]))[scope.owner]
    return Listed(page, scope, name, masked)


@for_admins
async def list_scopes(context: Context, page: int) -> Page[ScopeView]:
    """Every scope the caller may name here, and how many memories live in it; no texts."""
    numbered, live = await _numbered(context), await context.store.scopes()
    if not context.caller.sees_everything:
        readable = await context.readable()
        numbered = {key: number for key, number in numbered.items() if key in readable}
    keys = page_of(list(numbered), page)
    scopes = {key: Scope.parse(key) for key in keys.entries}
    names = await owner_names(context, {scope.owner for scope in scopes.values()})
    return keys.showing(
        [
            ScopeView(numbered[key], scope, names[scope.owner], live.get(key, 0))
            for key, scope in scopes.items()
        ]
    )


async def meant(context: Context, written: str) -> frozenset[str]:
    """The keys of the scopes meant by a number or a key, those of this chat by nothing."""
    readable = await context.readable()
    if not written:
        return readable
    numbered = await _numbered(context)
    if _NUMBER.fullmatch(written):
        written = {str(n): key for key, n in numbered.items()}.get(written, "")
    if written in readable:
        return frozenset({written})
    if not context.caller.sees_everything:
        raise Refused(Refusal.ONLY_THIS_CHAT)
    if written not in numbered:
        raise Refused(Refusal.UNKNOWN_SCOPE)
    return frozenset({written})


def score_span(policy: Tmd, tier: int) -> tuple[float, float]:
    """Useful scores of the tier, the end excluded."""
    p = policy.parameters
    bounds = (0.0, p.tier0_threshold, p.tier1_threshold, float("inf"))
    return bounds[tier], bounds[tier + 1]


async def _numbered(context: Context) -> Mapping[str, int]:
    """Every scope's number: its place in the order of the keys."""
    return {key: n for n, key in enumerate(sorted(await context.store.scopes()), start=1)}
