"""Counts and a chart of memories by tier, here and everywhere."""

from collections.abc import Sequence

from ...core.actions.tide import SOON, WEEKS, TierCounts, tier_counts
from .charts import bar, sparkline
from .records import answer
from .request import Request


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
