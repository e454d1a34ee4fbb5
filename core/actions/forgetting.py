"""Forecast of forgetting for one chat, and how useful each kind of memory proves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..forgetting.catalogue import NAMES, policy_named
from ..forgetting.fsrs import FsrsMissing
from ..forgetting.rates import Posterior
from ..model.memory import Kind
from .answers import MemoryView, PackageMissing
from .context import Context, for_admins
from .views import PAGE, views

__all__ = ["NAMES"]


@dataclass(frozen=True, slots=True)
class ForecastView:
    """A memory and when, Unix seconds, it would be let go."""

    memory: MemoryView
    at: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many memories would go, everywhere and here, and which of here first.

    `policy` is the other policy asked about, "" for the one in force; `in_force` how many would go
    everywhere under that one.
    """

    overall: int
    here: int
    soonest: Sequence[ForecastView]
    policy: str
    in_force: int


@for_admins
async def forecast(
    context: Context, days: float, policy: str = "", size: int = PAGE
) -> Forecast | PackageMissing:
    """What time alone would take within some days, under a policy of NAMES. Changes nothing."""
    engine, now = context.engine, context.now
    try:
        parameters = context.settings.forgetting.parameters()
        other = policy_named(policy, engine.policy, parameters) if policy else None
    except FsrsMissing:
        return PackageMissing("fsrs")
    everywhere, foretell = frozenset(await context.store.scopes()), engine.sweeper.foretell
    within = [days]
    overall = (await foretell(everywhere, now=now, days=within, policy=other)).counts[0]
    readable = await context.readable()
    here = await foretell(readable, now=now, days=within, limit=size, policy=other)
    in_force = overall
    if other is not None:
        in_force = (await foretell(everywhere, now=now, days=within)).counts[0]
    shown = await views(context, [fading.memory for fading in here.soonest])
    fading = [
        ForecastView(memory, max(now, each.at))
        for memory, each in zip(shown, here.soonest, strict=True)
    ]
    return Forecast(overall, here.counts[0], fading, policy, in_force)


@dataclass(frozen=True, slots=True)
class Rates:
    """The policy in force, and what verdicts say of the kinds of memories."""

    policy: str
    rates: Mapping[Kind, Posterior]


@for_admins
async def usefulness(context: Context) -> Rates:
    """How useful each kind proves, over everybody's verdicts."""
    rates = await context.engine.usefulness.rates(now=context.now)
    return Rates(context.engine.sweeper.policy.name, dict(sorted(rates.by_kind.items())))
