"""What the systems are asked: lives by the data set that they come from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from ..datasets import cdconv, everyday
from ..datasets.reading import Complaints
from ..living.changing import changers
from ..living.idle import Idles, drawn, idle_turns
from ..living.script import Asked, IdleTurn, Life
from ..living.sources import lives
from ..living.tongues import NEW_CHATS, tongues
from . import beam, denying, halumem, longmemeval, memdaily, precision

OWN = "changes"
IDLE = 4
"""Turns of a class and hand that a life is asked beside what it is asked itself."""

TOGETHER = 40
"""Lists of MemDaily in one life."""

SOURCES = {
    "proactive": "proactive_zh_dev",
    "madial": "madial_zh_dev",
    "locomo": "locomo_dev",
    "cdconv": "cdconv_dev",
    "longmemeval": "longmemeval_s",
    "beam": "beam/chats/100K",
    "memdaily": "memdaily/data_generation/final_dataset/messages_and_QAs",
    "precision": "precisionmembench/fixtures",
    "halumem": "halumem",
    OWN: "",
    **dict.fromkeys(NEW_CHATS, ""),
}
"""The folder of each set; none for what is written for these benchmarks."""

READERS: Mapping[str, Callable[[Path, Complaints], list[Life]]] = {
    "longmemeval": longmemeval.read,
    "beam": beam.read,
    "memdaily": memdaily.read,
    "precision": precision.read,
    "halumem": halumem.read,
}


@dataclass(frozen=True, slots=True)
class Sample:
    """At most so much of a set: of its lives, and of a life its first messages and its questions.

    The lives of changes, most of them short, are all there unless `own`: this set was meant.
    """

    lives: int
    messages: int
    questions: int
    seed: int
    own: bool = False

    def of_set(self, name: str, lives: Sequence[Life]) -> list[Life]:
        """In an order by chance, of which a smaller sample is the beginning; each life cut."""
        order = list(lives)
        Random(self.seed).shuffle(order)
        chosen = order if name == OWN and not self.own else order[: self.lives]
        return [self.of_life(life) for life in chosen]

    def of_life(self, life: Life) -> Life:
        """Its first messages, and of the questions about them some drawn by chance."""
        lines = life.lines[: self.messages]
        told = {line.label for line in lines}
        needs = [
            need
            for need in life.needs
            if all(part.labels <= told or part.labels & told for part in need.parts)
        ]
        changes = [one for one in life.changes if _labels(life, one) <= told]
        chance = Random(self.seed)
        return replace(
            life,
            lines=lines,
            needs=tuple(_drawn(needs, self.questions, chance)),
            changes=tuple(_drawn(changes, self.questions, chance)),
        )


@dataclass(frozen=True, slots=True)
class Samples:
    """One for every set, but for those that have one of their own."""

    usual: Sample
    own: Mapping[str, Sample] = field(default_factory=dict[str, Sample])

    def of(self, name: str) -> Sample:
        """That of a set."""
        return self.own.get(name, self.usual)


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Lives of one source. `idle` are turns that need nothing, by the life that they are said in.

    Every one of them is answerable by no line of its life.
    """

    name: str
    lives: tuple[Life, ...]
    idle: tuple[tuple[IdleTurn, ...], ...]

    @property
    def size(self) -> dict[str, int]:
        """How much of everything it holds."""
        return {
            "lives": len(self.lives),
            "messages": sum(len(life.lines) for life in self.lives),
            "questions": sum(len(life.needs) + len(life.changes) for life in self.lives),
            "idle": sum(map(len, self.idle)),
        }


def sets(
    folder: Path, names: Sequence[str], samples: Samples, complaints: Complaints
) -> list[BoardSet]:
    """Those of the named sets that are there; a set without its folder is complained of."""
    told = [life for life in lives(folder, complaints) if life.needs]
    every = dict(_by_source(told))
    every.update(_published(folder, names, complaints))
    every["memdaily"] = memdaily.together(every.get("memdaily", []), TOGETHER, samples.usual.seed)
    every[OWN] = changers(everyday.changes(complaints), iter(()))
    chat = folder / "cdconv_dev"
    exchanges = cdconv.exchanges(chat, complaints) if chat.is_dir() else []
    every["cdconv"] = denying.life_of(exchanges)
    written = everyday.everyday(complaints)
    idle, own_idle = idle_turns(written, exchanges), idle_turns(written, ())
    found: list[BoardSet] = []
    for name in names:
        if name in NEW_CHATS:
            # They have turns of their own language that need nothing.
            chats, unneeding = tongues(name, complaints)
            found.append(BoardSet(name, tuple(chats), tuple(unneeding)))
        elif own := samples.of(name).of_set(name, every.get(name, [])):
            # What a life of CDConv is made of needs no memory anywhere else.
            asked = own_idle if name == "cdconv" else idle
            others = tuple(_idle(asked, life, told, samples.usual.seed) for life in own)
            found.append(BoardSet(name, tuple(own), others))
        else:
            complaints.add(name, f"left out: no questions in {SOURCES[name]}")
    return found


def _by_source(told: Sequence[Life]) -> Iterator[tuple[str, list[Life]]]:
    for source in ("proactive", "madial", "locomo"):
        yield source, [life for life in told if life.needs[0].source == source]


def _published(
    folder: Path, names: Sequence[str], complaints: Complaints
) -> Iterator[tuple[str, list[Life]]]:
    """Of the named sets whose folders are there."""
    for name, read in READERS.items():
        own = folder / SOURCES[name]
        if name in names and own.is_dir():
            yield name, read(own, complaints)


def _idle(idle: Idles, life: Life, told: Sequence[Life], seed: int) -> tuple[IdleTurn, ...]:
    if life.changes:
        return ()
    return tuple(drawn(idle, life, told, IDLE, Random(f"{seed}:{life.name}")))


def _drawn[T](some: Sequence[T], most: int, chance: Random) -> list[T]:
    """In the order in which they stand."""
    if len(some) <= most:
        return list(some)
    return [some[index] for index in sorted(chance.sample(range(len(some)), most))]


def _labels(life: Life, asked: Asked) -> set[str]:
    """Of the messages that tell of the change."""
    own = f"{life.name}/{asked.id}:"
    return {line.label for line in life.lines if line.label.startswith(own)}
