"""Contradictions within what a recall brings up, found in the time that is left for it."""

import asyncio
from collections.abc import Mapping, Sequence

from ..compare import compared
from ..errors import StorageError
from ..memory import Memory
from .contradiction import claims, contradictory, newer_first
from .question import Sources
from .trace import Fused


async def opposed(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    sources: Sources,
    *,
    seconds: float,
) -> list[Fused]:
    """The candidates, of those that contradict each other the newer first.

    As they are where there is no time for it, or no vector can be read.
    """
    several = claims(candidates, records)
    if not several:
        return list(candidates)
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            alike = [
                await compared(own, sources.store, sources.embedder, sources.frames)
                for own in several
            ]
    except (TimeoutError, StorageError):
        return list(candidates)
    compared_ = zip(several, alike, strict=True)
    pairs = [pair for own, near in compared_ for pair in contradictory(own, near)]
    return newer_first(candidates, pairs, records)
