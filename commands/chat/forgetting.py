"""Forgetting: charts of tiers, what goes within some days, and years of it simulated."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ...core.actions import forgetting
from ...core.actions.configuration import UnfitValues
from ...core.actions.forgetting import DAYS_PER_YEAR, NAMES, PROFILES, Figures, Life, Simulated
from ...core.actions.reports import SOON, WEEKS, TierCounts, tier_counts
from ...core.text.quoting import quoted
from .config import problem
from .listing import answer, said
from .request import Request, WrongArguments

WIDTH = 12
BLOCKS = "▁▂▃▄▅▆▇█"
SPARKS = 24
"""Columns of the sparkline at most."""

PROFILE_NAMES = ("crammed", "daily", "hot", "yearly", "occasional", "noise")
"""Of the six profiles in their order, as the messages name them."""

LONGEST_FORECAST = 3_650.0
_DAYS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,2})?")


def bar(count: int, total: int) -> str:
    """The share as a row of blocks; one at least for what there is, and room left if not all."""
    filled = round(WIDTH * count / total) if total else 0
    if 0 < count < total:
        filled = min(max(filled, 1), WIDTH - 1)
    return "█" * filled + "░" * (WIDTH - filled)


def sparkline(values: Sequence[int]) -> str:
    """A row of blocks as high as the values, the largest full; "" for none."""
    if not values:
        return ""
    step = -(-len(values) // SPARKS)
    shown, top = values[step - 1 :: step], max(1, *values)
    return "".join(BLOCKS[value * (len(BLOCKS) - 1) // top] for value in shown)


async def tiers(request: Request) -> str:
    """Live memories by tier, and what of them is left if nothing is used."""
    counts = await tier_counts(request.context)
    exempt = [request.say("tiers.exempt", count=counts.exempt)] if counts.exempt else []
    return answer(
        [
            request.say("tiers.here", live=sum(counts.here)),
            *_chart(request, counts.here),
            *exempt,
            *_survival(request, counts),
            request.say("tiers.everywhere", live=sum(counts.everywhere)),
            *_chart(request, counts.everywhere),
        ]
    )


def _chart(request: Request, tiers: Sequence[int]) -> list[str]:
    total = sum(tiers)
    return [
        f"{bar(count, total)} {request.say(f'tier.t{tier}')} {count}"
        for tier, count in enumerate(tiers)
    ]


def _survival(request: Request, counts: TierCounts) -> list[str]:
    """What time alone takes: how many soon, and how many are left week by week."""
    left = counts.left
    if left[-1] == left[0]:
        return []
    return [
        request.say(
            "tiers.soon",
            days="/".join(f"{day:g}" for day in SOON),
            counts="/".join(map(str, counts.forgotten)),
        ),
        request.say("tiers.survival", weeks=WEEKS, chart=sparkline(left), left=left[-1]),
    ]


async def decay(request: Request) -> str:
    """What time alone would take within some days, here or under another policy.

    Changes nothing.
    """
    match request.argument.split():
        case ["--preview", days, *named] if _foreseeable(days) and len(named) < 2:
            return await _forecast(request, float(days), "".join(named))
        case _:
            raise WrongArguments


async def simulate(request: Request) -> str:
    """The table and the sparkline; with changed parameters beside those in force."""
    if request.argument.lower() == "stop":
        stopped = await forgetting.stop_simulation(request.context)
        return request.say("simulate.stopping") if stopped else request.say("simulate.idle")
    given = _given(request.argument)
    try:
        done = await forgetting.simulate(request.context, given)
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
    gone_through = done.conditions
    fewest, most = gone_through.fewest_calls, gone_through.most_calls
    told = request.say(
        "simulate.header",
        years=f"{gone_through.days / DAYS_PER_YEAR:.3g}",
        calls=str(most) if fewest == most else f"{fewest}-{most}",
        top_k=gone_through.top_k,
        useful=f"{100 * gone_through.useful_prob:.3g}",
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


async def _forecast(request: Request, days: float, name: str) -> str:
    if name and name.lower() not in NAMES:
        names = ", ".join(NAMES)
        return request.say("decay.unknown_policy", name=quoted(name, 40), names=names)
    found = await forgetting.forecast(request.context, days, name.lower())
    told = request.say("decay.header", days=f"{days:g}", overall=found.overall, here=found.here)
    instead: list[str] = []
    if found.policy:
        instead = [request.say("decay.instead", policy=found.policy, today=found.in_force)]
    fading = [f"{request.date(at)} {view.id} {said(request, view)}" for view, at in found.soonest]
    return answer([told, *instead, *fading])


def _foreseeable(days: str) -> bool:
    return _DAYS.fullmatch(days) is not None and float(days) <= LONGEST_FORECAST
