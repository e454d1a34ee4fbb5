"""FSRS (free spaced repetition scheduler), by the package `fsrs`.

A useful verdict is a review rated Good, a correction one rated Again; creation is the first
review, rated Good. A useless verdict is no review. The package reviews single memories and
brings the weights; populations are reviewed by the same formulas over columns, which a test
holds to the package. The package is optional and imported when the policy is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import numpy as np

from ..model.errors import INSTALL, TidemarkError
from ..model.memory import Memory
from .lifecycle import DAY
from .policy import Judgement
from .population import Flags, Floats, Ints, Population
from .retention_value import OLDEST, Curve, CurvePolicy
from .tmd import Tmd, already_judged

BIN_BELOW = 0.6
"""Retrievability under which a memory is let go; a new one gets there in two months."""

MOST_REPLAYED = 32
"""Useful verdicts from before the policy was chosen that are replayed."""

_GOOD, _AGAIN, _EASY = 3, 1, 4
_LEAST_STABILITY = 0.001
_EPOCH = datetime.fromtimestamp(0, UTC)
_MOST_DAYS = 2_900_000.0
"""From the epoch to shortly before the year 9999, the last that a date can be of."""


class FsrsMissing(TidemarkError):
    """The package is not installed; the text says how to get it."""


@dataclass(frozen=True, slots=True)
class Retrievability(Curve):
    """(1 + factor * days / stability)^-decay since the last review. `weights` are FSRS-6's 21."""

    name: ClassVar[str] = "fsrs"
    measure: ClassVar[str] = "retrievability"

    weights: Sequence[float]
    bin_below: float = BIN_BELOW

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Retrievability, 0..1, by whole days as the package counts them."""
        stability, _ = self.card(population)
        return self.retrievability(whole_days(population, now), stability)

    def retrievability(self, days: Floats, stability: Floats) -> Floats:
        """After that many days without a review."""
        decay = -self.weights[20]
        factor = 0.9 ** (1 / decay) - 1
        return (1 + factor * days / stability) ** decay

    def card(self, population: Population) -> tuple[Floats, Floats]:
        """Stability and difficulty of every row.

        One that FSRS has never seen has its useful verdicts replayed, evenly spread between its
        creation and the last of them.
        """
        first = max(self.weights[_GOOD - 1], _LEAST_STABILITY)
        unseen = population.stability <= 0.0
        stability = np.where(unseen, first, population.stability)
        difficulty = np.where(unseen, self._first_difficulty(_GOOD), population.difficulty)
        reviews = np.where(unseen, np.minimum(population.useful_count, MOST_REPLAYED), 0)
        span = np.maximum(population.last_recalled_at - population.created_at, 0.0) / DAY
        days = np.floor(span / np.maximum(reviews, 1))
        for number in range(int(reviews.max(initial=0))):
            after = self.reviewed(days, stability, difficulty, _GOOD)
            stability = np.where(reviews > number, after[0], stability)
            difficulty = np.where(reviews > number, after[1], difficulty)
        return stability, difficulty

    def reviewed(
        self, days: Floats, stability: Floats, difficulty: Floats, rating: int
    ) -> tuple[Floats, Floats]:
        """Stability and difficulty after a review, Good or Again, whole `days` after the last."""
        retrieved = self.retrievability(days, stability)
        if rating == _AGAIN:
            later = self._lapsed(stability, difficulty, retrieved)
        else:
            later = self._recalled(stability, difficulty, retrieved)
        after = np.where(days < 1, self._same_day(stability, rating), later)
        return np.maximum(after, _LEAST_STABILITY), self._next_difficulty(difficulty, rating)

    def _recalled(self, stability: Floats, difficulty: Floats, retrieved: Floats) -> Floats:
        w = self.weights
        ease = np.exp(w[8]) * (11 - difficulty) * stability ** -w[9]
        return stability * (1 + ease * np.expm1((1 - retrieved) * w[10]))

    def _lapsed(self, stability: Floats, difficulty: Floats, retrieved: Floats) -> Floats:
        w = self.weights
        left = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1)
        return np.minimum(left * np.exp((1 - retrieved) * w[14]), stability / np.exp(w[17] * w[18]))

    def _same_day(self, stability: Floats, rating: int) -> Floats:
        w = self.weights
        gain = np.exp(w[17] * (rating - _GOOD + w[18])) * stability ** -w[19]
        return stability * (np.maximum(gain, 1.0) if rating == _GOOD else gain)

    def _first_difficulty(self, rating: int) -> float:
        first = self.weights[4] - np.exp(self.weights[5] * (rating - 1)) + 1
        return float(np.clip(first, 1.0, 10.0))

    def _next_difficulty(self, difficulty: Floats, rating: int) -> Floats:
        w = self.weights
        easiest = w[4] - np.exp(w[5] * (_EASY - 1)) + 1
        damped = difficulty + (10.0 - difficulty) * -w[6] * (rating - _GOOD) / 9.0
        return np.clip(w[7] * easiest + (1 - w[7]) * damped, 1.0, 10.0)


@dataclass(frozen=True, slots=True)
class Fsrs(CurvePolicy):
    """FSRS as a forgetting policy. Made by `fsrs_policy`."""

    curve: Retrievability = field(kw_only=True)
    package: Any = field(kw_only=True, compare=False)

    def judge(self, memory: Memory, judgement: Judgement, *, turn: int, now: float) -> Memory:
        """TMD's bookkeeping, and a review by the package."""
        if judgement is not Judgement.CORRECTED and already_judged(memory.vitality, turn):
            return memory
        judged = CurvePolicy.judge(self, memory, judgement, turn=turn, now=now)
        if judgement is Judgement.USELESS:
            return judged
        stability, difficulty = self._reviewed(memory, judgement, now)
        vitality = replace(judged.vitality, stability=stability, difficulty=difficulty)
        return replace(judged, vitality=vitality)

    def judge_rows(
        self, population: Population, rows: Ints, useful: Flags, *, now: float
    ) -> Population:
        """The same of many, useful or useless."""
        judged = CurvePolicy.judge_rows(self, population, rows, useful, now=now)
        reviewed = rows[useful]
        those = population.take(reviewed)
        days = whole_days(those, now)
        stability, difficulty = judged.stability.copy(), judged.difficulty.copy()
        card = self.curve.card(those)
        stability[reviewed], difficulty[reviewed] = self.curve.reviewed(days, *card, _GOOD)
        return replace(judged, stability=stability, difficulty=difficulty)

    def _reviewed(self, memory: Memory, judgement: Judgement, now: float) -> tuple[float, float]:
        row, package = Population.of([memory]), self.package
        (stability,), (difficulty,) = self.curve.card(row)
        (days,) = whole_days(row, now)
        # The package wants dates, and only asks how many days lie between them.
        card = package.Card(
            card_id=0,
            state=package.State.Review,
            stability=float(stability),
            difficulty=float(difficulty),
            due=_EPOCH,
            last_review=_EPOCH,
        )
        rating = package.Rating.Again if judgement is Judgement.CORRECTED else package.Rating.Good
        reviewed = _EPOCH + timedelta(min(float(days), _MOST_DAYS))
        after, _ = _scheduler(package).review_card(card, rating, reviewed)
        return after.stability, after.difficulty


def whole_days(population: Population, now: Floats | float) -> Floats:
    """Days since each row was last reviewed: judged useful, or created."""
    reviewed_at = np.maximum(population.born_at, population.last_recalled_at)
    return np.floor(np.clip((now - reviewed_at) / DAY, 0.0, OLDEST))


@dataclass(frozen=True, slots=True)
class FsrsParameters:
    """FSRS with the package's own weights."""

    name: ClassVar[str] = "fsrs"
    label: ClassVar[Mapping[str, str]] = {"zh": "FSRS", "en": "FSRS"}

    bin_below: float = BIN_BELOW

    def policy(self, tmd: Tmd, target_population: int) -> Fsrs:
        """Raises FsrsMissing where the package cannot be imported."""
        try:
            import fsrs
        except ImportError as error:
            raise FsrsMissing(
                f"the policy fsrs needs the package fsrs: {INSTALL['fsrs']}"
            ) from error
        weights = tuple(_scheduler(fsrs).parameters)
        curve = Retrievability(weights, self.bin_below)
        return Fsrs(tmd=tmd, curve=curve, package=fsrs)


def _scheduler(package: Any) -> Any:
    return package.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
