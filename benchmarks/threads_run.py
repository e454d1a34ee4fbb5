"""Who answers whom: command line, folds and figures."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from ..core.model.conversation import Role
from .command import emit, progress
from .datasets.reading import Complaints
from .threads_fit import Known, fitted, kappa, known, overlap, rand_index, variation
from .threads_links import Answered, LinkModel, answers_in, talks_of
from .threads_talks import LABELS, Reading, readings, talks
from .threads_verdicts import verdicts

PAUSES = (60.0, 120.0, 300.0, 600.0, 1_200.0, float("inf"))
"""Seconds after which a turn may be taken to answer nothing."""

CERTAIN = 0.7

type Finding = Callable[[Known], Sequence[Answered]]


def main(argv: Sequence[str]) -> int:
    """Read, fit, judge and print."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    first, second = readings(options.data, options.labels)
    drawn = talks(options.data, first, options.drawings, options.seed, complaints)
    told = [known(talk) for talk in drawn]
    progress(f"{len(told)} talks")
    of_bot = [talk for talk in drawn if any(turn.role is Role.ASSISTANT for turn in talk.turns)]
    result = {
        "benchmark": "threads",
        "seed": options.seed,
        "drawings": options.drawings,
        "agreement": _agreement(told, first, second),
        "sets": _by_set(told),
        "weights": {column.value: w for column, w in fitted(told).weights.items()},
        "verdicts": verdicts(of_bot, options.seed),
        "complaints": complaints.found,
    }
    emit(result, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.threads")
    top.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--labels", type=Path, default=LABELS, help="folder with both readings")
    top.add_argument("--drawings", type=int, default=3)
    top.add_argument("--seed", type=int, default=1)
    return top


def _agreement(told: Sequence[Known], first: Reading, second: Reading) -> dict[str, float]:
    numbers = sorted(first)
    back = [
        [None if (to := reading[n]) is None else n - to for n in numbers]
        for reading in (first, second)
    ]
    parted = [[_root(reading, n) for n in numbers] for reading in (first, second)]
    sizes = [len(numbers), sum(each is None for each in back[0])]
    return {
        "turns": sizes[0],
        "begins": sizes[1],
        "links": _rounded(fmean(a == b for a, b in zip(*back, strict=True))),
        "kappa": _rounded(kappa(*back)),
        "overlap": _rounded(overlap(*parted)),
        "rand_index": _rounded(rand_index(*parted)),
        "variation": _rounded(variation(*parted)),
    }


def _root(reading: Reading, number: int) -> int:
    while (answered := reading[number]) is not None:
        number = answered
    return number


def _by_set(told: Sequence[Known]) -> dict[str, Any]:
    """Figures of each fold by the fits on all that shares no conversation with it."""
    found: dict[str, dict[str, dict[frozenset[str], list[tuple[float, ...]]]]] = {}
    elsewhere: dict[str, list[bool]] = {}
    for left_out in dict.fromkeys(each.talk.conversations for each in told):
        rest = [each for each in told if not each.talk.conversations & left_out]
        of_all = fitted(rest)
        for each in (one for one in told if one.talk.conversations == left_out):
            family = each.talk.family
            ways = _ways(of_all, [one for one in rest if one.talk.family == family])
            for way, finding in ways.items():
                answered = finding(each)
                by_fold = found.setdefault(family, {}).setdefault(way, {})
                by_fold.setdefault(left_out, []).append(_figures(each, answered))
                if way == "fitted":
                    elsewhere.setdefault(family, []).extend(_elsewhere(each, answered))
    return {
        family: {way: _summed(by_fold) for way, by_fold in ways.items()}
        | {
            "elsewhere": {
                "links": len(elsewhere[family]),
                "right": _rounded(fmean(elsewhere[family])) if elsewhere[family] else None,
            }
        }
        for family, ways in found.items()
    }


def _ways(of_all: LinkModel, own: Sequence[Known]) -> Mapping[str, Finding]:
    ways: dict[str, Finding] = {
        "fitted": lambda each: answers_in(each.stretch, of_all),
        "before": lambda each: _before(each, float("inf")),
    }
    if own:
        of_own = fitted(own)
        longest = max(PAUSES, key=lambda pause: _right(own, pause))
        ways["own"] = lambda each: answers_in(each.stretch, of_own)
        ways["pause"] = lambda each: _before(each, longest)
    return ways


def _before(each: Known, pause: float) -> list[Answered]:
    """The turn before, unless the platform says another or it is as long ago as this."""
    found = [Answered(None, 1.0)]
    for at, turn in enumerate(each.talk.turns[1:], start=1):
        fixed = each.stretch.fixed(at)
        before = at - 1 if turn.at - each.talk.turns[at - 1].at < pause else None
        found.append(Answered(before if fixed is None else fixed, 1.0))
    return found


def _right(told: Sequence[Known], pause: float) -> float:
    figures = [_figures(each, _before(each, pause)) for each in told]
    return sum(one[0] for one in figures) / max(1, sum(one[1] for one in figures))


def _asked(each: Known) -> list[int]:
    """The turns whose link is asked for."""
    turns = each.talk.turns
    return [at for at in range(1, len(turns)) if turns[at].role is not Role.ASSISTANT]


def _figures(each: Known, answered: Sequence[Answered]) -> tuple[float, float, float, float]:
    """Right links, links asked for, overlap, and Rand index."""
    found, true = [one.place for one in answered], each.talk.links
    asked = _asked(each)
    parted = talks_of(found), talks_of(true)
    return (
        sum(found[at] == true[at] for at in asked),
        len(asked),
        overlap(*parted),
        rand_index(*parted),
    )


def _elsewhere(each: Known, answered: Sequence[Answered]) -> list[bool]:
    """Of links to another turn than the one before that are `CERTAIN`, whether they are right."""
    return [
        answered[at].place == each.talk.links[at]
        for at in _asked(each)
        if answered[at].place not in (None, at - 1) and answered[at].sure >= CERTAIN
    ]


def _summed(by_fold: Mapping[frozenset[str], Sequence[tuple[float, ...]]]) -> dict[str, Any]:
    folds = [
        (
            sum(one[0] for one in own) / max(1, sum(one[1] for one in own)),
            fmean(one[2] for one in own),
            fmean(one[3] for one in own),
        )
        for own in by_fold.values()
    ]
    told: dict[str, Any] = {
        name: {
            "mean": _rounded(fmean(each)),
            "spread": _rounded(stdev(each)) if len(each) > 1 else None,
        }
        for name, each in zip(
            ("links", "overlap", "rand_index"), zip(*folds, strict=True), strict=True
        )
    }
    return told | {"turns": int(sum(one[1] for own in by_fold.values() for one in own))}


def _rounded(value: float) -> float:
    return round(float(value), 3)
