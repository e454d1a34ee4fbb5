"""What a question asks for, and the names in it."""

from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.languages.entities import LONGEST, named_among, without_names
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.recall.block import Participants, Style
from astrbot_plugin_tidemark.core.recall.legs.ways import meaning_of
from astrbot_plugin_tidemark.core.recall.pipeline import intents_of
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import Intent
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ...deciding import showing
from ...samples import memory

CALLED = frozenset(map(entity_id, ("Ann", "Mary Ann", "小雨", "我们", "X", "Summer")))
HASHED = HashedEmbedder()
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default").key


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does Ann keep?", ["ann"]),
        ("what does ＡＮＮ keep?", ["ann"]),
        ("the annex is open", []),
        ("Did Mary Ann call?", ["mary ann", "ann"]),
        ("小雨放假了吗", ["小雨"]),
        ("我们走吧", []),
        ("X marks the spot", []),
        ("", []),
        ("🙂🙂", []),
    ],
)
def test_names_of_a_question_are_whole_words(question: str, names: list[str]) -> None:
    assert named_among([question], CALLED) == names


def test_a_name_is_looked_for_in_every_text_but_not_in_the_depths_of_a_long_one() -> None:
    assert named_among(["bees", "ask Ann"], CALLED) == ["ann"]
    assert named_among(["x " * LONGEST + "Ann"], CALLED) == []


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What is Ann's hobby?", "What is hobby?"),
        ("What is Ann’s hobby?", "What is hobby?"),
        ("Did ANN and Mary  Ann row?", "Did and row?"),
        ("the annex is open", "the annex is open"),
        ("小雨喜欢什么花", "喜欢什么花"),
        ("Who is Ann?", "Who is Ann?"),
    ],
)
def test_a_question_without_names_is_the_same_or_nothing(text: str, rest: str) -> None:
    assert without_names(text, ["mary ann", "ann", "小雨"]) == rest


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=6), max_size=4))
def test_any_text_and_any_names_leave_something_to_ask(text: str, names: list[str]) -> None:
    called = frozenset(map(entity_id, names))
    found = named_among([text], called)
    assert set(found) <= called
    assert bool(without_names(text, found)) is bool(text)


def asked(text: str, participants: Participants, **changes: Any) -> Question:
    style = Style("en", str, participants=participants)
    plain = {"deadline": 1.0, "budget": 800, "limit": 8, "style": style, **changes}
    return Question(text, frozenset({GROUP}), Context(), **plain)


async def meaning(text: str, participants: Participants, **changes: Any) -> np.ndarray[Any, Any]:
    store = ReferenceStore()
    await store.put([memory("I keep bees", scope=GROUP, speaker=Speaker("901", "Ann"))])
    question = asked(text, participants, **changes)
    found = await meaning_of(question, showing(store, HASHED), HASHED)
    return found.vector


async def test_a_speakers_name_is_no_part_of_what_is_searched_by_meaning() -> None:
    group = Participants(several=True, called=CALLED)
    without = await meaning("Which hobby does have?", group)
    assert np.array_equal(await meaning("Which hobby does Ann have?", group), without)
    assert not np.array_equal(await meaning("Which hobby does Ann have?", Participants()), without)
    group = Participants(several=True, called=CALLED)
    summer = await meaning("Which Summer hobby?", group)
    assert np.array_equal(summer, await meaning("Which Summer hobby?", Participants()))
    group = Participants(several=True, called=CALLED)
    told = await meaning("Which hobby?", group, earlier=("Ann called about boats",))
    assert np.array_equal(
        told, await meaning("Which hobby?", group, earlier=("called about boats",))
    )


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


@given(st.text(max_size=60))
def test_weights_of_intents_sum_to_one(text: str) -> None:
    intents = intents_of(text)
    assert sum(intents.values()) == pytest.approx(1.0)
