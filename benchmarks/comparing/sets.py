"""What the systems are asked: lives by the data set that they come from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ..datasets import cdconv, everyday
from ..datasets.reading import Complaints
from ..living.changing import changers
from ..living.idle import Idles, drawn, idle_turns
from ..living.script import IdleTurn, Life
from ..living.sources import lives
from . import longmemeval

OWN = "changes"
IDLE = 4
"""Turns of a class and hand that a life is asked beside what it is asked itself."""

SOURCES = {
    "proactive": "proactive_zh_dev",
    "madial": "madial_zh_dev",
    "locomo": "locomo_dev",
    "longmemeval": "longmemeval_s",
    OWN: "",
}
"""The folder of each set; none for what is written for these benchmarks."""


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Lives of one source. `idle` are turns that need nothing, by the life that they are said in.

    Every one of them is answerable by no line of its life.
    """

    name: str
    lives: tuple[Life, ...]
    idle: tuple[tuple[IdleTurn, ...], ...]


def sets(folder: Path, names: Sequence[str], seed: int, complaints: Complaints) -> list[BoardSet]:
    """Those of the named sets that are there; a set without its folder is complained of."""
    told = [life for life in lives(folder, complaints) if life.needs]
    every = dict(_by_source(told))
    every["longmemeval"] = _read(folder / SOURCES["longmemeval"], longmemeval.read, complaints)
    every[OWN] = changers(everyday.changes(complaints), iter(()))
    chat = folder / "cdconv_dev"
    exchanges = cdconv.exchanges(chat, complaints) if chat.is_dir() else []
    idle = idle_turns(everyday.everyday(complaints), exchanges)
    chance = Random(seed)
    found: list[BoardSet] = []
    for name in names:
        if own := every.get(name, []):
            others = tuple(_idle(idle, life, told, chance) for life in own)
            found.append(BoardSet(name, tuple(own), others))
    return found


def _by_source(told: Sequence[Life]) -> Iterator[tuple[str, list[Life]]]:
    for source in ("proactive", "madial", "locomo"):
        yield source, [life for life in told if life.needs[0].source == source]


def _read(
    folder: Path, read: Callable[[Path, Complaints], list[Life]], complaints: Complaints
) -> list[Life]:
    return read(folder, complaints) if folder.is_dir() else []


def _idle(idle: Idles, life: Life, told: Sequence[Life], chance: Random) -> tuple[IdleTurn, ...]:
    if life.changes:
        return ()
    return tuple(drawn(idle, life, told, IDLE, chance))
