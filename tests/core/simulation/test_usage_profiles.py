"""How often a profile comes up, by the day."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.tmd import initial_strength
from astrbot_plugin_tidemark.core.simulation.usage_profiles import (
    LEAST_WEIGHT,
    PROFILES,
    Profile,
    creation_shares,
    recall_shares,
)
from hypothesis import given, settings
from hypothesis import strategies as st

CRAMMED, DAILY, HOT, YEARLY, OCCASIONAL, NOISE = PROFILES


@pytest.mark.parametrize(
    ("profile", "day", "weight"),
    [
        (CRAMMED, 1, 0.80),
        (CRAMMED, 60, 0.80),
        (CRAMMED, 91, 0.80 - 0.75 * 91 / 182),
        (CRAMMED, 182, 0.05),
        (CRAMMED, 365, LEAST_WEIGHT),
        (DAILY, 1, 0.35),
        (DAILY, 365, 0.35),
        (HOT, 180, 0.45),
        (HOT, 181, 0.45 - 0.35 * 181 / 182),
        (HOT, 274, 0.10 * (1 - 92 / 183)),
        (YEARLY, 200, 0.05),
        (OCCASIONAL, 365, 0.01),
        (NOISE, 182, 0.002),
    ],
)
def test_weights_follow_the_published_schedule(profile: Profile, day: int, weight: float) -> None:
    assert profile.weight(day, 365) == pytest.approx(weight)


@settings(deadline=None)
@given(st.integers(1, 900))
def test_shares_of_a_day_add_up_to_one_and_leave_nobody_out(days: int) -> None:
    shares = recall_shares(PROFILES, days)
    assert shares.shape == (days, 6)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert shares.min() > 0


def test_new_memories_are_made_in_the_published_proportions() -> None:
    expected = np.array([0.30, 0.80, 0.45, 0.15, 0.70, 0.95]) / 3.35
    assert creation_shares(PROFILES).tolist() == pytest.approx(expected.tolist())
    assert [initial_strength(p.importance) for p in PROFILES] == [p.strength for p in PROFILES]
