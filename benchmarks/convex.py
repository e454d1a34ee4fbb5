"""Minimising a convex loss within bounds. Pure."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Loss = Callable[[Floats], tuple[float, Floats]]

STEPS = 300


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
