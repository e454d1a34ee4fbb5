"""Rows are used again, draws go to living memories, and profiles come up by the day."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.tmd import initial_strength
from astrbot_plugin_tidemark.core.simulation.run import Pool, newborn
from astrbot_plugin_tidemark.core.simulation.usage_profiles import (
    LEAST_WEIGHT,
    PROFILES,
    Profile,
    creation_shares,
    recall_shares,
)
from hypothesis import given
from hypothesis import strategies as st

GROUPS = 3


def add(pool: Pool, groups: list[int], now: float = 1.0) -> np.ndarray:
    memories = newborn(now, len(groups), strength=np.full(len(groups), 4))
    return pool.add(memories, np.array(groups, dtype=np.int8))


@given(st.lists(st.tuples(st.lists(st.integers(0, 2), max_size=9), st.integers(0, 9))), st.data())
def test_rows_in_use_are_exactly_what_was_added_and_not_removed(
    steps: list[tuple[list[int], int]], data: st.DataObject
) -> None:
    pool, expected = Pool(GROUPS, capacity=2), dict[int, int]()
    for groups, leaving in steps:
        expected |= dict(zip(add(pool, groups).tolist(), groups, strict=True))
        gone = data.draw(st.permutations(sorted(expected)))[:leaving]
        pool.remove(np.array(gone, dtype=np.int64))
        expected = {row: group for row, group in expected.items() if row not in gone}
    assert len(pool) == len(expected)
    assert np.flatnonzero(pool.occupied).tolist() == sorted(expected)
    assert {row: int(pool.group[row]) for row in expected} == expected
    assert pool.sizes().tolist() == [list(expected.values()).count(g) for g in range(GROUPS)]


@given(
    st.lists(st.integers(0, 2), max_size=30),
    st.lists(st.integers(0, 40), min_size=3, max_size=3),
    st.integers(0, 2**32),
)
def test_draws_fall_on_memories_of_their_group_and_none_on_an_empty_one(
    groups: list[int], counts: list[int], seed: int
) -> None:
    pool = Pool(GROUPS, capacity=4)
    pool.remove(add(pool, [0, 1, 2]))
    add(pool, groups)
    rows = pool.draw(np.array(counts), np.random.default_rng(seed))
    drawn = np.bincount(pool.group[rows], minlength=GROUPS + 1)
    wanted = [count if group in groups else 0 for group, count in enumerate(counts)]
    assert drawn.tolist() == [*wanted, 0]
    assert np.all(np.diff(rows) >= 0)


def test_every_memory_is_drawn_alike_and_rows_are_made_anew() -> None:
    pool = Pool(GROUPS, capacity=4)
    rows = add(pool, [1] * 50 + [0] * 7)[:50]
    drawn = pool.draw(np.array([0, 50_000, 0]), np.random.default_rng(1))
    counts = np.bincount(drawn, minlength=len(pool.group))[rows]
    assert counts.sum() == 50_000
    chi_square = ((counts - 1_000) ** 2 / 1_000).sum()
    assert chi_square < 49 + 5 * np.sqrt(2 * 49)
    pool = Pool(GROUPS, capacity=1)
    row = add(pool, [1])
    pool.population.useful_score[row] = 7.5
    pool.population.recalls[row] = 9
    pool.remove(row)
    assert add(pool, [2], now=5.0).tolist() == row.tolist()
    people = pool.population
    assert (people.useful_score[row], people.recalls[row], people.created_at[row]) == (0, 0, 5.0)
    assert not people.archived[row]
    expected = np.array([0.30, 0.80, 0.45, 0.15, 0.70, 0.95]) / 3.35
    assert creation_shares(PROFILES).tolist() == pytest.approx(expected.tolist())
    assert [initial_strength(p.importance) for p in PROFILES] == [p.strength for p in PROFILES]


CRAMMED, DAILY, HOT, YEARLY, OCCASIONAL, NOISE = PROFILES


@pytest.mark.parametrize(
    ("profile", "weights"),
    [
        (CRAMMED, {1: 0.80, 60: 0.80, 91: 0.80 - 0.75 * 91 / 182, 182: 0.05, 365: LEAST_WEIGHT}),
        (DAILY, {1: 0.35, 365: 0.35}),
        (HOT, {180: 0.45, 181: 0.45 - 0.35 * 181 / 182, 274: 0.10 * (1 - 92 / 183)}),
        (YEARLY, {200: 0.05}),
        (OCCASIONAL, {365: 0.01}),
        (NOISE, {182: 0.002}),
    ],
)
def test_weights_follow_the_published_schedule(profile: Profile, weights: dict[int, float]) -> None:
    assert {day: profile.weight(day, 365) for day in weights} == pytest.approx(weights)


@given(st.integers(1, 900))
def test_shares_of_a_day_add_up_to_one_and_leave_nobody_out(days: int) -> None:
    shares = recall_shares(PROFILES, days)
    assert shares.shape == (days, 6)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert shares.min() > 0
