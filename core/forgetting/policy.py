"""What every forgetting policy answers. Pure: a policy is told the time, it never asks.

One formula serves both forms: a memory is a population of one row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Protocol

import numpy as np

from ..model.memory import Memory, Vitality
from .lifecycle import DecayPlan
from .population import Codes, Flags, Floats, Ints, Population
from .tmd import Tmd


class Judgement(Enum):
    """What a recall has shown of a memory, or that a person has corrected it."""

    USEFUL = "useful"
    USELESS = "useless"
    CORRECTED = "corrected"


class Action(IntEnum):
    """What becomes of a memory, as a code."""

    KEEP = 0
    ARCHIVE = 1
    BIN = 2
    FOLD = 3
    """Into a summary with others of its topic; kept while there are too few of them."""
    FOLD_OR_BIN = 4
    """The same, but to the bin while there are too few of them."""


type Numbers = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Keep:
    """It stays where it is, weakened perhaps."""

    vitality: Vitality


@dataclass(frozen=True, slots=True)
class Archive:
    """Out of ordinary recall, its vector dropped, its text kept. `numbers` say why."""

    vitality: Vitality
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class ToBin:
    """Into the bin. `numbers` say why."""

    vitality: Vitality
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Fold:
    """Into a summary with others of its topic; with too few of them, to the bin if `else_bin`."""

    vitality: Vitality
    numbers: Numbers
    else_bin: bool


type Fate = Keep | Archive | ToBin | Fold


@dataclass(frozen=True, slots=True, eq=False)
class Fates:
    """Per row of a population: the `Action` and the vitality after it."""

    action: Codes
    strength: Ints
    useful_score: Floats
    last_decay_at: Floats

    @property
    def gone(self) -> Flags:
        """Rows that are let go: out of recall, whichever way."""
        return self.action != Action.KEEP


class ForgettingPolicy(Protocol):
    """Which memories are forgotten, and when. A policy has no state: what changes is in the memory.

    Under every policy: what is pinned, marked important, of tier 2 or prospective stays; with a
    clock set back nothing happens; a second pass at the same time changes nothing; time alone
    never lengthens a life, and a useful verdict never shortens it.
    """

    name: str
    """As in the settings and in the audit log."""

    tmd: Tmd
    """Strength, useful score and tiers: their bookkeeping is the same under every policy."""

    @property
    def plan(self) -> DecayPlan | None:
        """Itself as data, for a store to carry out; None if it needs more than the columns."""
        return None

    @property
    def archives(self) -> bool:
        """Whether it archives, and so has to look at what it has archived."""
        return False

    @property
    def needs_other_memories(self) -> bool:
        """Whether it has to be `fitted`, because the other memories of a scope matter to it."""
        ...

    def fate(self, memory: Memory, *, now: float) -> Fate:
        """What becomes at `now` of a live memory, or of one that a policy has archived."""
        return self.each([memory], now=now)[0]

    def each(self, memories: Sequence[Memory], *, now: float) -> list[Fate]:
        """`fate` of each of these, computed together."""
        ...

    def fates(self, population: Population, *, now: float) -> Fates:
        """`fate` of every row."""
        ...

    def forgotten_at(self, memory: Memory) -> float | None:
        """When it will be let go if nothing happens to it; None if time alone never does it."""
        at = float(self.forgotten_times(Population.of([memory]))[0])
        return None if np.isinf(at) else at

    def forgotten_times(self, population: Population) -> Floats:
        """`forgotten_at` of every row, `inf` for None."""
        ...

    def fitted(self, population: Population, *, now: float) -> "ForgettingPolicy":
        """The policy for a scope with these live memories, where it depends on them at all."""
        ...

    def judge(self, memory: Memory, judgement: Judgement, *, turn: int, now: float) -> Memory:
        """One verdict of one turn, booked as TMD's. One that has been applied changes nothing.

        To have been corrected is no verdict to TMD.
        """
        if judgement is Judgement.CORRECTED:
            return memory
        useful = judgement is Judgement.USEFUL
        vitality = self.tmd.judge(memory.vitality, useful=useful, turn=turn, now=now)
        return replace(memory, vitality=vitality)

    def judge_rows(
        self, population: Population, rows: Ints, useful: Flags, *, now: float
    ) -> Population:
        """One verdict for each of these rows, none of them twice, and the recall counted."""
        p = self.tmd.parameters
        strength, count = population.strength.copy(), population.useful_count.copy()
        score = population.useful_score.copy()
        tier1 = (score[rows] >= p.tier0_threshold) & (score[rows] < p.tier1_threshold)
        lost = np.maximum(0, strength[rows] - np.where(tier1, 1, 0))
        strength[rows] = np.where(useful, strength[rows] + p.useful_boost, lost)
        count[rows] += useful
        score[rows] += np.where(useful, p.consolidate_speed, 0.0)
        used = population.last_recalled_at.copy()
        used[rows] = np.where(useful, np.maximum(used[rows], now), used[rows])
        return replace(
            population.touched(rows, now=now),
            strength=strength,
            useful_count=count,
            useful_score=score,
            last_recalled_at=used,
        )

    def forgets(self, memory: Memory) -> bool:
        """Whether a verdict has used it up, so that it is forgotten before the next pass."""
        return False


def kept_always(population: Population, tmd: Tmd) -> Flags:
    """Rows no policy lets go: pinned, important, tier 2, prospective, current claims."""
    core = population.useful_score >= tmd.parameters.tier1_threshold
    return core | timeless(population, tmd)


def timeless(population: Population, tmd: Tmd) -> Flags:
    """Rows that time does not weaken, whatever their tier."""
    lasting = population.kept | population.prospective
    return lasting | population.holds if tmd.keep_current else lasting
