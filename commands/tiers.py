"""How firmly memories are held: counts and a chart by tier, here and everywhere."""

from ..core.ports import Filter, Tally
from .records import answer
from .request import Request

WIDTH = 12
SOON = (3.0, 7.0, 14.0)
"""Days of the forecast."""


async def tiers(request: Request) -> str:
    """Live memories by tier, and how many fading ones go soon."""
    engine, scopes = request.engine, await request.readable()
    here = await engine.parts.store.tally(engine.policy, scopes)
    everywhere = await engine.parts.store.tally(engine.policy)
    return answer(
        [
            request.say("tiers.here", live=sum(here.tiers)),
            *_chart(request, here),
            *await _kept(request, scopes),
            *await _soon(request, scopes),
            request.say("tiers.everywhere", live=sum(everywhere.tiers)),
            *_chart(request, everywhere),
        ]
    )


def bar(count: int, total: int) -> str:
    """The share as a row of blocks; one at least for what there is, and room left if not all."""
    filled = round(WIDTH * count / total) if total else 0
    if 0 < count < total:
        filled = min(max(filled, 1), WIDTH - 1)
    return "█" * filled + "░" * (WIDTH - filled)


def _chart(request: Request, tally: Tally) -> list[str]:
    total = sum(tally.tiers)
    return [
        f"{bar(count, total)} {request.say(f'tier.t{tier}')} {count}"
        for tier, count in enumerate(tally.tiers)
    ]


async def _kept(request: Request, scopes: frozenset[str]) -> list[str]:
    count = await request.engine.parts.store.count(Filter(scopes=scopes, exempt=True))
    return [request.say("tiers.exempt", count=count)] if count else []


async def _soon(request: Request, scopes: frozenset[str]) -> list[str]:
    now = request.engine.parts.clock.now()
    counts = await request.engine.sweeper.forgotten_within(scopes, now=now, days=SOON)
    if not counts[-1]:
        return []
    days = "/".join(f"{day:g}" for day in SOON)
    return [request.say("tiers.soon", days=days, counts="/".join(map(str, counts)))]
