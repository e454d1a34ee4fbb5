"""What a soak of hours notes, and what is told of it: counts, drift, broken promises."""

import json
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

from .endurance_people import places_in
from .hostkit.model_server import ChatRequest, Purpose, text_of
from .soak import Toll

MIB = 2**20
WARMING_UP = 5
"""Rounds after a start in which memory still grows to what a host needs."""

SHOWN = 50
"""Broken promises that are told one by one."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The host after a round: `at` in seconds of the soak, in which of its lives.

    Megabytes, open files, threads, and milliseconds from a message to its answer; the process of
    Chroma is told apart as `child_rss_mb` and `child_files`.
    """

    at: float
    life: int
    rss_mb: float
    files: int
    threads: int
    journal_mb: float
    memories_mb: float
    turns: int
    p50_ms: float
    p95_ms: float
    child_rss_mb: float = 0.0
    child_files: int = 0


DRIFTING = ("rss_mb", "files", "threads", "child_rss_mb", "child_files", "p50_ms", "p95_ms")


@dataclass(slots=True)
class Diary:
    """Kept while the host lives; samples go to `file` too."""

    file: Path
    began: float = field(default_factory=time.monotonic)
    lives: int = 0
    interrupted: bool = False
    broken: list[str] = field(default_factory=list[str])
    deeds: Counter[str] = field(default_factory=Counter[str])
    samples: list[Sample] = field(default_factory=list[Sample])
    counts: list[Toll] = field(default_factory=list[Toll])
    waits: list[float] = field(default_factory=list[float])

    def did(self, what: str) -> None:
        """One more of these deeds."""
        self.deeds[what] += 1

    def answered(self, wait: float) -> None:
        """A turn was answered after so many seconds."""
        self.did("turn")
        self.waits.append(wait)

    def counted(self, left: Toll, problems: Sequence[str]) -> None:
        """What was found when the host was down."""
        self.counts.append(left)
        self.broken += [problem for problem in problems if problem not in self.broken]

    def sample(self, process: int, folder: Path) -> None:
        """How the host does after a round; the waits since the last sample are in it."""
        host, waits = psutil.Process(process), sorted(self.waits)
        children = host.children(recursive=True)
        self.waits.clear()
        with host.oneshot():
            taken = Sample(
                at=round(time.monotonic() - self.began, 1),
                life=self.lives,
                rss_mb=round(host.memory_info().rss / MIB, 1),
                files=host.num_fds(),
                threads=host.num_threads(),
                journal_mb=_megabytes(folder, "journal.db*"),
                memories_mb=_megabytes(folder, "memories.db*") + _megabytes(folder, "chroma/**/*"),
                turns=len(waits),
                p50_ms=_percentile(waits, 0.5),
                p95_ms=_percentile(waits, 0.95),
                child_rss_mb=round(sum(each.memory_info().rss for each in children) / MIB, 1),
                child_files=sum(each.num_fds() for each in children),
            )
        self.samples.append(taken)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(taken)) + "\n")


class Leaks:
    """What the model is shown of other chats: every text names where it was said."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def look(self, request: ChatRequest) -> None:
        """In a chat the last message tells where it is; all else is about one chat alone."""
        texts = [text_of(message.get("content")) for message in request.messages]
        named = frozenset().union(*map(places_in, texts))
        match request.purpose:
            case Purpose.TITLE:
                return
            case Purpose.CHAT:
                # Its first line is what was typed, the rest what was added to it.
                here = places_in(request.user.partition("\n")[0])
                others = named - here if here else frozenset[str]()
            case _:
                others = named if len(named) > 1 else frozenset[str]()
        if others:
            self.found.append(f"leaked: {request.purpose} of {request.user[:60]!r}: {set(others)}")


def report(diary: Diary) -> dict[str, Any]:
    """The whole as JSON. `drift`: by how much a figure changes in an hour of one life, with the
    standard error of that; None where no life had three rounds. `drift_settled`: the same without
    the rounds in which a life warms up.
    """
    samples, last = diary.samples, diary.counts[-1] if diary.counts else None
    return {
        "hours": round((time.monotonic() - diary.began) / 3600.0, 3),
        "interrupted": diary.interrupted,
        "lives": diary.lives,
        "deeds": dict(diary.deeds),
        "counts": len(diary.counts),
        "turns_kept": last.acknowledged if last else 0,
        "episodes": last.episodes if last else 0,
        "memories": last.memories if last else 0,
        "verdicts": last.verdicts if last else 0,
        "first": asdict(samples[0]) if samples else None,
        "last": asdict(samples[-1]) if samples else None,
        "drift_per_hour": {name: drift(samples, name) for name in DRIFTING},
        "drift_settled_per_hour": {name: drift(settled(samples), name) for name in DRIFTING},
        "broken": len(diary.broken),
        "broken_promises": diary.broken[:SHOWN],
    }


def drift(samples: Sequence[Sample], name: str) -> dict[str, float] | None:
    """The slope by least squares, each life about its own mean; per hour, with standard error."""
    points: list[tuple[float, float]] = []
    lives = {sample.life for sample in samples}
    for life in lives:
        own = [(s.at / 3600.0, float(getattr(s, name))) for s in samples if s.life == life]
        x, y = (sum(values) / len(own) for values in zip(*own, strict=True))
        points += [(at - x, value - y) for at, value in own]
    freedom = len(points) - len(lives) - 1
    spread = sum(x * x for x, _ in points)
    if freedom < 1 or not spread:
        return None
    slope = sum(x * y for x, y in points) / spread
    rest = sum((y - slope * x) ** 2 for x, y in points)
    return {"slope": round(slope, 2), "error": round(math.sqrt(rest / freedom / spread), 2)}


def settled(samples: Sequence[Sample]) -> list[Sample]:
    """Without the first rounds of each life."""
    rounds, kept = Counter[int](), list[Sample]()
    for sample in samples:
        rounds[sample.life] += 1
        if rounds[sample.life] > WARMING_UP:
            kept.append(sample)
    return kept


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Of seconds in order, in milliseconds; 0 of none."""
    if not ordered:
        return 0.0
    return round(1_000.0 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def _megabytes(folder: Path, pattern: str) -> float:
    return round(sum(map(_bytes, folder.glob(pattern))) / MIB, 2)


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except FileNotFoundError:
        return 0
