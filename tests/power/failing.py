"""Lets the power fail at many moments of what was recorded, and looks at what is left each time."""

import random
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from ..strength import strength
from .disk import Disk, Event, Luck, Marked, OnlyOf, crashes

SYNCED_ONLY = "?"
"""Begins no file's name."""

type Look = Callable[[Path, Sequence[str]], Awaitable[Sequence[str]]]
"""What is wrong with a folder, given what had been told before the power failed."""


async def broken_promises(
    events: Sequence[Event], look: Look, into: Path, *, states: int, seed: int
) -> list[str]:
    """What `look` finds in so many states, each with what it takes to have it again."""
    found: list[str] = []
    chance = random.Random(seed)
    tried = strength(max(2, states // 3), states, "TIDEMARK_POWER_STATES")
    chosen = _chosen(events, chance, tried)
    for number, (moment, disk) in enumerate(crashes(events)):
        if number in chosen:
            told = [event.what for event in events[:moment] if isinstance(event, Marked)]
            name, luck = _luck(chance)
            seen = await _seen(disk, luck, look, into, told)
            found += [f"{moment}, {name}: {each}" for each in seen]
    return found


def _chosen(events: Sequence[Event], chance: random.Random, states: int) -> set[int]:
    just_told: list[int] = []
    others: list[int] = []
    for number, (moment, _) in enumerate(crashes(events)):
        told = moment > 0 and isinstance(events[moment - 1], Marked)
        (just_told if told else others).append(number)
    first = chance.sample(just_told, min(states // 3, len(just_told)))
    return {*first, *chance.sample(others, min(states - len(first), len(others)))}


def _luck(chance: random.Random) -> tuple[str, Luck]:
    prefix = chance.choice((SYNCED_ONLY, "memories", "journal", None, None))
    if prefix is not None:
        return f"unsynced only of {prefix}", OnlyOf(prefix)
    seed = chance.randrange(2**32)
    return f"luck {seed}", Luck(random.Random(seed))


async def _seen(
    disk: Disk, luck: Luck, look: Look, into: Path, told: Sequence[str]
) -> Sequence[str]:
    disk.left(luck, into)
    try:
        return await look(into, told)
    finally:
        shutil.rmtree(into)
