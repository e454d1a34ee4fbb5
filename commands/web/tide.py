"""The home of the page: the tide, what sinks this week, and whether all is well."""

from dataclasses import dataclass

from ...core.actions import installation
from ...core.actions import tide as tide_
from ...core.actions.installation import Health, Spending
from ...core.actions.tide import TokenLedger
from .request import WebRequest


@dataclass(frozen=True, slots=True)
class HealthInShort:
    """What is amiss by its name in the phrases of the page, gravest first; all of it; the cost."""

    amiss: list[str]
    found: Health
    spending: Spending


@dataclass(frozen=True, slots=True)
class Begun:
    """Whether something that takes long has begun, or was under way already."""

    begun: bool


async def health(request: WebRequest) -> HealthInShort:
    """Whether all is well, and today's model calls against their budget."""
    found = await installation.health(request.context)
    return HealthInShort(_amiss(found), found, await installation.spending(request.context))


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
