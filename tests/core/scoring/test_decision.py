"""From columns to a decision: logits, the worth of a turn, eagerness and reasons."""

import math
from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.scoring.coefficients import Footing
from astrbot_plugin_tidemark.core.scoring.columns import (
    PLACES,
    SMALLEST,
    Column,
    TurnColumn,
    expected_best,
    sheet,
    telling,
)
from astrbot_plugin_tidemark.core.scoring.decision import (
    USUAL_LINES,
    Eagerness,
    is_worth,
    line_share,
    reasons,
    share_within,
    worth,
)
from astrbot_plugin_tidemark.core.scoring.defaults import FITTED
from astrbot_plugin_tidemark.core.scoring.odds import probability
from astrbot_plugin_tidemark.core.settings import RecallSettings
from astrbot_plugin_tidemark.core.text import bm25
from hypothesis import given, settings
from hypothesis import strategies as st

MODEL = FITTED[Footing.DENSE]
quick = settings(deadline=None)
logits = st.lists(st.floats(-20, 20), max_size=12)


def test_a_sheet_has_a_row_for_each_candidate_and_zeros_for_what_is_not_known() -> None:
    filled = sheet({Column.WORDS: [0.5, 1.0]}, 2)
    assert filled.shape == (2, len(Column))
    assert filled[:, PLACES[Column.WORDS]].tolist() == [0.5, 1.0]
    assert filled.sum() == 1.5


def test_the_larger_a_scope_the_more_its_best_is_expected_to_reach() -> None:
    assert expected_best(0) == expected_best(SMALLEST)
    assert expected_best(SMALLEST) < expected_best(1_000) < expected_best(1_000_000)


def test_the_same_candidates_are_worth_less_in_a_larger_scope() -> None:
    small, large = ({TurnColumn.SIZE: expected_best(n)} for n in (30, 10_000))
    assert worth([1.0], small, MODEL) > worth([1.0], large, MODEL)


def test_a_word_of_one_memory_tells_the_more_the_more_memories_there_are() -> None:
    told = [telling(bm25.rarity(n, 1), n) for n in (1, 3, 29, 30, 300, 3_000)]
    assert told == sorted(told)
    assert told[0] == pytest.approx(told[3], abs=0.001)
    assert telling(bm25.rarity(20, 10), 20) < telling(bm25.rarity(20, 1), 20)


@quick
@given(logits, st.integers(0, 11), st.floats(0, 5))
def test_a_turn_is_worth_no_less_if_a_candidate_fits_better(
    found: list[float], place: int, more: float
) -> None:
    better = list(found)
    if better:
        better[place % len(better)] += more
    assert worth(better, {}, MODEL) >= worth(found, {}, MODEL) - 1e-9


@quick
@given(logits)
def test_the_order_of_candidates_does_not_matter_to_a_turn(found: list[float]) -> None:
    assert worth(found, {}, MODEL) == worth(found[::-1], {}, MODEL)


def test_a_life_of_no_memory_and_of_one_is_judged() -> None:
    assert not is_worth(worth([], {}, MODEL), MODEL, Eagerness.BALANCED)
    assert is_worth(worth([20.0], {}, MODEL), MODEL, Eagerness.QUIET)


def test_an_eager_bot_brings_up_what_a_quiet_one_keeps_back() -> None:
    for logit, shown in ((0.0, (False, True, True)), (-0.3, (False, False, True))):
        assert tuple(is_worth(logit, MODEL, each) for each in Eagerness) == shown


def test_reasons_are_the_three_columns_that_set_a_candidate_apart() -> None:
    usual = np.zeros(len(Column), np.float32)
    row = usual.copy()
    row[PLACES[Column.MEANING]], row[PLACES[Column.RAREST]] = 1.0, 0.4
    row[PLACES[Column.RAW]], row[PLACES[Column.TIME]] = 1.0, 1.0
    weights = {Column.MEANING: 4.0, Column.RAREST: 2.0, Column.RAW: -1.0}
    model = replace(MODEL, candidate=weights)
    [told, nothing] = reasons(np.stack([row, usual]), usual, model)
    assert nothing == ()
    assert [column for column, _ in told] == [Column.MEANING, Column.RAW, Column.RAREST]
    assert [value for _, value in told] == pytest.approx([4.0, -1.0, 0.8])


@quick
@given(st.floats(-1e6, 1e6))
def test_a_probability_is_within_bounds(logit: float) -> None:
    assert 0.0 <= probability(logit) <= 1.0


def test_the_less_sure_a_turn_needs_anything_the_fewer_lines_it_brings() -> None:
    shares = [line_share(0.06, logit) for logit in (20.0, 4.0, 2.0, 0.0, -1.0, -math.inf)]
    assert shares[0] == pytest.approx(0.06)
    assert shares == sorted(shares)
    assert shares[3] == pytest.approx(0.18)
    assert shares[-1] == 1.0


def test_whoever_gives_more_room_than_usual_has_less_likely_lines_shown() -> None:
    assert RecallSettings().max_items == USUAL_LINES
    shares = [share_within(limit, 0.08) for limit in (1, 8, 16, 50)]
    assert shares == pytest.approx([0.08, 0.08, 0.04, 0.0128])
