"""What everybody may ask of the memories of their own chat."""

from ...core.actions.archive import search_archive
from ...core.actions.explanation import SearchAnswer, search
from ...core.actions.history import revelations
from ...core.actions.listing import list_own
from ...core.actions.views import PAGE
from ...core.recall.trace import Fused, LegState
from .explain import numbers, reranking
from .records import answer, line, page_number, said
from .request import Request

EXPLAIN = "--explain"
ARCHIVED = "--archived"
EXPLAINED = 5
"""Memories that a search shows with all numbers."""


async def mine(request: Request) -> str:
    """Live memories of this chat, newest first, raw turns last."""
    number = page_number(request.argument)
    if number is None:
        return request.wrong_arguments()
    page, looked_at = await list_own(request.context, number), await _looked_at(request)
    if page.total == 0:
        return answer([request.say("mine.empty"), *looked_at])
    head = request.say("mine.header", total=page.total, page=page.number, pages=page.pages)
    lines = [line(request, view) for view in page.entries]
    return answer([*looked_at, head, *lines, request.say("mine.footer")])


async def search_(request: Request) -> str:
    """Memories of this chat about the text, as recall would find them; or archived ones."""
    flag, _, wanted = request.argument.partition(" ")
    if flag == ARCHIVED:
        return await _archived(request, wanted.strip())
    asked = request.argument.removeprefix(EXPLAIN)
    explained = asked != request.argument
    if not asked.strip() or (explained and not asked[0].isspace()):
        return request.wrong_arguments()
    limit = EXPLAINED if explained else PAGE
    found = await search(request.context, asked.strip(), limit=limit)
    lines = [request.say("search.header", found=len(found.memories))]
    if not found.memories:
        lines = [request.say("search.nothing")]
    for number, each in enumerate(found.memories, start=1):
        view, candidate = each.memory, each.candidate
        if explained:
            told = numbers(request, candidate)
            lines.append(f"{number}. {view.id} {said(request, view)}\n    {told}")
        else:
            by = _found_by(request, candidate)
            lines.append(f"{number}. {view.id} {by} {said(request, view)}")
    reranked = reranking(request, found.trace.rerank) if explained else []
    return answer([*lines, *reranked, *_missing(request, found)])


async def _archived(request: Request, asked: str) -> str:
    if not asked:
        return request.wrong_arguments()
    found = await search_archive(request.context, asked)
    if not found:
        return request.say("search.nothing_archived")
    lines = [f"{each.memory.id} {each.score:.0%} {said(request, each.memory)}" for each in found]
    head = request.say("search.header", found=len(found))
    return answer([head, *lines, request.say("search.restorable")])


async def _looked_at(request: Request) -> list[str]:
    """That others were shown the caller's private memories, if they were."""
    entries = await revelations(request.context)
    if not entries:
        return []
    date = request.date(entries[-1].at)
    return [request.say("reveal.looked_at", times=len(entries), date=date)]


def _found_by(request: Request, candidate: Fused) -> str:
    legs = "+".join(request.say(f"leg.{hit.leg}") for hit in candidate.hits)
    return f"{min(1.0, candidate.relevance):.0%} {legs}"


def _missing(request: Request, found: SearchAnswer) -> list[str]:
    """What did not answer of all that was asked."""
    missing = (LegState.LATE, LegState.FAILED)
    legs = [
        request.say("search.leg_missing", leg=request.say(f"leg.{report.leg}"))
        for report in found.trace.legs
        if report.state in missing
    ]
    unranked = found.trace.rerank.state in missing
    return [*legs, request.say("search.rerank_missing")] if unranked else legs
