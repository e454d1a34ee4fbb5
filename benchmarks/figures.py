"""Samples summed up: median and spread, because one run on a shared machine proves little."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

type Spread = dict[str, float]


@dataclass(slots=True)
class Stopwatch:
    """Seconds a `timed` block took; 0 while it runs."""

    seconds: float = 0.0

    @property
    def milliseconds(self) -> float:
        """The same in milliseconds."""
        return self.seconds * 1000


@contextmanager
def timed() -> Iterator[Stopwatch]:
    """Time the block, also when it raises."""
    watch = Stopwatch()
    began = time.perf_counter()
    try:
        yield watch
    finally:
        watch.seconds = time.perf_counter() - began


def quantile(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank quantile of ascending samples, `share` in 0..1."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def spread(samples: Iterable[float]) -> Spread:
    """n, p5, p50, p95, p99 and max, rounded to 3 digits; only n for no samples."""
    ordered = sorted(samples)
    if not ordered:
        return {"n": 0}
    shares = {"p5": 0.05, "p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    figures = {name: round(quantile(ordered, share), 3) for name, share in shares.items()}
    return {"n": len(ordered), **figures}
