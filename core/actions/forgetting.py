"""Forecast of forgetting for one chat, and how useful each kind of memory proves."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..forgetting.catalogue import NAMES
from ..forgetting.fsrs import FsrsMissing
from ..forgetting.policy import ForgettingPolicy
from ..model.memory import Kind
from .answers import MemoryView, PackageMissing
from .context import Context, for_admins
from .views import PAGE, views

__all__ = ["NAMES"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many memories would go, everywhere and here; which of here first, and when, Unix seconds.

    `policy` is the other policy asked about, "" for the one in force; `in_force` how many would go
    everywhere under that one.
    """

    overall: int
    here: int
    soonest: Sequence[tuple[MemoryView, float]]
    policy: str
    in_force: int


@for_admins
async def forecast(context: Context, days: float, policy: str = "", size: int = PAGE) -> Forecast:
    """What time alone would take within some days, under a policy of NAMES. Changes nothing."""
    engine, now = context.engine, context.now
    other = policy_called(context, policy) if policy else None
    everywhere, foretell = frozenset(await context.store.scopes()), engine.sweeper.foretell
    within = [days]
    overall = (await foretell(everywhere, now=now, days=within, policy=other)).counts[0]
    readable = await context.readable()
    here = await foretell(readable, now=now, days=within, limit=size, policy=other)
    in_force = overall
    if other is not None:
        in_force = (await foretell(everywhere, now=now, days=within)).counts[0]
    shown = await views(context, [fading.memory for fading in here.soonest])
    fading = list(zip(shown, (max(now, each.at) for each in here.soonest), strict=True))
    return Forecast(overall, here.counts[0], fading, policy, in_force)


def policy_called(context: Context, name: str) -> ForgettingPolicy:
    """One of NAMES with its parameters in force; refused where its package is missing."""
    try:
        return context.settings.forgetting.policy_called(name, context.engine.policy)
    except FsrsMissing:
        raise PackageMissing("fsrs") from None


@dataclass(frozen=True, slots=True)
class Rate:
    """How often memories of a kind prove useful, 0..1, and how far that may be off."""

    kind: Kind
    mean: float
    deviation: float
    judged: int


@dataclass(frozen=True, slots=True)
class Policies:
    """Every policy, the one in force, and what verdicts say of the kinds of memories."""

    names: Sequence[str]
    policy: str
    rates: Sequence[Rate]


@for_admins
async def policies(context: Context) -> Policies:
    """Which there are, and how useful each kind proves, over everybody's verdicts."""
    rates = await context.engine.usefulness.rates(now=context.now)
    told = [Rate(k, p.mean, p.deviation, p.judged) for k, p in sorted(rates.by_kind.items())]
    return Policies(NAMES, context.engine.sweeper.policy.name, told)
