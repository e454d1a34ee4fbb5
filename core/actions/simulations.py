"""Simulating years of forgetting under a setting, at this bot's own rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.fsrs import FsrsMissing
from ..model.jobs import Job, JobKind
from ..settings import Problem
from ..simulation.experiment import DAYS_PER_YEAR, Experiment, read_experiment
from ..simulation.installation_rates import InstallationRates, own_rates
from ..simulation.runner import Busy, Stopped, TooLarge
from ..simulation.summary import Figures, Summary
from ..simulation.usage_profiles import PROFILES
from .answers import PackageMissing
from .context import Context, for_admins

__all__ = ["PROFILES", "Busy", "Figures", "Summary", "TooLarge"]


@dataclass(frozen=True, slots=True)
class Simulated:
    """What was simulated, and what came of it; `before` where it differs from what is in force.

    `complete` unless a rate of this bot is assumed for want of data.
    """

    years: float
    calls: tuple[int, int]
    top_k: int
    useful_prob: float
    policy: str
    complete: bool
    summary: Summary
    policy_before: str
    before: Summary | None


@dataclass(frozen=True, slots=True)
class BadParameters:
    """What of the given parameters cannot be used."""

    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True)
class SimulationStopped:
    """It was stopped, or took longer than it may."""


type Simulation = Simulated | BadParameters | PackageMissing | SimulationStopped | Busy | TooLarge


@for_admins
async def simulate(context: Context, given: Mapping[str, str]) -> Simulation:
    """Both what is in force and what these parameters, by name, would do instead."""
    rates = await own_rates(context.store, context.journal, now=context.now)
    base = _in_force(context, rates)
    asked = read_experiment(given, base)
    if not isinstance(asked, Experiment):
        return BadParameters(asked)
    # Only what forgets is compared: both go through the same days.
    before = replace(base, conditions=asked.conditions, seed=asked.seed)
    try:
        done = await _run(context, list(dict.fromkeys((before, asked))))
    except FsrsMissing:
        return PackageMissing("fsrs")
    except Stopped:
        return SimulationStopped()
    if isinstance(done, Busy | TooLarge):
        return done
    if isinstance(done, Job):
        return SimulationStopped()
    conditions = asked.conditions
    return Simulated(
        years=conditions.days / DAYS_PER_YEAR,
        calls=(conditions.fewest_calls, conditions.most_calls),
        top_k=conditions.top_k,
        useful_prob=conditions.useful_prob,
        policy=asked.policy,
        complete=rates.complete,
        summary=done[-1],
        policy_before=before.policy,
        before=done[0] if len(done) > 1 else None,
    )


@for_admins
async def stop_simulation(context: Context) -> bool:
    """Whether one was running."""
    jobs = context.services.jobs
    running = jobs.running(JobKind.SIMULATION)
    return running is not None and jobs.cancel(running.id)


async def _run(
    context: Context, experiments: Sequence[Experiment]
) -> list[Summary] | Busy | TooLarge | Job:
    simulations = context.services.simulations
    refused = simulations.refusal(*experiments)
    if refused is not None:
        return refused
    days = sum(experiment.conditions.days for experiment in experiments)
    started = context.services.jobs.start(
        JobKind.SIMULATION,
        lambda tell: simulations.run(*experiments, tell=tell),
        by=context.caller.signature,
        outcome=lambda _: {"years": f"{days / len(experiments) / DAYS_PER_YEAR:.3g}"},
    )
    return await started.result()


def _in_force(context: Context, rates: InstallationRates) -> Experiment:
    settings = context.settings
    plain = Experiment(
        parameters=settings.decay.parameters(),
        policy=settings.forgetting.policy,
        others=settings.forgetting.parameters(),
    )
    return replace(plain, conditions=rates.over(plain.conditions))
