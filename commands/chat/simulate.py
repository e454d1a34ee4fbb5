"""What a setting would do: years of forgetting in seconds, at this bot's own rates."""

from dataclasses import replace

from ...core.forgetting.fsrs import FsrsMissing
from ...core.model.errors import INSTALL
from ...core.simulation.experiment import DAYS_PER_YEAR, Experiment, read_experiment
from ...core.simulation.installation_rates import InstallationRates, own_rates
from ...core.simulation.runner import Busy, Stopped, TooLarge
from ...core.simulation.summary import Figures, Summary
from ...core.simulation.usage_profiles import PROFILES
from .charts import sparkline
from .records import answer
from .request import Request
from .values import problem

PROFILE_NAMES = ("crammed", "daily", "hot", "yearly", "occasional", "noise")
"""Of the six profiles in their order, as the messages name them."""


async def simulate(request: Request) -> str:
    """The table and the sparkline; with changed parameters beside those in force."""
    if request.argument.lower() == "stop":
        stopped = request.services.simulations.stop()
        return request.say("simulate.stopping") if stopped else request.say("simulate.idle")
    given = _given(request.argument)
    if given is None:
        return request.wrong_arguments()
    rates = await own_rates(
        request.engine.parts.store,
        request.engine.parts.journal,
        now=request.engine.parts.clock.now(),
    )
    base = _in_force(request, rates)
    asked = read_experiment(given, base)
    if not isinstance(asked, Experiment):
        return answer([problem(request, found) for found in asked])
    return await _run(request, asked, base, rates)


def _given(text: str) -> dict[str, str] | None:
    """Parameters by name, a bare number first being years; None for anything else."""
    words = text.split()
    given = {"years": words.pop(0)} if words and "=" not in words[0] else {}
    if not all("=" in word for word in words):
        return None
    pairs = (word.partition("=") for word in words)
    return given | {name.lower(): value for name, _, value in pairs}


def _in_force(request: Request, rates: InstallationRates) -> Experiment:
    settings = request.engine.parts.settings
    plain = Experiment(
        parameters=settings.decay.parameters(),
        policy=settings.forgetting.policy,
        others=settings.forgetting.parameters(),
    )
    return replace(plain, conditions=rates.over(plain.conditions))


async def _run(
    request: Request, asked: Experiment, base: Experiment, rates: InstallationRates
) -> str:
    # Only what forgets is compared: both go through the same days.
    before = replace(base, conditions=asked.conditions, seed=asked.seed)
    try:
        done = await request.services.simulations.run(*dict.fromkeys((before, asked)))
    except FsrsMissing:
        return request.say("decay.missing", command=INSTALL["fsrs"])
    except Stopped:
        return request.say("simulate.stopped")
    match done:
        case Busy(share):
            return request.say("simulate.busy", share=f"{100 * share:.0f}")
        case TooLarge(cost):
            megabytes, seconds = f"{cost.megabytes:.0f}", f"{cost.seconds:.0f}"
            return request.say("simulate.too_large", megabytes=megabytes, seconds=seconds)
        case [only]:
            return answer([*_header(request, asked, rates), *_table(request, only)])
        case [first, *_, last]:
            return answer(
                [
                    *_header(request, asked, rates),
                    request.say("simulate.now", policy=before.policy),
                    *_outline(request, first.overall),
                    request.say("simulate.then", policy=asked.policy),
                    *_table(request, last),
                ]
            )
        case _:
            raise AssertionError("a simulation was asked for")


def _header(request: Request, asked: Experiment, rates: InstallationRates) -> list[str]:
    conditions = asked.conditions
    fewest, most = conditions.fewest_calls, conditions.most_calls
    told = request.say(
        "simulate.header",
        years=f"{conditions.days / DAYS_PER_YEAR:.3g}",
        calls=str(most) if fewest == most else f"{fewest}-{most}",
        top_k=conditions.top_k,
        useful=f"{100 * conditions.useful_prob:.3g}",
        policy=asked.policy,
    )
    return [told] if rates.complete else [told, request.say("simulate.assumed")]


def _table(request: Request, summary: Summary) -> list[str]:
    parts = zip(PROFILE_NAMES, PROFILES, strict=True)
    return [
        *_outline(request, summary.overall),
        request.say("simulate.profiles"),
        *(_profile(request, name, summary.profiles[profile.name]) for name, profile in parts),
    ]


def _outline(request: Request, figures: Figures) -> list[str]:
    told = [
        request.say(
            "simulate.counts",
            ratio=f"{100 * figures.deletion_ratio:.1f}",
            created=figures.created,
            alive=figures.survivors,
            fading=figures.tiers[0],
            settling=figures.tiers[1],
            lasting=figures.tiers[2],
        ),
        request.say(
            "simulate.life",
            mean=f"{figures.mean_lifetime_days:.0f}",
            p90=figures.p90_lifetime_days,
        ),
    ]
    if len(figures.monthly_survivors) > 1:
        told.append(request.say("simulate.months", chart=sparkline(figures.monthly_survivors)))
    return told


def _profile(request: Request, name: str, figures: Figures) -> str:
    return request.say(
        "simulate.profile",
        name=request.say(f"profile.{name}"),
        alive=figures.survivors,
        created=figures.created,
        lasting=figures.tiers[2],
    )
