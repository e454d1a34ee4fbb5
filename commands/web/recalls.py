"""Why the bot said it: the last turns, the recall of each, and a trial."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from ...core.actions import browsing, recall_log
from ...core.actions.answers import CodeNeeded, MemoryView, Refused
from ...core.actions.explanation import ExplainedMemory, ExplainedRecall
from ...core.actions.recall_log import RecalledTurn, RecallReport, Trial
from ...core.model.conversation import Scope
from .recall_shapes import (
    LeftOutShape,
    ReasonShape,
    RecallReportShape,
    RecallShape,
    ShownShape,
    TurnList,
    TurnShape,
)
from .request import WebRequest, revealing
from .shapes import MemoryShape, memory_shape

type Declined = Refused | CodeNeeded


class Eager(StrEnum):
    """How sure a recall must be."""

    QUIET = "quiet"
    BALANCED = "balanced"
    EAGER = "eager"


async def recent(request: WebRequest) -> TurnList | Declined:
    """The newest turns."""
    context = request.context
    found = await revealing(
        lambda reveal: recall_log.recent_recalls(context, reveal), request.reveal
    )
    if isinstance(found, Refused | CodeNeeded):
        return found
    return TurnList([_turn(each) for each in found.turns], found.why_masked or "")


async def show(request: WebRequest) -> RecallReportShape | Declined:
    """The recall of one turn."""
    turn = request.number("turn", 0, 1, 2**62)
    found = await revealing(
        lambda reveal: recall_log.recall_of(request.context, turn, reveal), request.reveal
    )
    if isinstance(found, Refused | CodeNeeded):
        return found
    return await _report(request, found)


async def trial(request: WebRequest) -> RecallReportShape | Declined:
    """A question asked as somebody."""
    settings = request.context.settings.recall
    wanted = Trial(
        owner=request.needed("owner"),
        text=request.needed("text"),
        eagerness=(request.choice("eagerness", Eager) or Eager(settings.eagerness)).value,
        budget_tokens=request.number("budget_tokens", settings.budget_tokens, 50, 8_000),
        max_items=request.number("max_items", settings.max_items, 1, 50),
    )
    found = await revealing(
        lambda reveal: recall_log.try_recall(request.context, replace(wanted, reveal=reveal)),
        request.reveal,
    )
    if isinstance(found, Refused | CodeNeeded):
        return found
    return await _report(request, found)


def _turn(turn: RecalledTurn) -> TurnShape:
    return TurnShape(
        turn.turn,
        turn.at,
        turn.owner,
        turn.owner_name,
        Scope.kind_of(turn.owner),
        turn.asker,
        turn.text,
        turn.masked,
        turn.shown,
        turn.trace.silence or "",
        turn.trace.milliseconds,
    )


async def _report(request: WebRequest, report: RecallReport) -> RecallReportShape:
    return RecallReportShape(
        report.question,
        report.at,
        report.owner,
        report.owner_name,
        Scope.kind_of(report.owner),
        [await _recall(request, each) for each in report.recalls],
        report.block,
        report.why_masked or "",
    )


async def _recall(request: WebRequest, recall: ExplainedRecall) -> RecallShape:
    trace = recall.trace
    return RecallShape(
        [await _shown(request, each) for each in recall.shown],
        [
            LeftOutShape(each.reason, each.count, await _shapes(request, each.examples))
            for each in recall.left_out
        ],
        trace.legs,
        trace.silence or "",
        trace.worth,
        trace.tokens,
        trace.milliseconds,
    )


async def _shown(request: WebRequest, shown: ExplainedMemory) -> ShownShape:
    memory = None if shown.memory is None else (await _shapes(request, [shown.memory]))[0]
    candidate = shown.candidate
    return ShownShape(
        candidate.number or 0,
        memory,
        [hit.leg for hit in candidate.hits],
        candidate.score,
        [ReasonShape(column, weight) for column, weight in candidate.reasons],
    )


async def _shapes(request: WebRequest, views: Sequence[MemoryView]) -> list[MemoryShape]:
    return [memory_shape(row) for row in await browsing.browsed(request.context, views)]
