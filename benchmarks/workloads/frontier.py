"""A policy made more and less forgetful, and the area under its hit rate over storage. Pure."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from ...core.forgetting.activation import Actr, ReflectionSummary
from ...core.forgetting.caches import Lru, RandomDrop
from ...core.forgetting.curves import DecayScore, Differential, Ebbinghaus
from ...core.forgetting.fsrs import Retrievability
from ...core.forgetting.policy import ForgettingPolicy
from ...core.forgetting.retention_value import Curve, CurvePolicy
from ...core.forgetting.tiered import Tiered
from ...core.forgetting.tmd import Tmd, TmdParameters

FACTORS = (0.1, 0.3, 0.6, 1.0, 2.0, 4.0, 10.0)
"""How many times more patient; 1 is the policy as it is."""

type Point = tuple[float, float]
"""Storage and hit rate, 0..1 each."""


@dataclass(frozen=True, slots=True)
class Weakened(TmdParameters):
    """Parameters under which a memory begins with a share of its strength, of 1 at least."""

    share: float = 1.0


def more_patient(policy: ForgettingPolicy, factor: float) -> ForgettingPolicy:
    """The same policy forgetting about `factor` times later. Raises TypeError for others."""
    match policy:
        case Tiered():
            p = policy.tmd.parameters
            slower = replace(p, cycle_tier0_days=max(1.0, p.cycle_tier0_days * factor))
            # A cycle is one day at least: beyond that, memories are weaker from the start.
            weaker = min(1.0, p.cycle_tier0_days * factor)
            return replace(policy, tmd=Tmd(Weakened(**asdict(slower), share=weaker)))
        case CurvePolicy():
            return replace(policy, curve=_slower(policy.curve, factor))
        case _:
            raise TypeError(f"no such policy: {policy.name}")


def area(points: Sequence[Point]) -> float:
    """Under the best hit rates over storage, from (0, 0) to (1, 1), lines between points."""
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(_rising(points)))


def hit_rate_at(storage: float, points: Sequence[Point]) -> float:
    """Of the same curve at one storage, 0..1."""
    for a, b in pairwise(_rising(points)):
        if storage <= b[0]:
            part = (storage - a[0]) / (b[0] - a[0]) if b[0] > a[0] else 1.0
            return a[1] + part * (b[1] - a[1])
    return 1.0


def _rising(points: Sequence[Point]) -> list[Point]:
    """By storage, leaving out what another point reaches with less."""
    kept: list[Point] = [(0.0, 0.0)]
    for point in sorted([*points, (1.0, 1.0)]):
        if point[1] >= kept[-1][1]:
            kept.append(point)
    return kept


def _slower(curve: Curve, factor: float) -> Curve:
    match curve:
        case Ebbinghaus():
            days = curve.least_days * factor
            return replace(curve, decay_rate=curve.decay_rate / factor, least_days=days)
        case Differential():
            return _rates(curve, 1 / factor)
        case DecayScore():
            archive, bin_ = curve.archive_above * factor, curve.bin_above * factor
            return replace(curve, archive_above=archive, bin_above=bin_)
        # Activation falls with half the logarithm of age.
        case Actr() | ReflectionSummary():
            return replace(curve, bin_below=curve.bin_below - math.log(factor) / 2)
        case Lru():
            return replace(curve, capacity=max(1, round(curve.capacity * factor)))
        case RandomDrop():
            return replace(curve, daily_probability=min(1.0, curve.daily_probability / factor))
        case Retrievability():
            left = (1 / curve.bin_below - 1) * factor
            return replace(curve, bin_below=1 / (1 + left))
        case _:
            raise TypeError(f"no such curve: {curve.name}")


def _rates(curve: Differential, times: float) -> Differential:
    names = ("instruction", "preference", "workflow", "episodic")
    changes: dict[str, Any] = {name: getattr(curve, name) * times for name in names}
    return replace(curve, **changes)
