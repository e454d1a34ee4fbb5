"""The formulas by example, and FSRS beside its package. Algorithms, sections 2 to 6."""

import builtins
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import fsrs
import numpy as np
import pytest
from astrbot_plugin_tidemark.core.engine.engine import chosen
from astrbot_plugin_tidemark.core.forgetting.activation import (
    Actr,
    BaseLevel,
    approximate_base_level,
)
from astrbot_plugin_tidemark.core.forgetting.caches import Lru, RandomDrop
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES, policy_named
from astrbot_plugin_tidemark.core.forgetting.curves import Differential, Ebbinghaus
from astrbot_plugin_tidemark.core.forgetting.fsrs import FsrsMissing, FsrsParameters, Retrievability
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, archived, restored
from astrbot_plugin_tidemark.core.forgetting.policy import Archive, Judgement, Keep, ToBin
from astrbot_plugin_tidemark.core.forgetting.population import Population, luck_of
from astrbot_plugin_tidemark.core.forgetting.retention_value import Curve, CurvePolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import Access, Facet, Kind, Memory, Vitality
from astrbot_plugin_tidemark.core.settings import ForgettingSettings
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory


def retention_value(curve: Curve, kept: Memory, days: float) -> float:
    return float(curve.retention_value(Population.of([kept]), np.array([days * DAY]))[0])


# Ebbinghaus


def test_nothing_goes_in_sixty_days_and_a_layer_is_kept_between_its_thresholds() -> None:
    weak = CurvePolicy(Ebbinghaus())
    trifle = memory(importance=0.0, trust=0.0)
    assert isinstance(weak.fate(trifle, now=60 * DAY), Keep)
    assert isinstance(weak.fate(trifle, now=60 * DAY + 1), ToBin)
    curve = Ebbinghaus()
    for peak, strength, stays in [(0.7, 0.5, True), (0.69, 0.5, False), (0.7, 0.3, False)]:
        layer = curve.long_term(np.array([peak]), np.array([strength]), np.array([9.0]))
        assert bool(layer[0]) is stays


# ACT-R


def base_level(ages: list[float]) -> float:
    """Anderson's, over every access."""
    return math.log(sum(age**-0.5 for age in ages))


@given(st.integers(2, 40), st.floats(0.01, 400), st.floats(0.01, 400))
def test_it_is_close_for_evenly_spread_accesses(count: int, newest: float, span: float) -> None:
    ages = [newest + span * number / (count - 1) for number in range(count)]
    oldest, last = np.array([newest + span]), np.array([newest])
    near = approximate_base_level(oldest, last, np.array([count]), 0.5)[0]
    assert near == pytest.approx(base_level(ages), abs=0.45)


def test_one_access_is_exact_and_what_has_no_facet_is_a_preference() -> None:
    for age in (0.5, 3.0, 100.0):
        curve = BaseLevel(noise=0.0)
        assert retention_value(curve, memory(), age) == pytest.approx(base_level([age]))
    fact = memory(kind=Kind.SEMANTIC, facet=None)
    preferred = retention_value(Differential(), replace(fact, facet=Facet.PREFERENCE), 20.0)
    assert retention_value(Differential(), fact, 20.0) == preferred


def test_a_question_adds_twice_its_cosine_to_the_activation() -> None:
    used, cosines = Population.of([memory(access=Access(0.0, 0.0, 3))] * 3), np.array([0, 0.35, 1])
    told = Actr(noise=0.0).at_question(used, np.full(3, (math.e**2 - 1) * DAY), cosines)
    assert told == pytest.approx(-0.5 * 2 + math.log(3) + 2.0 * cosines)


def test_noise_and_luck_are_drawn_once_for_each_memory() -> None:
    many = Population.of([memory(id=f"m{number}") for number in range(2_000)])
    now = np.full(2_000, 10 * DAY)
    still = Actr(noise=0.0).retention_value(many, now)
    noise = Actr().retention_value(many, now) - still
    assert np.array_equal(noise, Actr().retention_value(many, now) - still)
    assert abs(noise.mean()) < 0.02
    assert noise.std() == pytest.approx(0.25, rel=0.05)
    lucks = [luck_of(f"m{number}") for number in range(2_000)]
    assert luck_of("m7") == lucks[7]
    assert all(0 <= luck < 1 for luck in lucks)
    assert sum(lucks) / len(lucks) == pytest.approx(0.5, abs=0.03)
    kept = memory(vitality=Vitality(3, useful_count=2, useful_score=5.0))
    row = Population.of([kept])
    assert (row.strength[0], row.useful_count[0], row.useful_score[0]) == (3, 2, 5.0)


# rates, score, priority


def test_over_the_bounds_is_archived_or_binned_by_last_use() -> None:
    policy = policy_named("decay_score")
    kept = memory(kind=Kind.EPISODIC, importance=0.5)
    at = 100 * math.log(2) * 0.5 * DAY
    assert isinstance(policy.fate(kept, now=at - 60), Keep)
    assert isinstance(policy.fate(kept, now=at + 60), Archive)
    shelved = archived(kept, now=at, reason="policy decay_score")
    assert isinstance(policy.fate(shelved, now=at + 60), Keep)
    assert isinstance(policy.fate(shelved, now=5 * at + 60), ToBin)
    for name in NAMES:
        policy = policy_named(name)
        shelved = archived(memory(kind=Kind.EPISODIC), now=390 * DAY, reason="x")
        back = restored(shelved, now=400 * DAY, reason="by ann", strength=4)
        assert isinstance(policy.fate(back, now=401 * DAY), Keep)
    accesses = [Access(0.0, number * DAY, 2) for number in range(5)]
    many = Population.of([memory(id=f"m{n}", access=a) for n, a in enumerate(accesses)])
    policy = CurvePolicy(Lru(capacity=2)).fitted(many, now=9 * DAY)
    assert list(policy.fates(many, now=9 * DAY).gone) == [True, True, True, False, False]


# caches, restoring


def test_chance_takes_the_same_share_every_day_by_seed() -> None:
    many = Population.of([memory(id=f"m{number}") for number in range(4_000)])
    policy = CurvePolicy(RandomDrop(daily_probability=0.1, seed=7))
    for days in (1, 5, 20):
        left = 1 - policy.fates(many, now=days * DAY).gone.mean()
        assert left == pytest.approx(0.9**days, abs=0.025)
    many = Population.of([memory(id=f"m{number}") for number in range(100)])
    gone = [
        CurvePolicy(RandomDrop(0.1, seed)).fates(many, now=5 * DAY).gone.tolist() for seed in (1, 2)
    ]
    assert gone[0] != gone[1]


START = datetime(2025, 1, 1, tzinfo=UTC)
PACKAGE = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
CURVE = Retrievability(tuple(PACKAGE.parameters))


def column(value: float) -> Any:
    return np.array([value], dtype=np.float64)


@given(st.lists(st.tuples(st.integers(0, 400), st.booleans()), max_size=8), st.integers(0, 2_000))
def test_every_course_has_the_packages_numbers(reviews: list[tuple[int, bool]], rest: int) -> None:
    card, at = fsrs.Card(card_id=1), START
    card, _ = PACKAGE.review_card(card, fsrs.Rating.Good, at)
    stability, difficulty = CURVE.card(Population.of([memory()]))
    for days, good in reviews:
        at += timedelta(days)
        rating = fsrs.Rating.Good if good else fsrs.Rating.Again
        card, _ = PACKAGE.review_card(card, rating, at)
        stability, difficulty = CURVE.reviewed(column(days), stability, difficulty, int(rating))
    assert stability[0] == pytest.approx(card.stability)
    assert difficulty[0] == pytest.approx(card.difficulty)
    ours = CURVE.retrievability(column(rest), stability)[0]
    assert ours == pytest.approx(PACKAGE.get_card_retrievability(card, at + timedelta(rest)))


def test_a_correction_is_a_lapse_and_a_useful_verdict_a_success() -> None:
    policy = FsrsParameters().policy(Tmd(), 0)
    kept = memory(created_at=0.0)
    good = policy.judge(kept, Judgement.USEFUL, turn=1, now=10 * DAY)
    lapsed = policy.judge(good, Judgement.CORRECTED, turn=0, now=20 * DAY)
    assert good.vitality.stability > PACKAGE.parameters[2] > 0
    assert lapsed.vitality.stability < good.vitality.stability
    assert lapsed.vitality.difficulty > good.vitality.difficulty
    assert lapsed.vitality.useful_score == good.vitality.useful_score


def test_verdicts_even_from_before_the_policy_are_reviews() -> None:
    policy = FsrsParameters().policy(Tmd(), 0)
    good = policy.judge(memory(created_at=0.0), Judgement.USEFUL, turn=1, now=10 * DAY)
    late = policy.judge(good, Judgement.USEFUL, turn=2, now=4_000_000 * DAY)
    assert good.vitality.stability < late.vitality.stability < math.inf
    judged = FsrsParameters().policy(Tmd(), 0).judge(memory(), Judgement.USELESS, turn=1, now=DAY)
    assert (judged.vitality.stability, judged.vitality.difficulty) == (0.0, 0.0)
    lived = memory(vitality=Vitality(4, useful_count=4, last_recalled_at=80 * DAY))
    idle = memory(vitality=Vitality(4))
    assert (policy.forgotten_at(lived) or math.inf) > 10 * (policy.forgotten_at(idle) or 0.0)


def test_without_the_package_tmd_decides_and_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name == "fsrs":
            raise ImportError(name)
        return usual(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    told: list[tuple[str, BaseException]] = []
    policy = chosen(
        ForgettingSettings(policy="fsrs"), Tmd(), lambda place, error: told.append((place, error))
    )
    assert policy.name == "tmd"
    ((place, error),) = told
    assert place == "forgetting"
    assert isinstance(error, FsrsMissing)
    assert "pip install fsrs" in str(error)
