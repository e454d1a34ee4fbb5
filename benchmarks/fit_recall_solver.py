"""Minimising a convex loss within bounds. Pure."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Loss = Callable[[Floats], tuple[float, Floats]]
type Bounds = tuple[Floats, Floats]

STEPS = 300
RIDGE = 1e-3


def minimised(loss: Loss, lower: Floats, upper: Floats, steps: int = STEPS) -> Floats:
    """The point within the bounds where a convex loss is least: projected gradient, accelerated.

    Beck & Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm" (2009).
    """
    point = ahead = np.clip(np.zeros_like(lower), lower, upper)
    length, pace = 1.0, 1.0
    value, slope = loss(ahead)
    for _ in range(steps):
        while True:
            step = np.clip(ahead - length * slope, lower, upper)
            moved = step - ahead
            bound = value + slope @ moved + (moved @ moved) / (2.0 * length)
            if loss(step)[0] <= bound + 1e-12 or length < 1e-9:
                break
            length /= 2.0
        following = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0
        ahead = np.clip(step + (pace - 1.0) / following * (step - point), lower, upper)
        if float(np.abs(step - point).max()) < 1e-6:
            return step
        point, pace, length = step, following, length * 1.2
        value, slope = loss(ahead)
    return point


def logistic(rows: Floats, true: NDArray[np.bool_], weight: Floats, bounds: Bounds) -> Floats:
    """Weights of the columns, within these bounds, and the constant at the end."""
    weight = weight / weight.sum()
    scale = np.maximum(rows.std(axis=0), 1e-6)
    padded = np.hstack([rows / scale, np.ones((len(rows), 1))])
    sign = np.where(true, 1.0, -1.0)

    def loss(point: Floats) -> tuple[float, Floats]:
        margin = sign * (padded @ point)
        ridge = RIDGE * np.append(point[:-1], 0.0)
        pull = -sign * weight / (1.0 + np.exp(np.clip(margin, -50, 50)))
        lost = float(weight @ np.logaddexp(0.0, -margin) + ridge @ point / 2)
        return lost, padded.T @ pull + ridge

    lower, upper = (np.clip(bound * scale, -50.0, 50.0) for bound in bounds)
    point = minimised(loss, np.append(lower, -50.0), np.append(upper, 50.0))
    return np.append(point[:-1] / scale, point[-1])


def ridge(rows: Floats, true: NDArray[np.bool_], penalty: float, steps: int = 25) -> Floats:
    """Weights of a logistic regression without a constant, either answer counting alike.

    With more columns than rows it is solved over the rows: iteratively reweighted least squares.
    """
    share = float(true.mean())
    counts = np.where(true, 0.5 / share, 0.5 / (1.0 - share))
    products, over_rows = rows @ rows.T, np.zeros(len(rows))
    for _ in range(steps):
        logits = products @ over_rows
        likely = 1.0 / (1.0 + np.exp(-logits))
        weight = counts * likely * (1.0 - likely) + 1e-9
        wanted = logits + counts * (true - likely) / weight
        over_rows = np.linalg.solve(products + np.diag(penalty / weight), wanted)
    return rows.T @ over_rows


def softmax(rows: Floats, of: Sequence[int], classes: int, penalty: float) -> Floats:
    """Weights of a multinomial logistic regression, a column a class; the rows have a constant.

    By accelerated gradient, as in `minimised`.
    """
    wanted = np.eye(classes)[list(of)]
    pace, step = 1.0, 0.55 * float(np.linalg.norm(rows, 2)) ** 2 / len(rows) + penalty
    weights = ahead = np.zeros((rows.shape[1], classes))
    for _ in range(STEPS):
        logits = rows @ ahead
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        wrong = odds / odds.sum(axis=1, keepdims=True) - wanted
        moved = ahead - (rows.T @ wrong / len(rows) + penalty * ahead) / step
        following = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0
        weights, ahead = moved, moved + (pace - 1.0) / following * (moved - weights)
        pace = following
    return weights
