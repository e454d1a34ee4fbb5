"""FSRS over columns is the package `fsrs`, review by review, and is not there without it."""

import builtins
import math
from datetime import UTC, datetime, timedelta
from typing import Any

import fsrs
import numpy as np
import pytest
from astrbot_plugin_tidemark.core.engine.engine import chosen
from astrbot_plugin_tidemark.core.forgetting.fsrs import FsrsMissing, FsrsParameters, Retrievability
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.forgetting.policy import Judgement
from astrbot_plugin_tidemark.core.forgetting.population import Population
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import Vitality
from astrbot_plugin_tidemark.core.settings import ForgettingSettings
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory

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
