"""Profile mode, its pool and its verdicts against an exact account and what was published."""

from dataclasses import fields

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.policy import ForgettingPolicy
from astrbot_plugin_tidemark.core.forgetting.population import Population
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters, initial_strength
from astrbot_plugin_tidemark.core.model.memory import Vitality
from astrbot_plugin_tidemark.core.settings.groups import ForgettingSettings
from astrbot_plugin_tidemark.core.simulation.run import Conditions, Pool, judge, newborn, simulate
from astrbot_plugin_tidemark.core.simulation.summary import Summary
from astrbot_plugin_tidemark.core.simulation.usage_profiles import (
    LEAST_WEIGHT,
    PROFILES,
    Profile,
    creation_shares,
    recall_shares,
)
from hypothesis import given
from hypothesis import strategies as st

from ...strength import strength
from ..forgetting.simulator.exact import live_through

SEEDS = range(strength(2, 10))
SMALL = Conditions(days=70, fewest_calls=4, most_calls=12, top_k=6, useful_prob=0.15)


PUBLISHED = ForgettingSettings(policy="tmd", keep_current=False, patience=1.0)
"""What an owner sets for TMD as it is published."""


def tmd(**parameters: float) -> ForgettingPolicy:
    pace = TmdParameters(**parameters)
    return PUBLISHED.in_force(Tmd(pace, PUBLISHED.keep_current, PUBLISHED.patience))


def run(
    seed: int = 1, conditions: Conditions = SMALL, policy: ForgettingPolicy | None = None
) -> Summary:
    return simulate(policy or tmd(), np.random.default_rng(seed), conditions)


def year(seeds: range, consolidate_speed: float) -> np.ndarray:
    """Survivors, then tiers, of years of 500 calls a day: one row a seed."""
    policy = tmd(consolidate_speed=consolidate_speed)
    runs = [run(seed, Conditions(), policy).overall for seed in seeds]
    return np.array([(figures.survivors, *figures.tiers) for figures in runs])


@pytest.mark.parametrize(
    ("speed", "published", "off", "gone"),
    [
        (2.5, [9_795, 8_128, 351, 1_316], [0.02, 0.02, 0.07, 0.07], 0.946),
        (1.0, [8_956, 8_784, 170, 2.5], [0.02, 0.02, 0.15, 1.0], 0.951),
    ],
)
def test_long_runs_of_what_is_set_for_it_agree_with_the_published_figures(
    speed: float, published: list[float], off: list[float], gone: float
) -> None:
    found = year(SEEDS, speed).mean(axis=0)
    assert np.all(np.abs(found / published - 1) <= off)
    assert 1 - found[0] / 182_500 == pytest.approx(gone, rel=0.001)


@pytest.mark.parametrize(
    "parameters",
    [
        TmdParameters(),
        TmdParameters(consolidate_speed=1.0, cycle_tier0_days=2),
        TmdParameters(tier0_threshold=2.0, tier1_threshold=5.0, useful_boost=2),
    ],
)
def test_the_vectorised_run_is_distributed_as_the_exact(parameters: TmdParameters) -> None:
    runs = strength(24, 60)
    exact = [live_through(seed, SMALL, PROFILES, parameters) for seed in range(runs)]
    wanted = np.array([[*one.tiers, np.mean(one.lives)] for one in exact])
    ours = [run(seed, policy=Tiered(Tmd(parameters))).overall for seed in range(runs)]
    found = np.array([[*one.tiers, one.mean_lifetime_days] for one in ours])
    spread = np.sqrt((wanted.var(axis=0) + found.var(axis=0)) / runs)
    assert np.all(np.abs(wanted.mean(axis=0) - found.mean(axis=0)) <= 4 * spread)


def test_a_yearly_memory_is_reviewed_and_vain_ones_are_gone() -> None:
    conditions = Conditions(days=366, fewest_calls=3, most_calls=3, top_k=1, useful_prob=0.0)
    yearly = Profile("yearly", 200, yearly=True)
    summary = simulate(tmd(), np.random.default_rng(1), conditions, [yearly])
    assert summary.overall.tiers == (366 * 3, 0, 0)
    reviewed = simulate(tmd(consolidate_speed=3.0), np.random.default_rng(1), conditions, [yearly])
    assert reviewed.overall.tiers == (365 * 3, 3, 0)
    conditions = Conditions(days=1, fewest_calls=1, most_calls=1, top_k=400, useful_prob=0.05)
    one = [Profile("one", 1, p_start=1.0)]
    strict = tmd(tier0_threshold=0.0, tier1_threshold=10_000.0, consolidate_speed=1.0)
    gone = simulate(strict, np.random.default_rng(1), conditions, one)
    assert gone.overall.survivors == 0
    lasting = tmd(tier0_threshold=0.0, tier1_threshold=10.0, consolidate_speed=1.0)
    late = simulate(lasting, np.random.default_rng(1), conditions, one)
    assert late.overall.survivors == 0


@pytest.mark.parametrize(("strength", "cycle"), [(4, 3.0), (6, 3.0), (1, 1.0), (8, 2.0)])
def test_what_is_never_useful_lives_by_its_strength(strength: int, cycle: float) -> None:
    conditions = Conditions(days=40, fewest_calls=5, most_calls=5, top_k=3, useful_prob=0.0)
    profiles = [Profile("useless", strength, p_start=1.0)]
    policy = tmd(cycle_tier0_days=cycle)
    summary = simulate(policy, np.random.default_rng(1), conditions, profiles)
    span = int(strength * cycle)
    assert summary.overall.survivors == 5 * span
    survival = summary.survival["useless"]
    assert survival[span - 1] > 0 == survival[span]
    assert summary.overall.p90_lifetime_days == span


def test_the_same_seed_gives_the_same_and_verdicts_stop_at_zero() -> None:
    assert run(3).to_json() == run(3).to_json()
    assert run(3).to_json() != run(4).to_json()
    days: list[int] = []
    simulate(tmd(), np.random.default_rng(1), SMALL, on_day=days.append)
    assert days == list(range(1, SMALL.days + 1))
    conditions = Conditions(
        days=1, fewest_calls=1, most_calls=1, top_k=400, useful_prob=0.05, floor=True
    )
    lasting = tmd(tier0_threshold=0.0, tier1_threshold=10.0, consolidate_speed=1.0)
    run_ = simulate(lasting, np.random.default_rng(1), conditions, [Profile("one", 1, 1.0)])
    assert run_.overall.tiers == (0, 0, 1)


@given(
    st.integers(0, 2**32),
    st.integers(1, 45),
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(1, 5),
    st.floats(0.0, 1.0),
)
def test_every_memory_made_is_either_alive_or_forgotten(
    seed: int, days: int, fewest: int, more: int, top_k: int, useful_prob: float
) -> None:
    conditions = Conditions(days, fewest, fewest + more, top_k, useful_prob)
    summary = run(seed, conditions)
    whole = summary.overall
    assert whole.created == whole.survivors + whole.forgotten
    assert fewest * days <= whole.created <= (fewest + more) * days
    assert tuple(summary.tiers_by_day[-1]) == whole.tiers
    assert 0 <= whole.deletion_ratio <= 1
    assert 0 <= whole.mean_lifetime_days <= days
    assert len(whole.monthly_survivors) == days // 30


@given(st.integers(0, 2**32))
def test_the_profiles_add_up_to_the_whole(seed: int) -> None:
    summary = run(seed)
    parts = summary.profiles.values()
    assert summary.overall.created == sum(part.created for part in parts)
    assert summary.overall.tiers == tuple(np.sum([part.tiers for part in parts], axis=0))
    monthly = np.sum([part.monthly_survivors for part in parts], axis=0)
    assert summary.overall.monthly_survivors == tuple(monthly)


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
    for row, (kept, score) in enumerate(states):
        vitality = Vitality(kept + 1_000, useful_score=score)
        for turn, useful in enumerate(useful for place, useful in told if place == row):
            vitality = policy.tmd.judge(vitality, useful=useful, turn=turn, now=NOW)
        left = vitality.strength - 1_000
        assert pool.population.strength[row] == max(0, left)
        assert pool.population.useful_score[row] == vitality.useful_score
        assert pool.population.last_recalled_at[row] == vitality.last_recalled_at
        if left <= 0 and left != kept:
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
