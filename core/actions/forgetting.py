"""Forecasts of forgetting, years of it simulated, and how useful each kind of memory proves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.catalogue import NAMES
from ..forgetting.fsrs import FsrsMissing
from ..forgetting.lifecycle import DAY
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.rates import Posterior
from ..model.conversation import Scope
from ..model.memory import LEARNT, Kind, Source
from ..model.sleeping import Job, JobKind
from ..ports import Filter
from ..simulation.experiment import DAYS_PER_YEAR, Experiment, own_rates, read_experiment
from ..simulation.forecast import ForgettingTime, foretell
from ..simulation.run import Conditions
from ..simulation.runner import Busy, Stopped, TooLarge
from ..simulation.summary import Figures, Summary
from ..simulation.usage_profiles import PROFILES
from .answers import MemoryView, PackageMissing, Refusal, Refused
from .configuration import UnfitValues
from .context import Context, for_admins, over_everybody
from .views import PAGE, masked_by, seen, views

__all__ = ["DAYS_PER_YEAR", "NAMES", "PROFILES", "Figures"]

HORIZON = (7.0, 14.0, *map(float, range(30, 331, 30)), 365.0)
"""Days of the curve."""

NAMED = 12
"""Learnt memories that are named, the first to go."""


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
    asked = policy_called(context, policy) if policy else engine.sweeper.policy
    everywhere, store = frozenset(await context.store.scopes()), context.store
    told = await foretell(asked, store, everywhere, now=now, days=[days])
    overall = in_force = told.counts[0]
    readable = await context.readable()
    here = await foretell(asked, store, readable, now=now, days=[days], limit=size)
    if policy:
        told = await foretell(engine.sweeper.policy, store, everywhere, now=now, days=[days])
        in_force = told.counts[0]
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
    """How often memories of a kind or source prove useful, 0..1, and how far that may be off."""

    sort: Kind | Source
    mean: float
    deviation: float
    judged: int


@dataclass(frozen=True, slots=True)
class Policies:
    """Every policy, the one in force, and what verdicts say of kinds and sources of memories."""

    names: Sequence[str]
    policy: str
    rates: Sequence[Rate]
    by_source: Sequence[Rate]


@for_admins
async def policies(context: Context) -> Policies:
    """Which there are, and how useful each kind and source proves, over everybody's verdicts."""
    rates = await context.engine.usefulness.rates(now=context.now)

    def told(by: Mapping[Kind, Posterior] | Mapping[Source, Posterior]) -> list[Rate]:
        return [Rate(sort, p.mean, p.deviation, p.judged) for sort, p in sorted(by.items())]

    in_force = context.engine.sweeper.policy.name
    return Policies(NAMES, in_force, told(rates.by_kind), told(rates.by_source))


@dataclass(frozen=True, slots=True)
class Going:
    """A learnt memory and when it goes, Unix seconds; under the other policy `elsewhere`.

    `elsewhere` is None where that keeps it, or where nothing is compared.
    """

    memory: MemoryView
    at: float
    elsewhere: float | None


@dataclass(frozen=True, slots=True)
class ForeseenPolicy:
    """One policy: what is `left` after each of the days, and how many go within the days asked."""

    policy: str
    left: Sequence[int]
    going: int
    first: Sequence[Going]


@dataclass(frozen=True, slots=True)
class Foresight:
    """All live memories, those that are never forgotten, and each policy, that in force first,
    with what is left after each of the `days`.

    Not `comparable`: the other policy looks at all memories of a scope together, so that it does
    not say of a single one when it goes.
    """

    days: Sequence[float]
    live: int
    kept: int
    policies: Sequence[ForeseenPolicy]
    comparable: bool
    why_masked: Refusal | None


@over_everybody
async def foresee(context: Context, days: float, other: str = "", owner: str = "") -> Foresight:
    """Of everybody, or of one owner; `other` is one of NAMES, "" for the policy in force alone."""
    beside = policy_called(context, other) if other else None
    live = await context.store.scopes()
    scopes = frozenset(key for key in live if owner in ("", Scope.parse(key).owner))
    now, in_force = context.now, context.engine.sweeper.policy
    policies = [in_force] if beside is None else [in_force, beside]
    told = [
        await foretell(
            each, context.store, scopes, now=now, days=(*HORIZON, days), limit=NAMED, named=LEARNT
        )
        for each in policies
    ]
    first = [[one for one in each.soonest if one.at <= now + days * DAY] for each in told]
    memories = {one.memory.id: one.memory for each in first for one in each}
    shown = await seen(context, list(memories.values()), f"foresight {owner}")
    by_id = {view.memory.id: view for view in shown}
    comparable = beside is None or not beside.needs_other_memories

    def going(one: ForgettingTime, other: ForgettingPolicy) -> Going:
        elsewhere = other.forgotten_at(one.memory) if beside is not None and comparable else None
        return Going(by_id[one.memory.id], one.at, elsewhere)

    total = sum(live[key] for key in scopes)
    return Foresight(
        (0.0, *HORIZON),
        total,
        await context.store.count(Filter(scopes=scopes, exempt=True)),
        [
            ForeseenPolicy(
                policy.name,
                [total, *(total - gone for gone in each.counts[:-1])],
                each.counts[-1],
                [going(one, other) for one in soonest],
            )
            for policy, other, each, soonest in zip(
                policies, reversed(policies), told, first, strict=True
            )
        ],
        comparable,
        masked_by(context, shown),
    )


@dataclass(frozen=True, slots=True)
class Life:
    """A simulated life under one policy, as a whole and by profile of use."""

    policy: str
    overall: Figures
    profiles: Mapping[str, Figures]


@dataclass(frozen=True, slots=True)
class Simulated:
    """What was simulated, and the life under what is in force, where that differs, and as asked.

    `complete` unless a rate of this bot is assumed for want of data.
    """

    conditions: Conditions
    complete: bool
    lives: Sequence[Life]


@for_admins
async def simulate(context: Context, given: Mapping[str, str]) -> Simulated:
    """Both what is in force and what these parameters, by name, would do instead."""
    rates = await own_rates(context.store, context.journal, now=context.now)
    pace, keeping = context.settings.decay.parameters(), context.settings.forgetting
    usual = rates.over(Experiment().conditions)
    base = Experiment(usual, pace, keeping.policy, keeping.target_population)
    asked = read_experiment(given, base)
    if not isinstance(asked, Experiment):
        raise UnfitValues(asked)
    # Only what forgets is compared: both go through the same days.
    before = replace(base, conditions=asked.conditions, seed=asked.seed)
    experiments = list(dict.fromkeys((before, asked)))
    pairs = zip(experiments, await _run(context, experiments), strict=True)
    lives = [Life(each.policy, told.overall, told.profiles) for each, told in pairs]
    return Simulated(asked.conditions, rates.complete, lives)


@for_admins
async def stop_simulation(context: Context) -> bool:
    """Whether one was running."""
    jobs = context.services.jobs
    running = jobs.running(JobKind.SIMULATION)
    return running is not None and jobs.cancel(running.id)


async def _run(context: Context, experiments: Sequence[Experiment]) -> list[Summary]:
    """One summary each; refused while another runs, where they are too large, or if stopped."""
    simulations = context.services.simulations
    _possible(simulations.refusal(*experiments))
    days = sum(experiment.conditions.days for experiment in experiments)
    started = context.services.jobs.start(
        JobKind.SIMULATION,
        lambda tell: simulations.run(*experiments, tell=tell),
        by=context.by,
        outcome=lambda _: {"years": f"{days / len(experiments) / DAYS_PER_YEAR:.3g}"},
    )
    try:
        done = _possible(await started.result())
    except FsrsMissing:
        raise PackageMissing("fsrs") from None
    except Stopped:
        raise Refused(Refusal.STOPPED) from None
    if isinstance(done, Job):
        raise Refused(Refusal.STOPPED)
    return done


def _possible[T](answer: T | Busy | TooLarge) -> T:
    match answer:
        case Busy(share):
            raise Refused(Refusal.BUSY, share=f"{100 * share:.0f}")
        case TooLarge(cost):
            megabytes, seconds = f"{cost.megabytes:.0f}", f"{cost.seconds:.0f}"
            raise Refused(Refusal.TOO_LARGE, megabytes=megabytes, seconds=seconds)
        case _:
            return answer
