"""The ranking and the worth of a turn, fitted on rows; and what a fit comes to. Pure."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.scoring.decision import Coefficients, Column, Eagerness, TurnColumn, room
from ..core.similarity.calibration import VectorScale
from .fit_recall_rows import Row
from .rankings import above

STEPS, RIDGE, LEAST_SPREAD = 40, 0.002, 0.1
BUDGET = 800
"""Tokens of a block by default."""

MOST = 40
"""Lines of it."""

SILENT = 0.88
"""Of the idle turns so many are shown nothing, unless too many needed ones would be."""

ASKED_RIDGE = 0.3
"""Of each number of the question's vector, which has hundreds: chosen by sets left out."""

WRITTEN = 0.5
"""What a hand's turns without a chat weigh beside a set."""

WAYS = np.arange(0.5, 8.01, 0.25)
"""From the low mark to the high one, in logits."""

COLUMNS, NUMBERS = [*Column], [*TurnColumn]

type Floats = np.ndarray


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights of a candidate's numbers, of the turn's and of the question's vector (empty: it is
    not looked at), and the turn's logit without any.
    """

    ranking: Floats
    turn: Floats
    base: float
    asking: Floats

    def folded(self, scale: VectorScale) -> "Fit":
        """The same, with ASKS, which is linear in the vector by this scale, as a part of it."""
        place = NUMBERS.index(TurnColumn.ASKS)
        weight, turn = float(self.turn[place]), self.turn.copy()
        turn[place] = 0.0
        asking = self.asking + weight * scale.direction
        return Fit(self.ranking, turn, self.base + weight * scale.base, asking)


def rank_weights(rows: Sequence[Row], used: Sequence[int]) -> Floats:
    """Weights of the columns `used`, 0 for the others: each candidate that holds a part over all
    that hold none. Every number speaks for a candidate, so one that comes out below 0 is left out.
    """
    told = _newton(rows, used)
    for_it = [place for place in used if told[place] > 0.0]
    return told if len(for_it) == len(used) else rank_weights(rows, for_it)


def _newton(rows: Sequence[Row], used: Sequence[int]) -> Floats:
    asked = [row for row in rows if row.needs and row.held.any() and not row.held.any(1).all()]
    # A number that hardly varies in these sets would get any weight.
    spread = np.concatenate([row.sheet[:, used] for row in asked]).std(0)
    scale = np.maximum(spread, LEAST_SPREAD)
    share = _balanced([row.weighs_as for row in asked])
    cases = [
        (row.sheet[:, used][np.append(np.flatnonzero(~row.held.any(1)), place)] / scale, own)
        for row, weight in zip(asked, share, strict=True)
        for place in np.flatnonzero(row.held.any(1))
        for own in [weight / row.held.any(1).sum()]
    ]

    def loss(weights: Floats) -> float:
        told = RIDGE * float(weights @ weights) / 2
        for x, own in cases:
            score = x @ weights
            top = score.max()
            told += own * float(np.log(np.exp(score - top).sum()) + top - score[-1])
        return told

    weights = np.zeros(len(used))
    best = loss(weights)
    for _ in range(STEPS):
        gradient, hessian = RIDGE * weights, RIDGE * np.eye(len(used))
        for x, own in cases:
            score = x @ weights
            p = np.exp(score - score.max())
            p /= p.sum()
            mean = p @ x
            gradient += own * (mean - x[-1])
            hessian += own * ((x * p[:, None]).T @ x - np.outer(mean, mean))
        step, length = np.linalg.solve(hessian, gradient), 1.0
        while (reached := loss(weights - length * step)) > best and length > 1e-4:
            length /= 2
        weights -= length * step
        if best - reached < 1e-7:
            break
        best = reached
    told = np.zeros(len(COLUMNS))
    told[list(used)] = weights / scale
    return told


def turn_weights(
    rows: Sequence[Row], used: Sequence[int], ranking: Floats, turns: Sequence[Row] | None = None
) -> Fit:
    """Weights of the numbers of a turn, and the logit without any; needed and idle weigh alike.

    With `turns` of the vector of its question, too; theirs are all that is known of them.
    """
    x = np.array([_turn(row, ranking)[used] for row in rows])
    if turns is not None:
        x = np.c_[x, np.array([row.asked for row in rows])]
    keys = [(row.weighs_as, row.needs) for row in rows]
    share = np.array(_balanced(keys))
    mean, spread = x.mean(0), x.std(0) + 1e-6
    z, own = (x - mean) / spread, x.shape[1] - len(used)
    if turns:
        # Of what is remembered the usual numbers, which say neither.
        own_x = np.array([[row.turn.get(NUMBERS[n], math.nan) for n in used] for row in turns])
        own_x = np.where(np.isnan(own_x), mean[: len(used)], own_x)
        vectors = np.array([row.asked for row in turns])
        z = np.r_[z, (np.c_[own_x, vectors] - mean) / spread]
        others = [(row.weighs_as, row.needs) for row in turns]
        weight = WRITTEN * len(set(others)) / len(set(keys))
        share = np.r_[share, weight * np.array(_balanced(others))]
    z = np.c_[z, np.ones(len(z))]
    y = np.array([row.needs for row in (*rows, *(turns or ()))], float)
    ridge = np.r_[np.full(len(used), RIDGE), np.full(own, ASKED_RIDGE), 1e-9]
    weights = np.zeros(z.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-z @ weights))
        hessian = (z * (share * p * (1 - p))[:, None]).T @ z + np.diag(ridge)
        weights -= np.linalg.solve(hessian, z.T @ (share * (p - y)) + ridge * weights)
    found, told = weights[:-1] / spread, np.zeros(len(NUMBERS))
    told[list(used)] = found[: len(used)]
    return Fit(ranking, told, float(weights[-1] - found @ mean), found[len(used) :])


def marks(
    rows: Sequence[Row], fit: Fit, *, missed: float, idle_tokens: float
) -> tuple[float, float]:
    """The low mark, by `SILENT` or so many needed turns `missed`, and the lowest high one with
    which idle turns are shown no more than so many tokens on average.
    """
    logits, needs = logits_of(rows, fit), np.array([row.needs for row in rows])
    share = np.array(_balanced([(row.weighs_as, row.needs) for row in rows]))
    low = min(
        _quantile(logits[~needs], share[~needs], SILENT),
        _quantile(logits[needs], share[needs], missed),
    )
    # The quantile of a few turns is no better known than to a tenth.
    low = float(np.floor(10 * low) / 10)
    idle = [
        (logit, np.cumsum(row.tokens[_best(row, fit)]), own)
        for row, logit, own in zip(rows, logits, share / share[~needs].sum(), strict=True)
        if not row.needs and logit >= low
    ]
    for way in WAYS:
        tokens = (own * _sum(spent, _lines(logit, low, low + way)) for logit, spent, own in idle)
        if sum(tokens) <= idle_tokens:
            return low, low + float(way)
    return low, low + float(WAYS[-1])


def _lines(logit: float, low: float, high: float) -> int:
    return room(float(logit), Coefficients({}, {}, 0.0, low, high), Eagerness.BALANCED, MOST)


def _sum(spent: Floats, lines: int) -> float:
    return float(spent[: lines or 0][-1]) if lines and len(spent) else 0.0


def _best(row: Row, fit: Fit) -> Floats:
    """Places of the candidates that fit into the budget, best first."""
    order = np.argsort(-(row.sheet @ fit.ranking), kind="stable")[:60]
    return order[: int((np.cumsum(row.tokens[order]) <= BUDGET).sum())]


def figures(rows: Sequence[Row], fit: Fit, bounds: tuple[float, float]) -> dict[str, float | int]:
    """What a fit comes to on these rows."""
    logits, needs = logits_of(rows, fit), np.array([row.needs for row in rows])
    found: dict[str, list[float]] = defaultdict(list)
    for row, logit in zip(rows, logits, strict=True):
        order = _best(row, fit)
        shown = order[: _lines(logit, *bounds)]
        if not row.needs:
            found["idle_silent"].append(len(shown) == 0)
            found["idle_tokens"].append(float(row.tokens[shown].sum()))
            found["idle_lines"].append(len(shown))
            continue
        for name, some in (
            ("evidence@5", order[:5]),
            ("evidence@10", order[:10]),
            ("in_800_tokens", order),
            ("served", shown),
        ):
            found[name].append(float(row.held[some].any(0).mean()) if len(some) else 0.0)
        found["tokens"].append(float(row.tokens[shown].sum()))
        if found["evidence@10"][-1] > 0:
            found["needed_silent"].append(len(shown) == 0)
        found["precision"].append(float(row.held[shown].any(1).mean()) if len(shown) else 0.0)
    result: dict[str, float | int] = {
        name: round(float(np.mean(each)), 4) for name, each in found.items()
    }
    if needs.any() and not needs.all():
        result["auc"] = round(above(logits[needs], logits[~needs]), 4)
    return result | {"questions": int(needs.sum()), "idle": int((~needs).sum())}


def logits_of(rows: Sequence[Row], fit: Fit) -> Floats:
    """The worth of each turn."""
    told = np.array([fit.base + _turn(row, fit.ranking) @ fit.turn for row in rows])
    return told + np.array([row.asked @ fit.asking for row in rows]) if len(fit.asking) else told


def _turn(row: Row, ranking: Floats) -> Floats:
    top = float((row.sheet @ ranking).max()) if len(row.sheet) else 0.0
    told = {**row.turn, TurnColumn.TOP.value: top}
    return np.array([told.get(column.value, 0.0) for column in NUMBERS])


def _balanced(keys: Sequence[object]) -> list[float]:
    """A weight for each, so that every key weighs the same, and all together 1."""
    counts: Mapping[object, int] = {key: keys.count(key) for key in set(keys)}
    return [1 / len(counts) / counts[key] for key in keys]


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][min(len(values) - 1, int(np.searchsorted(reached, share)))])
