"""The ranking and the worth of a turn, fitted on rows; and what a fit comes to. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from ..core.scoring.columns import Column, TurnColumn
from ..core.scoring.decision import IN_DOUBT
from .fit_recall_rows import Row
from .living.figures import above

STEPS, RIDGE = 40, 0.002
BUDGET = 800
"""Tokens of a block by default."""

MOST = 16
"""Lines of it."""

COLUMNS, TURNS = [*Column], [*TurnColumn]

type Floats = np.ndarray


def rank_weights(rows: Sequence[Row], used: Sequence[int]) -> Floats:
    """Weights of the columns `used`, 0 for the others: each candidate that holds a part over all
    that hold none, by Newton's method.
    """
    asked = [row for row in rows if row.needs and row.held.any() and not row.held.any(1).all()]
    scale = np.concatenate([row.sheet[:, used] for row in asked]).std(0) + 1e-6
    share = _balanced([row.set for row in asked])
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


def turn_weights(rows: Sequence[Row], used: Sequence[int]) -> tuple[Floats, float]:
    """Weights of the numbers of a turn, and the logit without any; needed and idle weigh alike."""
    x = np.array([_turn(row)[used] for row in rows])
    y = np.array([row.needs for row in rows], float)
    share = np.array(_balanced([(row.set, row.needs) for row in rows]))
    mean, spread = x.mean(0), x.std(0) + 1e-6
    z = np.c_[(x - mean) / spread, np.ones(len(x))]
    weights, ridge = np.zeros(z.shape[1]), np.r_[np.full(len(used), 0.002), 1e-9]
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-z @ weights))
        hessian = (z * (share * p * (1 - p))[:, None]).T @ z + np.diag(ridge)
        weights -= np.linalg.solve(hessian, z.T @ (share * (p - y)) + ridge * weights)
    told = np.zeros(len(TURNS))
    told[list(used)] = weights[:-1] / spread
    return told, float(weights[-1] - (weights[:-1] * mean / spread).sum())


def marks(rows: Sequence[Row], told: tuple[Floats, float]) -> tuple[float, float]:
    """The low mark, at which .88 of the idle turns are shown nothing but at most .03 of the needed
    ones, and the high one, above which .04 of the idle are.
    """
    logits = logits_of(rows, told)
    needs = np.array([row.needs for row in rows])
    share = np.array(_balanced([(row.set, row.needs) for row in rows]))
    low = min(
        _quantile(logits[~needs], share[~needs], 0.88), _quantile(logits[needs], share[needs], 0.03)
    )
    return low, max(low, _quantile(logits[~needs], share[~needs], 0.96))


def figures(
    rows: Sequence[Row], weights: Floats, told: tuple[Floats, float], bounds: tuple[float, float]
) -> dict[str, float | int]:
    """What a fit comes to on these rows."""
    low, high = bounds
    logits, needs = logits_of(rows, told), np.array([row.needs for row in rows])
    found: dict[str, list[float]] = defaultdict(list)
    for row, logit in zip(rows, logits, strict=True):
        order = np.argsort(-(row.sheet @ weights), kind="stable")[:60]
        order = order[: int((np.cumsum(row.tokens[order]) <= BUDGET).sum())]
        room = 0 if logit < low else (MOST if logit >= high else IN_DOUBT)
        shown = order[:room]
        if not row.needs:
            found["idle_silent"].append(room == 0)
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
            found["needed_silent"].append(room == 0)
        found["precision"].append(float(row.held[shown].any(1).mean()) if len(shown) else 0.0)
    result: dict[str, float | int] = {
        name: round(float(np.mean(each)), 4) for name, each in found.items()
    }
    if needs.any() and not needs.all():
        result["auc"] = round(above(logits[needs], logits[~needs]), 4)
    return result | {"questions": int(needs.sum()), "idle": int((~needs).sum())}


def logits_of(rows: Sequence[Row], told: tuple[Floats, float]) -> Floats:
    """The worth of each turn."""
    weights, base = told
    return np.array([base + _turn(row) @ weights for row in rows])


def _turn(row: Row) -> Floats:
    return np.array([row.turn.get(column.value, 0.0) for column in TURNS])


def _balanced(keys: Sequence[object]) -> list[float]:
    """A weight for each, so that every key weighs the same, and all together 1."""
    counts: Mapping[object, int] = {key: keys.count(key) for key in set(keys)}
    return [1 / len(counts) / counts[key] for key in keys]


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][min(len(values) - 1, int(np.searchsorted(reached, share)))])
