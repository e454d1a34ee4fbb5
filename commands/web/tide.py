"""The home of the page: the tide, what sinks this week, and whether all is well."""

from dataclasses import dataclass

from ...core.actions import installation
from ...core.actions import tide as tide_
from ...core.actions.answers import CodeNeeded, Refused
from ...core.actions.installation import Health
from ...core.actions.tide import Tide
from .request import WebRequest, revealing


@dataclass(frozen=True, slots=True)
class HealthShape:
    """What is amiss by its name in the page's phrases, gravest first; calls and their budget.

    Of the last `recalls` turns `late` went without memory, `by_words` without vectors in time.
    """

    amiss: list[str]
    recalls: int
    late: int
    by_words: int
    calls: int
    most_calls: int
    tokens: int
    most_tokens: int


@dataclass(frozen=True, slots=True)
class Begun:
    """Whether something that takes long has begun, or was under way already."""

    begun: bool


async def tide(request: WebRequest) -> Tide | Refused | CodeNeeded:
    """Memory at a glance."""
    return await revealing(lambda reveal: tide_.tide(request.context, reveal), request.reveal)


async def health(request: WebRequest) -> HealthShape | Refused:
    """Whether all is well, and today's model calls against their budget."""
    found = await installation.health(request.context)
    if isinstance(found, Refused):
        return found
    spent = await installation.spending(request.context)
    if isinstance(spent, Refused):
        return spent
    turns = (found.recalls, found.late, found.by_words)
    budget = (spent.calls, spent.most_calls, spent.tokens, spent.most_tokens)
    return HealthShape(_amiss(found), *turns, *budget)


async def install(request: WebRequest) -> Begun | Refused:
    """Install the local embedding model."""
    begun = await installation.install_embedder(request.context)
    return begun if isinstance(begun, Refused) else Begun(begun is True)


def _amiss(health: Health) -> list[str]:
    found = {
        "unread": health.unread,
        "unreadable": health.unreadable,
        "dead": health.dead,
        "no_model": health.no_model,
        "no_embedder": health.no_embedder,
        "hashed": health.hashed in ("missing", "damaged"),
        "settings": health.problems,
        "incidents": health.incidents,
    }
    return [name for name, wrong in found.items() if wrong]
