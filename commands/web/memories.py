"""Memories on the page: the tide, lists, corrections, forgetting, and why the bot said it."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from ...core.actions import edits, explanation, installation, listing
from ...core.actions import forgetting as forgetting_
from ...core.actions import reports as tide_
from ...core.actions.configuration import UnfitValues
from ...core.actions.edits import CorrectedMemory
from ...core.actions.explanation import RecallReport, Trial
from ...core.actions.forgetting import NAMES, Foresight, Simulated
from ...core.actions.installation import Health, Spending
from ...core.actions.listing import Browsed, ListRequest, Order
from ...core.actions.reports import TokenLedger
from ...core.actions.views import Replaced
from ...core.model.memory import Kind, Status
from .request import BadRequest, ChangedMemories, WebRequest, of_each

EVERY_STATUS = "all"
PAGE_SIZE = 40
LARGEST_PAGE = 100


async def list_(request: WebRequest) -> Browsed:
    """A page of memories, filtered and in some order."""
    every = request.text("status") == EVERY_STATUS
    tier = request.number("tier", -1, -1, 2)
    wanted = ListRequest(
        owner=request.text("owner"),
        persona=request.text("persona"),
        kinds=_kinds(request),
        tier=None if tier < 0 else tier,
        status=None if every else request.choice("status", Status) or Status.LIVE,
        kept=True if request.flag("kept") else None,
        text=request.text("text"),
        tag=request.text("tag"),
        order=request.choice("order", Order) or Order.NEWEST,
        page=request.page,
        size=request.number("size", PAGE_SIZE, 1, LARGEST_PAGE),
    )
    return await listing.browse(request.context, wanted)


async def write(request: WebRequest) -> CorrectedMemory:
    """A new text in the place of a memory."""
    id, text = request.needed("id"), request.needed("text", longest=edits.LONGEST_TEXT + 1)
    done = await edits.correct(request.context, id, text)
    if isinstance(done, Replaced):
        raise BadRequest("id")
    return done


async def tag(request: WebRequest) -> ChangedMemories:
    """Tags given to memories, and taken from them."""
    words = {name: request.text(name).split() for name in ("added", "removed")}
    return await of_each(partial(edits.tag, **words))(request)


def _kinds(request: WebRequest) -> frozenset[Kind] | None:
    named = request.text("kinds")
    try:
        return frozenset(map(Kind, named.split(","))) if named else None
    except ValueError:
        raise BadRequest("kinds") from None


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


MOST_YEARS = 10


async def foresee(request: WebRequest) -> Foresight:
    """What goes within some days, and what is left over a year."""
    days, owner = float(request.number("within", 30, 1, 365)), request.text("owner")
    return await forgetting_.foresee(request.context, days, _policy(request, "other"), owner)


async def simulate(request: WebRequest) -> Simulated:
    """Years under the policy in force and under another."""
    given = {"years": str(request.number("years", 3, 1, MOST_YEARS))}
    if policy := _policy(request, "policy"):
        given["policy"] = policy
    try:
        return await forgetting_.simulate(request.context, given)
    except UnfitValues as unfit:
        raise BadRequest(unfit.problems[0].name) from None


async def stop(request: WebRequest) -> Begun:
    """Stop the simulation that is running."""
    return Begun(not await forgetting_.stop_simulation(request.context))


def _policy(request: WebRequest, parameter: str) -> str:
    name = request.text(parameter)
    if name not in ("", *NAMES):
        raise BadRequest(parameter)
    return name
