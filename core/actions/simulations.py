"""Simulating years of forgetting under a setting, at this bot's own rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.fsrs import FsrsMissing
from ..model.jobs import Job, JobKind
from ..simulation.experiment import DAYS_PER_YEAR, Experiment, read_experiment
from ..simulation.installation_rates import InstallationRates, own_rates
from ..simulation.runner import Busy, Stopped, TooLarge
from ..simulation.summary import Figures, Summary
from ..simulation.usage_profiles import PROFILES
from .answers import PackageMissing, Refusal, Refused
from .configuration import UnfitValues
from .context import Context, for_admins

__all__ = ["PROFILES", "Figures"]


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

    years: float
    calls: tuple[int, int]
    top_k: int
    useful_prob: float
    complete: bool
    lives: Sequence[Life]


@for_admins
async def simulate(context: Context, given: Mapping[str, str]) -> Simulated:
    """Both what is in force and what these parameters, by name, would do instead."""
    rates = await own_rates(context.store, context.journal, now=context.now)
    base = _in_force(context, rates)
    asked = read_experiment(given, base)
    if not isinstance(asked, Experiment):
        raise UnfitValues(asked)
    # Only what forgets is compared: both go through the same days.
    before = replace(base, conditions=asked.conditions, seed=asked.seed)
    experiments = list(dict.fromkeys((before, asked)))
    done, conditions = await _run(context, experiments), asked.conditions
    lives = [
        Life(each.policy, summary.overall, summary.profiles)
        for each, summary in zip(experiments, done, strict=True)
    ]
    return Simulated(
        years=conditions.days / DAYS_PER_YEAR,
        calls=(conditions.fewest_calls, conditions.most_calls),
        top_k=conditions.top_k,
        useful_prob=conditions.useful_prob,
        complete=rates.complete,
        lives=lives,
    )


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


def _in_force(context: Context, rates: InstallationRates) -> Experiment:
    settings = context.settings
    plain = Experiment(
        parameters=settings.decay.parameters(),
        policy=settings.forgetting.policy,
        target_population=settings.forgetting.target_population,
    )
    return replace(plain, conditions=rates.over(plain.conditions))
