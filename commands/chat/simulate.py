"""Simulating years of forgetting under a setting, at this bot's own rates."""

from itertools import pairwise

from ...core.actions import simulations
from ...core.actions.configuration import UnfitValues
from ...core.actions.simulations import PROFILES, Figures, Life, Simulated
from .charts import sparkline
from .records import answer
from .request import Request, WrongArguments
from .values import problem

PROFILE_NAMES = ("crammed", "daily", "hot", "yearly", "occasional", "noise")
"""Of the six profiles in their order, as the messages name them."""


async def simulate(request: Request) -> str:
    """The table and the sparkline; with changed parameters beside those in force."""
    if request.argument.lower() == "stop":
        stopped = await simulations.stop_simulation(request.context)
        return request.say("simulate.stopping") if stopped else request.say("simulate.idle")
    given = _given(request.argument)
    try:
        done = await simulations.simulate(request.context, given)
    except UnfitValues as unfit:
        return answer([problem(request, found) for found in unfit.problems])
    return answer(
        [*_header(request, done), *_before(request, done), *_table(request, done.lives[-1])]
    )


def _given(text: str) -> dict[str, str]:
    """Parameters by name, a bare number first being years."""
    words = text.split()
    given = {"years": words.pop(0)} if words and "=" not in words[0] else {}
    if not all("=" in word for word in words):
        raise WrongArguments
    pairs = (word.partition("=") for word in words)
    return given | {name.lower(): value for name, _, value in pairs}


def _before(request: Request, done: Simulated) -> list[str]:
    return [
        each
        for before, then in pairwise(done.lives)
        for each in (
            request.say("simulate.now", policy=before.policy),
            *_outline(request, before.overall),
            request.say("simulate.then", policy=then.policy),
        )
    ]


def _header(request: Request, done: Simulated) -> list[str]:
    fewest, most = done.calls
    told = request.say(
        "simulate.header",
        years=f"{done.years:.3g}",
        calls=str(most) if fewest == most else f"{fewest}-{most}",
        top_k=done.top_k,
        useful=f"{100 * done.useful_prob:.3g}",
        policy=done.lives[-1].policy,
    )
    return [told] if done.complete else [told, request.say("simulate.assumed")]


def _table(request: Request, summary: Life) -> list[str]:
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
            "simulate.life", mean=f"{figures.mean_lifetime_days:.0f}", p90=figures.p90_lifetime_days
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
