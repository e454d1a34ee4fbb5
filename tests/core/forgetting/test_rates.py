"""How useful sorts of memories are, and whether a difference is more than chance."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.rates import Posterior, UsefulnessRates
from hypothesis import given
from hypothesis import strategies as st

counts = st.integers(0, 10_000)
posteriors = st.builds(Posterior, counts, counts)


def test_without_verdicts_a_half_is_expected_and_each_counts_beside_it() -> None:
    assert (Posterior().mean, UsefulnessRates().overall.mean) == (0.5, 0.5)
    assert Posterior(useful=1).mean == pytest.approx(2 / 3)
    assert Posterior(3, 7).mean == pytest.approx(4 / 12)


@given(posteriors)
def test_a_useful_verdict_raises_the_mean_and_the_mean_is_a_probability(one: Posterior) -> None:
    assert 0 < one.mean < (one + Posterior(1, 0)).mean < 1
    assert 0 < one.deviation < 0.5
