"""What is known of a turn's candidates."""

from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.recall.columns import columns, contrast, footing, length
from astrbot_plugin_tidemark.core.recall.pipeline import understand
from astrbot_plugin_tidemark.core.recall.question import Meaning
from astrbot_plugin_tidemark.core.recall.trace import Fused, Hit, Leg
from astrbot_plugin_tidemark.core.scoring.coefficients import Footing
from astrbot_plugin_tidemark.core.scoring.columns import PLACES, Column, telling
from astrbot_plugin_tidemark.core.similarity.calibration import Centre, Frame
from astrbot_plugin_tidemark.core.text import bm25
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory
from .test_pipeline import QUESTION

quick = settings(deadline=None)


def test_what_is_near_to_all_of_its_kind_stands_out_from_none() -> None:
    near = np.full(40, 0.9, np.float32)
    near[0] = 1.2
    told = contrast(near, *np.zeros((2, 40), np.bool_))
    assert told[0] - told[1] == pytest.approx(0.3, abs=1e-3)
    assert abs(told[1]) < 0.2


def test_each_kind_stands_out_from_its_own() -> None:
    near = np.array([0.9] * 30 + [0.2] * 30 + [0.9], np.float32)
    raw = np.array([True] * 30 + [False] * 31)
    told = contrast(near, raw, np.zeros_like(raw))
    assert told[-1] > told[0] + 0.4


def test_of_a_single_memory_its_own_relevance_tells() -> None:
    low, high = (
        contrast(np.array([x], np.float32), np.array([True]), np.array([False])) for x in (0.1, 1.1)
    )
    assert high[0] - low[0] == pytest.approx(1.0)


@quick
@given(st.lists(st.integers(-8, 16), max_size=80))
def test_the_order_of_a_kind_stays(meant: list[float]) -> None:
    near = np.array(meant, np.float32) / 8
    told = contrast(near, *np.zeros((2, len(near)), np.bool_))
    assert np.argsort(told, kind="stable").tolist() == np.argsort(near, kind="stable").tolist()


def test_an_ideograph_tells_as_much_as_three_letters() -> None:
    chinese = replace(memory("我养了一只橘色的猫"), kind=Kind.EVIDENCE)
    english = replace(memory("I keep a cat that is orange!"[:27]), kind=Kind.EVIDENCE)
    assert length(chinese) == pytest.approx(length(english))
    assert length(memory("whatever was learnt")) == 0.0


def test_turns_that_only_ask_are_none_of_the_others() -> None:
    near = np.array([0.8, *[0.95] * 30], np.float32)
    raw, asks = np.ones(31, np.bool_), np.array([False] + [True] * 30)
    assert contrast(near, raw, asks)[0] == pytest.approx(0.8 - 0.2)
    assert contrast(near, raw, np.zeros_like(asks))[0] < 0.1


def test_a_word_is_as_rare_as_in_the_scope_where_it_was_found() -> None:
    own, other = memory("Ann keeps bees", id="own"), memory("Bees", id="other", scope="other")
    rarity = {"own": bm25.rarity(1, 1), "other": bm25.rarity(400, 1)}
    hits = {id: (Hit(Leg.TEXT, 1, 1.0, 1.0, rarest=rare),) for id, rare in rarity.items()}
    candidates = [Fused(id, found, 1.0) for id, found in hits.items()]
    memories = {own.scope: 1, other.scope: 400}
    records = {"own": own, "other": other}
    sheet = columns(candidates, records, understand(QUESTION), None, memories, {})
    told = sheet[:, PLACES[Column.RAREST]]
    assert told[0] == pytest.approx(telling(bm25.rarity(30, 1), 30), abs=1e-5)
    assert told[1] == pytest.approx(telling(rarity["other"], 400), abs=1e-5)


@pytest.mark.parametrize(
    ("centred", "strong", "expected"),
    [
        (True, True, Footing.STRONG),
        (True, False, Footing.DENSE),
        (False, False, Footing.HASHED),
    ],
)
def test_the_embedder_decides_by_which_numbers_a_turn_is_weighed(
    centred: bool, strong: bool, expected: Footing
) -> None:
    vector = np.ones(1, np.float32)
    centre = Centre(vector, vector, 0.0, 1.0) if centred else None
    frame = Frame(0.0, raw=centre, learnt=centre, strong=strong)
    assert footing(Meaning(vector, vector, "e", frame)) is expected
    assert footing(None) is Footing.WORDS
