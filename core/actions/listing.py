"""Memories in lists: of one scope, or of everybody for who looks after all of them."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.tmd import Tmd
from ..languages.terms import terms
from ..model.conversation import ANY_PERSONA, Scope
from ..model.memory import RAW, Kind, Memory, Status
from ..ports import Filter, Order
from ..recall.legs.ways import LEADING
from .answers import MemoryView, Owner, Refusal, Refused
from .context import Context, for_admins, over_everybody
from .searching import by_words
from .views import (
    PAGE,
    Page,
    hidden,
    masked_by,
    memories_page,
    owners,
    page_of,
    seen,
    shown,
    why_masked,
)

_DISTILLED = frozenset(Kind) - {Kind.EVIDENCE}
MOST_HOLDING = 500
"""Claims, the newest, among which those of a page are."""

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """`scope` is a number of `scopes` or a key, "" for this chat; where everybody's are asked for,
    `owner` is a `Scope.owner` and `persona` one of `Browsable.personas`. `text` is what is looked
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
    """A scope: its number, whose it is under which persona, and its live memories."""

    number: int
    owner: Owner
    persona: str
    live: int


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
async def list_scopes(context: Context, page: int) -> Page[ScopeView]:
    """Every scope the caller may name here, and how many memories live in it; no texts."""
    numbered, live = await _numbered(context), await context.store.scopes()
    if not context.caller.sees_everything:
        readable = await context.readable()
        numbered = {key: number for key, number in numbered.items() if key in readable}
    keys = page_of(list(numbered), page)
    scopes = {key: Scope.parse(key) for key in keys.entries}
    known = await owners(context, {scope.owner for scope in scopes.values()})
    return keys.showing(
        [
            ScopeView(numbered[key], known[scope.owner], scope.persona, live.get(key, 0))
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


MOST_FOUND = 200
"""Memories that a search among living ones lists."""

CUT = 0.5
"""Of the relevance of the best: below it a search lists nothing."""

ALIKE, MEANT = 0.5, 0.1
"""Relevance of the best, or worth of the text, from which any counts: something always is near."""


@dataclass(frozen=True, slots=True)
class Browsed:
    """A page of memories. `why_masked` says why some are masked, None if none is.

    `left_out`: how many scopes a text or tag was not looked for in, because they are others'
    private ones. `literal`: how many of a search, the first, hold every word of it.
    """

    page: Page[MemoryView]
    why_masked: Refusal | None
    left_out: int
    literal: int = 0


@dataclass(frozen=True, slots=True)
class Browsable:
    """Whose memories there are, the most memories first, how many of each (by key) are live, and
    under which personas.
    """

    owners: Sequence[Owner]
    live: Mapping[str, int]
    personas: Sequence[str]


@over_everybody
async def browsable(context: Context) -> Browsable:
    """Everybody and every group of whom there is a memory."""
    live: dict[str, int] = {}
    personas: set[str] = set()
    scopes = await context.store.scopes()
    # Whoever looks at whose memories there are is about to search in them.
    context.engine.prepare_search(scopes)
    for key, count in scopes.items():
        scope = Scope.parse(key)
        live[scope.owner] = live.get(scope.owner, 0) + count
        personas.add(scope.persona)
    known = (await owners(context, live)).values()
    ordered = sorted(known, key=lambda each: (-live[each.key], each.name, each.key))
    return Browsable(ordered, live, sorted(personas - {ANY_PERSONA}))


@for_admins
async def browse(context: Context, asked: ListRequest) -> Browsed:
    """A page of the memories asked for, as they may be seen.

    A text or a tag is looked for in others' private memories for a reason alone, see `masking`.
    """
    keys = await _keys(context, asked)
    left_out = 0
    if (asked.text.strip() or asked.tag) and context.reveal is None:
        others = await hidden(context, keys)
        keys, left_out = keys - others, len(others)
    narrow = not context.everywhere or any((asked.owner, asked.persona, asked.text, asked.tag))
    # A filter that names every scope there is costs a look at each of them.
    where = asked.filter(context.engine.policy, keys if narrow else None)
    found, literal = await _page(context, where, asked)
    told = await seen(context, found.entries, f"browse {asked}")
    masked = why_masked(context) if left_out else masked_by(context, told)
    return Browsed(found.showing(told), masked, left_out, literal)


async def scope_of(context: Context, owner: str) -> Scope:
    """The owner's under the persona with the most memories."""
    scope = Scope.parse((await keys_of(context, owner))[0])
    separate = context.settings.scope.persona_separation
    return scope if separate else replace(scope, persona=ANY_PERSONA)


async def keys_of(context: Context, owner: str) -> Sequence[str]:
    """The owner's scopes, that with the most memories first. Raises Refused if there is none."""
    live = await context.store.scopes()
    own = [key for key in live if Scope.parse(key).owner == owner]
    if not own:
        raise Refused(Refusal.UNKNOWN_SCOPE)
    return sorted(own, key=lambda key: (live[key], key), reverse=True)


async def _keys(context: Context, asked: ListRequest) -> frozenset[str]:
    if not context.everywhere:
        return await meant(context, asked.scope)
    every = {key: Scope.parse(key) for key in await context.reach()}
    return frozenset(
        key
        for key, scope in every.items()
        if asked.owner in ("", scope.owner) and asked.persona in ("", scope.persona)
    )


async def _page(context: Context, where: Filter, asked: ListRequest) -> tuple[Page[Memory], int]:
    """A page, and how many of what was searched for hold every word."""
    if not asked.text.strip():
        order, size = asked.order, asked.size
        return await memories_page(context, [where], asked.page, order=order, size=size), 0
    if asked.status is not Status.LIVE:
        held = await by_words(context, where, asked.text)
        found = [memory for memory, share in held if share == 1.0]
        return page_of(found, asked.page, asked.size), len(found)
    literal = await _saying(context, where, asked.text)
    found = await _alike(context, where, asked.text)
    said = {memory.id for memory in literal}
    every = [*literal, *(memory for memory in found if memory.id not in said)]
    return page_of(every, asked.page, asked.size), len(literal)


async def _saying(context: Context, where: Filter, text: str) -> list[Memory]:
    """Those that hold every word, raw messages too, the rarer the words in them the earlier."""
    scopes, kinds = where.scopes or frozenset(), where.kinds
    hits = await context.store.search_text(text, scopes, limit=MOST_FOUND, kinds=kinds)
    by_id = {memory.id: memory for memory in await context.store.find([hit.id for hit in hits])}
    known = [memory for hit in hits if (memory := by_id.get(hit.id)) and _passes(memory, where)]
    return await asyncio.to_thread(_holding, known, frozenset(terms(text)))


async def _alike(context: Context, where: Filter, text: str) -> list[Memory]:
    """As a recall would find them, the best first, down to where nothing fits any more."""
    recalled = await context.engine.recall_requests.search(
        where.scopes or frozenset(), text, limit=MOST_FOUND
    )
    fit = {each.memory: each.relevance for each in recalled.trace.candidates}
    best = max(fit.values(), default=0.0)
    if best < ALIKE and (recalled.trace.worth or 0.0) < MEANT:
        return []
    least = max(LEADING, CUT * best)
    return [
        memory for memory in recalled.memories if fit[memory.id] >= least and _passes(memory, where)
    ]


def _passes(memory: Memory, where: Filter) -> bool:
    low, high = where.score or (0.0, float("inf"))
    return (
        memory.standing.status is where.status
        and (where.kinds is None or memory.kind in where.kinds)
        and (where.tag is None or where.tag in memory.tags)
        and low <= memory.vitality.useful_score < high
        and where.exempt in (None, memory.exempt)
    )


def _holding(memories: Sequence[Memory], wanted: frozenset[str]) -> list[Memory]:
    return [memory for memory in memories if wanted <= frozenset(terms(memory.text))]
