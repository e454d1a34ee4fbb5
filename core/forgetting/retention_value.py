"""Policies that let go of memories whose retention value has fallen below a floor. Pure."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from ..model.memory import Memory
from .lifecycle import DAY
from .policy import Action, Archive, Fate, Fates, Fold, ForgettingPolicy, Keep, ToBin, kept_always
from .population import Codes, Floats, Population
from .tmd import Tmd

HORIZON = 36_525 * DAY
"""Seconds beyond which nothing is foretold: a hundred years."""

OLDEST = 1e6
"""Days at which every curve has long reached its end, and still is a finite number."""

_HALVINGS = 34
"""Of the horizon: a time foretold is right to a fifth of a second."""


class Curve(ABC):
    """The retention value of a memory as time goes by, and the floor below which it is let go.

    `measure` is what this value is called where it is shown, `end` the way it is let go. `label`
    is what the policy is called, by language.
    """

    __slots__ = ()

    name: ClassVar[str]
    label: ClassVar[Mapping[str, str]]
    measure: ClassVar[str]
    end: ClassVar[Action] = Action.BIN

    @property
    def floor(self) -> float:
        """Worth under which a memory is let go: the parameter `bin_below`, or 0 without one."""
        return getattr(self, "bin_below", 0.0)

    @property
    def archive_floor(self) -> float | None:
        """Worth under which it is archived, above `floor`; None if it never is."""
        return None

    @property
    def needs_other_memories(self) -> bool:
        """Whether it depends on the other memories of the scope."""
        return False

    @abstractmethod
    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Of every row at its own time `now`: finite, and never rising with time alone."""

    def fitted(self, population: Population) -> Self:
        """The curve for a scope in which these memories may be let go."""
        return self

    def policy(self, tmd: Tmd, target_population: int) -> "CurvePolicy":
        """The policy that goes by this curve."""
        return CurvePolicy(self, tmd)


@dataclass(frozen=True, slots=True)
class CurvePolicy(ForgettingPolicy):
    """A curve as a forgetting policy."""

    curve: Curve
    tmd: Tmd = Tmd()
    name: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.curve.name)

    @property
    def archives(self) -> bool:
        """Whether the curve has a floor for it."""
        return self.curve.archive_floor is not None

    @property
    def needs_other_memories(self) -> bool:
        """Whether the curve does."""
        return self.curve.needs_other_memories

    def each(self, memories: Sequence[Memory], *, now: float) -> list[Fate]:
        """What becomes of each memory."""
        population = Population.of(memories)
        times = _times(population, now)
        actions = self._actions(population, times).tolist()
        retention_values = self.curve.retention_value(self._counted(population), times).tolist()
        rows = zip(memories, actions, retention_values, strict=True)
        return [
            self._fate(memory, Action(action), retention_value)
            for memory, action, retention_value in rows
        ]

    def _fate(self, memory: Memory, action: Action, retention_value: float) -> Fate:
        numbers = {self.curve.measure: retention_value, "floor": self._floor(action)}
        match action:
            case Action.KEEP:
                return Keep(memory.vitality)
            case Action.ARCHIVE:
                return Archive(memory.vitality, numbers)
            case Action.BIN:
                return ToBin(memory.vitality, numbers)
            case Action.FOLD | Action.FOLD_OR_BIN:
                return Fold(memory.vitality, numbers, action is Action.FOLD_OR_BIN)

    def fates(self, population: Population, *, now: float) -> Fates:
        """What becomes of every row."""
        action, p = self._actions(population, _times(population, now)), population
        return Fates(action, p.strength, p.useful_score, p.last_decay_at)

    def forgotten_times(self, population: Population) -> Floats:
        """When each row is let go, found by halving: the value never rises with time."""
        kept_until = self._touched(population)
        gone_from = kept_until + HORIZON
        mortal = self._actions(population, gone_from) != Action.KEEP
        for _ in range(_HALVINGS):
            middle = (kept_until + gone_from) / 2
            gone = self._actions(population, middle) != Action.KEEP
            gone_from = np.where(gone, middle, gone_from)
            kept_until = np.where(gone, kept_until, middle)
        return np.where(mortal, gone_from, np.inf)

    def fitted(self, population: Population, *, now: float) -> "CurvePolicy":
        """The policy with the curve for these memories."""
        lasting = kept_always(population, self.tmd) | population.archived
        curve = self.curve.fitted(self._counted(population.take(~lasting)))
        return self if curve is self.curve else replace(self, curve=curve)

    def _counted(self, population: Population) -> Population:
        """Recalls and last access as this policy counts them."""
        useful, used_at = population.useful_count, population.last_recalled_at
        recalls = np.maximum(population.recalls, useful)
        seen = np.maximum(population.last_access_at, used_at)
        return replace(population, recalls=recalls, last_access_at=seen)

    def _touched(self, population: Population) -> Floats:
        """When anything last happened to the memory; before that, the clock has been set back."""
        seen = np.maximum(population.last_access_at, population.last_recalled_at)
        return np.maximum(population.born_at, seen)

    def _actions(self, population: Population, now: Floats) -> Codes:
        retention_value = self.curve.retention_value(self._counted(population), now)
        action = np.full(len(population), Action.KEEP, dtype=np.int8)
        if self.curve.archive_floor is not None:
            action[(retention_value < self.curve.archive_floor) & ~population.archived] = (
                Action.ARCHIVE
            )
        gone = retention_value < self.curve.floor
        if not self.archives:
            gone &= ~population.archived
        action[gone] = self.curve.end
        action[kept_always(population, self.tmd) | (now <= self._touched(population))] = Action.KEEP
        return action

    def _floor(self, action: Action) -> float:
        """The floor that the value has fallen below."""
        archiving = self.curve.archive_floor if action is Action.ARCHIVE else None
        return self.curve.floor if archiving is None else archiving


def idle_days(population: Population, now: Floats) -> Floats:
    """Days since the last access, or since the memory began to age."""
    since = np.maximum(population.born_at, population.last_access_at)
    return np.clip((now - since) / DAY, 0.0, OLDEST)


def age_days(population: Population, now: Floats) -> Floats:
    """Days since the memory began to age."""
    return np.clip((now - population.born_at) / DAY, 0.0, OLDEST)


def _times(population: Population, now: float) -> Floats:
    return np.full(len(population), now)
