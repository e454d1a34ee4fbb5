"""Profile mode against an exact account of the same events, and against what was published."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.policy import ForgettingPolicy
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.settings.groups import ForgettingSettings
from astrbot_plugin_tidemark.core.simulation.run import Conditions, simulate
from astrbot_plugin_tidemark.core.simulation.summary import Summary
from astrbot_plugin_tidemark.core.simulation.usage_profiles import PROFILES, Profile
from hypothesis import given
from hypothesis import strategies as st

from ...strength import strength
from ..forgetting.simulator.exact import live_through

SEEDS = range(strength(2, 10))
SMALL = Conditions(days=70, fewest_calls=4, most_calls=12, top_k=6, useful_prob=0.15)


PUBLISHED = ForgettingSettings(policy="tmd", keep_current=False, patience=1.0)
"""What an owner sets for TMD as it is published."""


def tmd(**parameters: float) -> ForgettingPolicy:
    pace = TmdParameters(**parameters)  # pyright: ignore[reportArgumentType]
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
