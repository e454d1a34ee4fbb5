"""Runs one simulation at a time, on a thread, which can be stopped from outside."""

import asyncio
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..forgetting.policy import ForgettingPolicy
from ..model.sleeping import Tell, no_progress
from .experiment import Experiment
from .run import Conditions
from .summary import Summary
from .usage_profiles import Profile

_BYTES_PER_MEMORY = 450
"""All columns, and what a day computes over them."""

_BYTES_PER_RECALL = 120
_SECONDS_PER_DAY = 0.0012
_SECONDS_PER_RECALL = 1.2e-7
_SECONDS_PER_MEMORY_AND_DAY = 8e-8
_LASTING = 0.02
"""Share of the created that reaches tier 2 or stays in tier 1, generously."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Estimates, rather too high than too low."""

    megabytes: float
    seconds: float


def cost_of(policy: ForgettingPolicy, conditions: Conditions, profiles: Sequence[Profile]) -> Cost:
    """Of one run. Under another policy than TMD nothing may ever be forgotten: that is assumed."""
    created = conditions.most_calls * conditions.days
    most = float(created)
    if policy.plan is not None:
        idle = max(profile.strength for profile in profiles) * policy.plan.cycle / 86_400
        most = min(most, 1.5 * conditions.most_calls * idle + _LASTING * created)
    recalls = conditions.most_calls * conditions.top_k
    size = most * _BYTES_PER_MEMORY + recalls * _BYTES_PER_RECALL
    daily = _SECONDS_PER_DAY + recalls * _SECONDS_PER_RECALL + most * _SECONDS_PER_MEMORY_AND_DAY
    return Cost(size / 2**20, conditions.days * daily)


PAUSE = 0.0005
"""Seconds a simulation sleeps after each of its days, so that a chat need not wait for it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one simulation may take."""

    megabytes: float = 300.0
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class TooLarge:
    """Refused: it would take more than the limits allow."""

    cost: Cost


@dataclass(frozen=True, slots=True)
class Busy:
    """Refused: another simulation is running; this share (0..1) of it is done."""

    done: float


class Stopped(Exception):
    """It was stopped, or took longer than it may."""


class Simulations:
    """Runs experiments one after the other; whoever asks meanwhile is told how far it is."""

    def __init__(self, limits: Limits = Limits()) -> None:
        self._limits = limits
        self._run: _Run | None = None

    @property
    def done(self) -> float | None:
        """Share done of the one under way; None if none is."""
        return None if self._run is None else self._run.done

    def refusal(self, *experiments: Experiment) -> TooLarge | Busy | None:
        """Why these could not be simulated now."""
        if self._run is not None:
            return Busy(self._run.done)
        cost = _together(experiments)
        over = cost.megabytes > self._limits.megabytes or cost.seconds > self._limits.seconds
        return TooLarge(cost) if over else None

    async def run(
        self, *experiments: Experiment, tell: Tell = no_progress
    ) -> list[Summary] | TooLarge | Busy:
        """Simulate all of them, off the event loop; `tell` is told days, on that thread.

        Raises Stopped; a cancelled call stops the simulation within a day of its time.
        """
        refused = self.refusal(*experiments)
        if refused is not None:
            return refused
        run = self._run = _Run(experiments, self._limits.seconds, tell)
        try:
            return await asyncio.to_thread(run.simulate)
        finally:
            run.stop()
            self._run = None


class _Run:
    """One run, on its own thread; any thread may stop it."""

    def __init__(self, experiments: tuple[Experiment, ...], seconds: float, tell: Tell) -> None:
        self._tell = tell
        self._experiments = experiments
        self._days = sum(experiment.conditions.days for experiment in experiments)
        self._over = 0
        self._stopped = threading.Event()
        self._latest = time.monotonic() + seconds

    @property
    def done(self) -> float:
        return self._over / self._days

    def stop(self) -> None:
        self._stopped.set()

    def simulate(self) -> list[Summary]:
        return [experiment.run(self._day_over) for experiment in self._experiments]

    def _day_over(self, day: int) -> None:
        self._over += 1
        self._tell(self._over, self._days)
        if self._stopped.is_set() or time.monotonic() > self._latest:
            raise Stopped
        time.sleep(PAUSE)


def _together(experiments: tuple[Experiment, ...]) -> Cost:
    costs = [cost_of(e.forgetting(), e.conditions, e.profiles) for e in experiments]
    return Cost(max(cost.megabytes for cost in costs), sum(cost.seconds for cost in costs))
