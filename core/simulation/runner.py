"""Runs one simulation at a time, on a thread, which can be stopped from outside."""

import asyncio
import threading
import time
from dataclasses import dataclass

from ..model.jobs import Tell, no_progress
from .cost import Cost, cost_of
from .experiment import Experiment
from .summary import Summary

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
