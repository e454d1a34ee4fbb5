"""All memory at a glance: counts by tier, what is about to be forgotten, what sleep did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model.memory import LEARNT
from ..model.sleeping import INSTALLATION, Deed
from ..model.times import day_of, zone
from ..ports import Census, Expense, Filter, Order
from ..records.notes import number_note
from .answers import MemoryView, Refusal
from .context import Context, for_admins, over_everybody
from .listing import score_span
from .masking import masked_by, seen

WEEK = 7.0
LISTED = 20
PICTURED = (70, 40, 40)
"""Memories of each tier in the picture, the newest."""

SOON = (3.0, 7.0, 14.0)
"""Days of the forecast."""

WEEKS = 12
"""Of the survival."""

NIGHT = 86_400.0
PRICE = "token_price"
REPORTS = 60


@dataclass(frozen=True, slots=True)
class Tide:
    """What there is now.

    `sinking` are the first learnt memories that time alone takes within a week, of
    `sinking_total` with raw messages; `pictured` some of each tier. `learnt` today; `deeds` of the
    sleeps of the last 24 hours.
    """

    tiers: Sequence[int]
    kept: int
    sinking_total: int
    sinking: Sequence[MemoryView]
    pictured: Sequence[MemoryView]
    learnt: int
    deeds: Mapping[Deed, int]
    slept_at: float | None
    why_masked: Refusal | None


@dataclass(frozen=True, slots=True)
class TierCounts:
    """Live memories by tier, here and everywhere; of those here, how many are never forgotten.

    `forgotten` within each of `SOON` days if nothing is used, `left` now and after each week.
    """

    here: Sequence[int]
    everywhere: Sequence[int]
    exempt: int
    forgotten: Sequence[int]
    left: Sequence[int]


@dataclass(frozen=True, slots=True)
class TokenLedger:
    """Tokens by month and purpose, and memories by day and tier, the oldest first.

    `price` of a million tokens, in whatever money; 0 where nobody has told it.
    """

    expenses: Sequence[Expense]
    censuses: Sequence[Census]
    price: float


@for_admins
async def ledger(context: Context) -> TokenLedger:
    """Spent on memory, and kept by it, since the beginning."""
    journal = context.journal
    price = await number_note(journal, PRICE) or 0.0
    return TokenLedger(await journal.expenses(), await journal.censuses(), price)


@for_admins
async def set_price(context: Context, price: float) -> None:
    """Keep the price of a million tokens."""
    await context.journal.set_note(PRICE, repr(price))


@over_everybody
async def tide(context: Context) -> Tide:
    """Of every person and group."""
    store, engine, now = context.store, context.engine, context.now
    scopes = frozenset(await store.scopes())
    told = await engine.sweeper.foretell(scopes, now=now, days=[WEEK], limit=LISTED, named=LEARNT)
    sinking = [each.memory for each in told.soonest]
    pictured = [
        memory
        for tier, most in enumerate(PICTURED)
        for memory in await store.page(
            Filter(kinds=LEARNT, score=score_span(engine.policy, tier), recallable=True),
            order=Order.NEWEST,
            limit=most,
        )
    ]
    shown = await seen(context, [*sinking, *pictured], "tide")
    deeds, slept_at = await _last_sleeps(context)
    return Tide(
        (await store.tally(engine.policy)).tiers,
        await store.count(Filter(exempt=True)),
        told.counts[0],
        shown[: len(sinking)],
        shown[len(sinking) :],
        await _learnt_today(context),
        deeds,
        slept_at,
        masked_by(context, shown),
    )


@for_admins
async def tier_counts(context: Context) -> TierCounts:
    """Of this chat and of all."""
    engine, store, scopes = context.engine, context.store, await context.readable()
    here = (await store.tally(engine.policy, scopes)).tiers
    everywhere = (await store.tally(engine.policy)).tiers
    exempt = await store.count(Filter(scopes=scopes, exempt=True))
    days = (*SOON, *(7.0 * week for week in range(1, WEEKS + 1)))
    gone = (await engine.sweeper.foretell(scopes, now=context.now, days=days)).counts
    soon, weekly = gone[: len(SOON)], gone[len(SOON) :]
    live = sum(here)
    return TierCounts(here, everywhere, exempt, soon, [live, *(live - n for n in weekly)])


async def _learnt_today(context: Context) -> int:
    midnight, _ = day_of(context.now, zone(context.timezone))
    every = await context.store.count(Filter(kinds=LEARNT))
    return every - await context.store.count(Filter(kinds=LEARNT, created_before=midnight))


async def _last_sleeps(context: Context) -> tuple[Mapping[Deed, int], float | None]:
    """What the sleeps of the last day did, and when the newest was over."""
    scopes = {*(await context.store.scopes()), INSTALLATION}
    found = await context.journal.reports(scopes, limit=REPORTS, offset=0)
    deeds: dict[Deed, int] = {}
    for sleep in found:
        if (sleep.ended_at or 0.0) > context.now - NIGHT:
            for deed, count in sleep.counts.items():
                deeds[deed] = deeds.get(deed, 0) + count
    return deeds, max((sleep.ended_at or 0.0 for sleep in found), default=None)
