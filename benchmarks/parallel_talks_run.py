"""Several talks at once: command line and figures."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from .command import emit, progress
from .datasets.reading import Complaints
from .parallel_talks_sessions import talks
from .parallel_talks_verdicts import verdicts

LABELS = Path(__file__).with_name("data")
READINGS = ("links_first.json", "links_second.json")

type Reading = Mapping[int, int | None]
"""What the turn at a place of the file answers, None where it begins something."""


def main(argv: Sequence[str]) -> int:
    """Draw, judge and print."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    drawn = talks(options.data, options.drawings, options.seed, complaints)
    progress(f"{len(drawn)} talks")
    result = {
        "benchmark": "parallel_talks",
        "seed": options.seed,
        "drawings": options.drawings,
        "labels": agreement(*(reading(LABELS / name) for name in READINGS)),
        "verdicts": verdicts(drawn, options.seed),
        "complaints": complaints.found,
    }
    emit(result, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.parallel_talks")
    top.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--drawings", type=int, default=3)
    top.add_argument("--seed", type=int, default=1)
    return top


def reading(file: Path) -> Reading:
    """The labels of one reading."""
    return dict(json.loads(file.read_text("utf-8"))["answers"])


def agreement(first: Reading, second: Reading) -> dict[str, float]:
    """Of two readings of the same turns; and how often the turn before is what is answered."""
    one, other = ([_back(read, turn) for turn in sorted(first)] for read in (first, second))
    answering = [back for back in one if back is not None]
    return {
        "turns": len(one),
        "begins": one.count(None),
        "agreed": round(fmean(a == b for a, b in zip(one, other, strict=True)), 3),
        "kappa": round(kappa(one, other), 3),
        "before": round(answering.count(1) / len(answering), 3),
    }


def _back(read: Reading, turn: int) -> int | None:
    answered = read[turn]
    return None if answered is None else turn - answered


def kappa(one: Sequence[object], other: Sequence[object]) -> float:
    """Agreement of two labellers beyond chance: Cohen (1960)."""
    size = len(one)
    agreed = sum(a == b for a, b in zip(one, other, strict=True)) / size
    first, second = Counter(one), Counter(other)
    chance = sum(n * second[name] for name, n in first.items()) / size**2
    return 1.0 if chance == 1.0 else (agreed - chance) / (1 - chance)
