"""A curve of hit rates over storage: its area, and how policies are moved along it."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.benchmarks.workloads.evaluation import Judging, evaluate
from astrbot_plugin_tidemark.benchmarks.workloads.frontier import (
    FACTORS,
    area,
    hit_rate_at,
    more_patient,
)
from astrbot_plugin_tidemark.benchmarks.workloads.workload import make_workload
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES, policy_named
from hypothesis import given
from hypothesis import strategies as st

shares = st.floats(0, 1)
points = st.lists(st.tuples(shares, shares), max_size=8)


def test_keeping_by_chance_is_worth_a_half() -> None:
    assert area([]) == pytest.approx(0.5)
    assert area([(0.25, 0.25), (0.5, 0.5)]) == pytest.approx(0.5)


def test_answering_everything_with_a_tenth_is_worth_nearly_one() -> None:
    assert area([(0.1, 1.0)]) == pytest.approx(0.95)
    assert hit_rate_at(0.05, [(0.1, 1.0)]) == pytest.approx(0.5)
    assert hit_rate_at(0.5, [(0.1, 1.0)]) == 1.0


@given(points)
def test_an_area_is_between_zero_and_one(curve: list[tuple[float, float]]) -> None:
    assert 0 <= area(curve) <= 1 + 1e-9


@given(points, shares, shares)
def test_with_more_storage_a_curve_never_answers_less(
    curve: list[tuple[float, float]], one: float, other: float
) -> None:
    less, more = sorted((one, other))
    assert hit_rate_at(less, curve) <= hit_rate_at(more, curve) + 1e-9


@given(points, shares)
def test_a_point_that_is_worse_in_both_changes_nothing(
    curve: list[tuple[float, float]], storage: float
) -> None:
    best = (0.2, 0.9)
    assert hit_rate_at(storage, [*curve, best]) == hit_rate_at(storage, [*curve, best, (0.3, 0.8)])


@pytest.mark.parametrize("name", [name for name in NAMES if name != "lru"])
def test_a_more_patient_policy_keeps_more(name: str) -> None:
    workload = make_workload(np.random.default_rng(1), 150, 4.0)
    storages = [
        evaluate(
            more_patient(policy_named(name), factor),
            workload,
            Judging(),
            np.random.default_rng(1),
        ).storage
        for factor in (min(FACTORS), 1.0, max(FACTORS))
    ]
    assert storages == sorted(storages)
    assert storages[0] < storages[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_patience_of_one_leaves_a_policy_as_it_is(name: str) -> None:
    policy = policy_named(name)
    changed = more_patient(policy, 1.0)
    assert changed.name == policy.name
    assert getattr(changed, "tmd", None) == policy.tmd
