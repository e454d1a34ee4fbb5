"""Counts of memories by tier, and how many of them time alone takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..ports import Filter
from .context import Context, for_admins

SOON = (3.0, 7.0, 14.0)
"""Days of the forecast."""

WEEKS = 12
"""Of the survival."""


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
