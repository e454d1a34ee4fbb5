"""From a logit to a probability. Pure."""

import math


def probability(logit: float) -> float:
    """1 / (1 + exp(-logit)), without its overflow."""
    return 0.5 * (1.0 + math.tanh(logit / 2.0))
