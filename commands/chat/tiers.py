"""How firmly memories are held: counts and a chart by tier, here and everywhere."""

from ...core.ports import Filter, Tally
from .charts import bar, sparkline
from .records import answer
from .request import Request

SOON = (3.0, 7.0, 14.0)
"""Days of the forecast."""

WEEKS = 12
"""Of the survival chart."""


async def tiers(request: Request) -> str:
    """Live memories by tier, and what of them is left if nothing is used."""
    engine, scopes = request.engine, await request.readable()
    here = await engine.parts.store.tally(engine.policy, scopes)
    everywhere = await engine.parts.store.tally(engine.policy)
    return answer(
        [
            request.say("tiers.here", live=sum(here.tiers)),
            *_chart(request, here),
            *await _kept(request, scopes),
            *await _soon(request, scopes, sum(here.tiers)),
            request.say("tiers.everywhere", live=sum(everywhere.tiers)),
            *_chart(request, everywhere),
        ]
    )


def _chart(request: Request, tally: Tally) -> list[str]:
    total = sum(tally.tiers)
    return [
        f"{bar(count, total)} {request.say(f'tier.t{tier}')} {count}"
        for tier, count in enumerate(tally.tiers)
    ]


async def _kept(request: Request, scopes: frozenset[str]) -> list[str]:
    count = await request.engine.parts.store.count(Filter(scopes=scopes, exempt=True))
    return [request.say("tiers.exempt", count=count)] if count else []


async def _soon(request: Request, scopes: frozenset[str], live: int) -> list[str]:
    """What time alone takes: how many soon, and how many are left week by week."""
    now = request.engine.parts.clock.now()
    days = (*SOON, *(7.0 * week for week in range(1, WEEKS + 1)))
    gone = await request.engine.sweeper.forgotten_within(scopes, now=now, days=days)
    soon, weekly = gone[: len(SOON)], gone[len(SOON) :]
    if not weekly[-1]:
        return []
    left = [live, *(live - count for count in weekly)]
    return [
        request.say(
            "tiers.soon",
            days="/".join(f"{day:g}" for day in SOON),
            counts="/".join(map(str, soon)),
        ),
        request.say("tiers.survival", weeks=WEEKS, chart=sparkline(left), left=left[-1]),
    ]
