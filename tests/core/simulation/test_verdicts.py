"""A day's verdicts in one go are those of the production policy one after the other."""

from dataclasses import fields

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.policy import ForgettingPolicy
from astrbot_plugin_tidemark.core.forgetting.population import Population
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.memory import Vitality
from astrbot_plugin_tidemark.core.simulation.run import Pool, judge, newborn
from hypothesis import given
from hypothesis import strategies as st

DAY = 86_400.0
NOW = 9 * DAY

speeds = st.sampled_from([0.5, 1.0, 2.5, 3.0, 10.0])
"""Exact in binary, so that adding them up in another order changes nothing."""

verdicts = st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=60)
lives = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from([0.0, 2.5, 3.0, 7.5, 10.0])),
    min_size=6,
    max_size=6,
)


def pool_of(states: list[tuple[int, float]]) -> Pool:
    pool = Pool(1, capacity=8)
    strengths = np.array([strength for strength, _ in states])
    rows = pool.add(newborn(DAY, len(states), strength=strengths), np.zeros(6, dtype=np.int8))
    pool.population.useful_score[rows] = [score for _, score in states]
    return pool


def in_order(told: list[tuple[int, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """By row, the order of each row's own verdicts kept."""
    ordered = sorted(told, key=lambda verdict: verdict[0])
    rows = np.array([row for row, _ in ordered], dtype=np.int64)
    return rows, np.array([useful for _, useful in ordered], dtype=np.bool_)


def one_after_the_other(
    people: Population, policy: ForgettingPolicy, told: list[tuple[int, bool]]
) -> Population:
    for row, useful in told:
        people = policy.judge_rows(people, np.array([row]), np.array([useful]), now=NOW)
    return people


@given(lives, verdicts, speeds)
def test_with_a_floor_every_column_is_what_the_policy_makes_of_each_verdict(
    states: list[tuple[int, float]], told: list[tuple[int, bool]], speed: float
) -> None:
    policy = Tiered(Tmd(TmdParameters(consolidate_speed=speed)))
    pool = pool_of(states)
    expected = one_after_the_other(pool_of(states).population, policy, told)
    judge(pool, policy, *in_order(told), now=NOW, floor=True)
    for column in fields(Population):
        found, wanted = (getattr(p, column.name) for p in (pool.population, expected))
        assert found.tolist() == wanted.tolist(), column.name


@given(lives, verdicts, speeds)
def test_without_a_floor_strength_is_counted_through_zero_until_the_evening(
    states: list[tuple[int, float]], told: list[tuple[int, bool]], speed: float
) -> None:
    policy = Tiered(Tmd(TmdParameters(consolidate_speed=speed)))
    pool = pool_of(states)
    spent = judge(pool, policy, *in_order(told), now=NOW)
    debts: set[int] = set()
    for row, (strength, score) in enumerate(states):
        vitality = Vitality(strength + 1_000, useful_score=score)
        for turn, useful in enumerate(useful for place, useful in told if place == row):
            vitality = policy.tmd.judge(vitality, useful=useful, turn=turn, now=NOW)
        left = vitality.strength - 1_000
        assert pool.population.strength[row] == max(0, left)
        assert pool.population.useful_score[row] == vitality.useful_score
        assert pool.population.last_recalled_at[row] == vitality.last_recalled_at
        if left <= 0 and left != strength:
            debts.add(row)
    assert debts <= set(spent.tolist())
    assert np.all(pool.population.strength[spent] == 0)


@given(lives, verdicts, st.floats(0.01, 20))
def test_verdicts_in_rounds_and_at_once_come_to_the_same(
    states: list[tuple[int, float]], told: list[tuple[int, bool]], speed: float
) -> None:
    plain = Tiered(Tmd(TmdParameters(consolidate_speed=speed, tier0_threshold=-1.0)))
    at_once, rounds = pool_of(states), pool_of(states)
    rows, useful = in_order(told)
    judge(at_once, plain, rows, useful, now=NOW)
    judge(rounds, _OtherPolicy(plain), rows, useful, now=NOW)
    for column in fields(Population):
        found, wanted = (getattr(p.population, column.name) for p in (at_once, rounds))
        assert found.tolist() == pytest.approx(wanted.tolist()), column.name


class _OtherPolicy:
    def __init__(self, policy: Tiered) -> None:
        self.tmd, self.judge_rows = policy.tmd, policy.judge_rows
