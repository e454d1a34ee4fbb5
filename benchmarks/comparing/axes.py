"""Figures of the records of one system over one set, each with its interval. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ..figures import quantile
from ..living.script import CONTRADICTION
from ..rankings import above

DRAWS = 400
"""Resamples of an interval."""

EDGE = 0.025
"""Of the resamples lies beyond each end."""

MEANS = (
    *("evidence@5", "evidence@10", "in_200_tokens", "in_400_tokens", "in_1000_tokens"),
    *("another's@10", "shuffled@10"),
)
CHANGED = ("current_first", "stale_shown", "stale_unmarked")

type Record = Mapping[str, Any]
type Figure = Mapping[str, float | int | None]

NOTHING: Figure = MappingProxyType({"n": 0, "value": None, "low": None, "high": None})
"""Of an axis that nobody was asked for."""


def axes(records: Sequence[Record], seed: int) -> dict[str, Figure]:
    """Every axis that the records say something about."""
    needs, idle, changes = (_of(records, kind) for kind in ("need", "idle", "change"))
    now = [one for one in changes if not one["past"]]
    found = {name: mean(needs, lambda one, name=name: one[name], seed) for name in MEANS}
    found |= {name: mean(now, lambda one, name=name: one[name], seed) for name in CHANGED}
    found["gone"] = mean(needs, lambda one: one["gone"], seed)
    found["learnt"] = mean(_of(records, "fact"), lambda one: one["learnt"], seed)
    denied = [one for one in needs if one["category"] == CONTRADICTION]
    found["both_sides"] = mean(denied, lambda one: one["both_sides"], seed)
    found["served_precision"] = ratio(needs, "right", "lines", seed)
    in_reach = [one for one in needs if one["evidence@10"] > 0]
    found["silent_though_found"] = mean(in_reach, lambda one: one["silent"], seed)
    found["silent_when_idle"] = mean(idle, lambda one: one["silent"], seed)
    found["lines_when_idle"] = mean(idle, lambda one: one["lines"], seed)
    found["tokens_when_idle"] = mean(idle, lambda one: one["tokens"], seed)
    found["tokens"] = mean(needs, lambda one: one["tokens"], seed)
    found["abstention_auc"] = told_apart(needs, idle, seed)
    return {name: figure for name, figure in found.items() if figure["n"]}


def categories(records: Sequence[Record]) -> dict[str, dict[str, float]]:
    """By category of the questions how many there are, and the means of what is found."""
    asked: defaultdict[str, list[Record]] = defaultdict(list)
    for one in _of(records, "need"):
        asked[str(one["category"])].append(one)
    names = ("evidence@10", "in_1000_tokens")
    return {
        category: {"n": len(own)}
        | {name: round(float(np.mean([one[name] for one in own])), 4) for name in names}
        for category, own in sorted(asked.items())
    }


def costs(records: Sequence[Record]) -> dict[str, float]:
    """Milliseconds of a question, by the clock and of the processor."""
    told: dict[str, float] = {}
    for name in ("ms", "processor_ms"):
        spent = sorted(one[name] for one in records if name in one)
        told |= {f"{name}_p{share}": round(quantile(spent, share / 100), 2) for share in (50, 95)}
    return told


def mean(records: Sequence[Record], value: Callable[[Record], float], seed: int) -> Figure:
    """The mean of a value over the records."""
    values = np.array([float(value(one)) for one in records])
    return _figure(len(values), seed, lambda drawn: float(values[drawn].mean()))


def ratio(records: Sequence[Record], upper: str, lower: str, seed: int) -> Figure:
    """Of two sums: what is in few lines counts for as little as it shows."""
    above = np.array([float(one[upper]) for one in records])
    below = np.array([float(one[lower]) for one in records])
    if not below.sum():
        return NOTHING
    return _figure(
        len(above), seed, lambda drawn: float(above[drawn].sum() / max(below[drawn].sum(), 1.0))
    )


def told_apart(needs: Sequence[Record], idle: Sequence[Record], seed: int) -> Figure:
    """The area under the curve of certainty: of what needs something over what does not."""
    if not needs or not idle:
        return NOTHING
    right, wrong = (np.array([one["certainty"] for one in some]) for some in (needs, idle))
    chance = np.random.default_rng(seed)
    drawn = sorted(
        above(chance.choice(right, len(right)), chance.choice(wrong, len(wrong)))
        for _ in range(DRAWS)
    )
    return _told(len(right) + len(wrong), above(right, wrong), drawn)


def _of(records: Iterable[Record], kind: str) -> list[Record]:
    return [one for one in records if one["kind"] == kind]


def _figure(count: int, seed: int, value: Callable[[Any], float]) -> Figure:
    if not count:
        return NOTHING
    chance = np.random.default_rng(seed)
    drawn = sorted(value(chance.integers(0, count, count)) for _ in range(DRAWS))
    return _told(count, value(np.arange(count)), drawn)


def _told(count: int, value: float, drawn: Sequence[float]) -> Figure:
    low, high = quantile(drawn, EDGE), quantile(drawn, 1 - EDGE)
    return {"n": count, "value": round(value, 4), "low": round(low, 4), "high": round(high, 4)}
