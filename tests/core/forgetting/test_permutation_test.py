"""Verdicts of one person depend on each other: people are compared, not verdicts."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.permutation_test import chance_of_difference
from astrbot_plugin_tidemark.core.forgetting.rates import Posterior
from hypothesis import given, settings
from hypothesis import strategies as st

people = st.lists(st.builds(Posterior, st.integers(0, 50), st.integers(0, 50)), max_size=6)


@settings(max_examples=60, deadline=None)
@given(people, people)
def test_chance_is_a_probability_and_the_order_of_groups_does_not_matter(
    one: list[Posterior], other: list[Posterior]
) -> None:
    chance = chance_of_difference(one, other)
    assert 0 < chance <= 1
    assert chance == pytest.approx(chance_of_difference(other, one))


def test_two_people_never_differ_by_more_than_chance_however_many_verdicts_they_gave() -> None:
    assert chance_of_difference([Posterior(900, 100)], [Posterior(100, 900)]) == 1.0


def test_two_groups_of_four_that_all_differ_leave_two_of_seventy_divisions() -> None:
    high, low = [Posterior(8, 2)] * 4, [Posterior(4, 6)] * 4
    assert chance_of_difference(high, low) == pytest.approx(2 / 70)


def test_who_judged_nothing_does_not_count() -> None:
    high, low = [Posterior(8, 2)] * 4, [Posterior(4, 6)] * 4
    silent = [Posterior()] * 20
    assert chance_of_difference(high + silent, low) == chance_of_difference(high, low)
    assert chance_of_difference(silent, low) == 1.0


def test_many_people_are_drawn_alike_every_time_and_a_clear_gap_says_much() -> None:
    high = [Posterior(6 + n % 3, 3) for n in range(40)]
    low = [Posterior(3 + n % 3, 6) for n in range(40)]
    assert chance_of_difference(high, low) == chance_of_difference(high, low) < 0.001
    assert chance_of_difference(high[::2], high[1::2]) > 0.2
