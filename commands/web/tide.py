"""The home of the page: the tide, what sinks this week, and whether all is well."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.actions import installation
from ...core.actions import tide as tide_
from ...core.actions.installation import DeadWork, Health, Spending
from ...core.actions.tide import TokenLedger
from ...core.model.incidents import Incident
from .request import WebRequest


@dataclass(frozen=True, slots=True)
class HealthInShort:
    """What is amiss by its name in the page's phrases, gravest first, and in full; today's calls.

    Of the last `recalls` turns `late` went without memory, `by_words` without vectors in time.
    """

    amiss: list[str]
    recalls: int
    late: int
    by_words: int
    spending: Spending
    incidents: Mapping[str, Incident]
    dead: Sequence[DeadWork]
    unread: Mapping[str, str]
    unreadable: Sequence[str]
    settings: Sequence[str]


@dataclass(frozen=True, slots=True)
class Begun:
    """Whether something that takes long has begun, or was under way already."""

    begun: bool


async def health(request: WebRequest) -> HealthInShort:
    """Whether all is well, and today's model calls against their budget."""
    found = await installation.health(request.context)
    spent = await installation.spending(request.context)
    return HealthInShort(
        _amiss(found),
        found.recalls,
        found.late,
        found.by_words,
        spent,
        found.incidents,
        found.dead,
        found.unread,
        found.unreadable,
        [problem.name for problem in found.problems],
    )


async def install(request: WebRequest) -> Begun:
    """Install the local embedding model and what runs it faster."""
    return Begun(await installation.install_embedder(request.context) is True)


async def later(request: WebRequest) -> Begun:
    """Do not offer it any more."""
    await installation.decline_embedder(request.context)
    return Begun(False)


async def price(request: WebRequest) -> TokenLedger:
    """Keep the price of a million tokens, which is told in thousandths."""
    most = 1_000_000_000
    await tide_.set_price(request.context, request.number("price", 0, 0, most) / 1000)
    return await tide_.ledger(request.context)


def _amiss(health: Health) -> list[str]:
    found = {
        "unread": health.unread,
        "unreadable": health.unreadable,
        "dead": health.dead,
        "no_model": health.no_model,
        "no_embedder": health.no_embedder,
        "hashed": health.offered,
        "settings": health.problems,
        "incidents": health.incidents,
    }
    return [name for name, wrong in found.items() if wrong]
