"""What everybody may ask of the memories of their own chat."""

from ...core.model.conversation import ScopeKind
from ...core.model.memory import Kind
from ...core.ports import Filter
from ...core.recall.trace import Fused, LegState, Recalled
from .explain import numbers, reranking
from .records import (
    PAGE,
    answer,
    listed,
    page_number,
    page_of,
    short_id,
    with_speaker,
)
from .request import Request

EXPLAIN = "--explain"
EXPLAINED = 5
"""Memories that a search shows with all numbers."""

_DISTILLED = frozenset(Kind) - {Kind.EVIDENCE}
_VERBATIM = frozenset({Kind.EVIDENCE})


async def mine(request: Request) -> str:
    """Live memories of this chat, newest first, raw turns last."""
    number = page_number(request.argument)
    if number is None:
        return request.wrong_arguments()
    scopes = await request.readable()
    parts = [Filter(scopes=scopes, kinds=kinds) for kinds in (_DISTILLED, _VERBATIM)]
    page = await page_of(request.engine.parts.store, parts, number)
    looked_at = await _looked_at(request)
    if page.total == 0:
        return answer([request.say("mine.empty"), *looked_at])
    lines = [request.say("mine.header", total=page.total, page=page.number, pages=page.pages)]
    lines += [await listed(request, memory, scopes) for memory in page.memories]
    return answer([*looked_at, *lines, request.say("mine.footer")])


async def search(request: Request) -> str:
    """Memories of this chat about the text, as recall would find them."""
    asked = request.argument.removeprefix(EXPLAIN)
    explained = asked != request.argument
    if not asked.strip() or (explained and not asked[0].isspace()):
        return request.wrong_arguments()
    scopes = await request.readable()
    limit = EXPLAINED if explained else PAGE
    recalled = await request.engine.search(scopes, asked.strip(), limit=limit)
    lines = [request.say("search.header", found=len(recalled.memories))]
    if not recalled.memories:
        lines = [request.say("search.nothing")]
    candidates = {candidate.memory: candidate for candidate in recalled.trace.candidates}
    for number, memory in enumerate(recalled.memories, start=1):
        short = await short_id(request, memory.id, scopes)
        candidate, text = candidates[memory.id], await with_speaker(request, memory)
        if explained:
            told = numbers(request, candidate)
            lines.append(f"{number}. {short} {text}\n    {told}")
        else:
            lines.append(f"{number}. {short} {_found_by(request, candidate)} {text}")
    reranked = reranking(request, recalled.trace.rerank) if explained else []
    return answer([*lines, *reranked, *_missing(request, recalled)])


async def _looked_at(request: Request) -> list[str]:
    """That others were shown the caller's private memories, if they were; not in a group."""
    if request.caller.scope.kind is not ScopeKind.PRIVATE:
        return []
    entries = await request.engine.revelations.of(request.caller.scope)
    last = [request.date(entry.at) for entry in entries[-1:]]
    return [request.say("reveal.looked_at", times=len(entries), date=date) for date in last]


def _found_by(request: Request, candidate: Fused) -> str:
    legs = "+".join(request.say(f"leg.{hit.leg}") for hit in candidate.hits)
    return f"{candidate.relevance:.0%} {legs}"


def _missing(request: Request, recalled: Recalled) -> list[str]:
    """What did not answer of all that was asked."""
    missing = (LegState.LATE, LegState.FAILED)
    legs = [
        request.say("search.leg_missing", leg=request.say(f"leg.{report.leg}"))
        for report in recalled.trace.legs
        if report.state in missing
    ]
    unranked = recalled.trace.rerank.state in missing
    return [*legs, request.say("search.rerank_missing")] if unranked else legs
