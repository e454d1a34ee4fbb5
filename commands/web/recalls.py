"""Why the bot said it: the last turns, the recall of each, and a trial."""

from enum import StrEnum

from ...core.actions import explanation
from ...core.actions.explanation import RecallReport, Trial
from .request import WebRequest


class Eager(StrEnum):
    """How sure a recall must be."""

    QUIET = "quiet"
    BALANCED = "balanced"
    EAGER = "eager"


async def trial(request: WebRequest) -> RecallReport:
    """A question asked as somebody."""
    settings = request.context.settings.recall
    wanted = Trial(
        owner=request.needed("owner"),
        text=request.needed("text"),
        eagerness=(request.choice("eagerness", Eager) or Eager(settings.eagerness)).value,
        budget_tokens=request.number("budget_tokens", settings.budget_tokens, 50, 8_000),
    )
    return await explanation.try_recall(request.context, wanted)
