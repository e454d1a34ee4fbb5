"""What a turn is after, by whole words. Algorithms, section 7.1."""

import pytest
from astrbot_plugin_tidemark.core.recall.pipeline import intents_of
from astrbot_plugin_tidemark.core.recall.trace import Intent
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("为什么我不能喝牛奶", Intent.CAUSAL),
        ("我什么时候去的喀什", Intent.TEMPORAL),
        ("怎么做番茄面", Intent.PROCEDURAL),
        ("说说我家的猫", Intent.EXPLORATORY),
        ("我的猫叫什么", Intent.FACTUAL),
        ("我的猫又吐了", Intent.GENERAL),
        ("how to feed bees", Intent.PROCEDURAL),
        ("everything about the hives", Intent.EXPLORATORY),
        ("Whose bees are these", Intent.FACTUAL),
    ],
)
def test_a_marker_gives_the_intent(text: str, intent: Intent) -> None:
    assert intents_of(text) == {intent: 1.0}


@pytest.mark.parametrize("text", ["whenever you like", "the whys", "a beforehand stepson"])
def test_english_markers_are_whole_words(text: str) -> None:
    assert intents_of(text) == {Intent.GENERAL: 1.0}


def test_several_intents_share_the_turn() -> None:
    assert intents_of("Why did we move last week?") == {Intent.CAUSAL: 0.5, Intent.TEMPORAL: 0.5}


@quick
@given(st.text(max_size=60))
def test_weights_of_intents_sum_to_one(text: str) -> None:
    intents = intents_of(text)
    assert sum(intents.values()) == pytest.approx(1.0)
