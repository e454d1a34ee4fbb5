"""The views of a memory: its clauses, the questions it answers; none that are empty or equal."""

import pytest
from astrbot_plugin_tidemark.core.embedding.views import views_of
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.model.views import MOST_CLAUSES, VIEWS, ViewSource
from hypothesis import given, settings
from hypothesis import strategies as st

from ...storage.memories import memory

BOTH = ViewSource.BOTH


def texts(
    text: str, *cues: str, source: ViewSource = BOTH, kind: Kind = Kind.SEMANTIC
) -> list[str]:
    return list(views_of(memory("a", text, cues=cues, kind=kind), source).values())


def test_a_text_of_several_clauses_has_each_as_a_view() -> None:
    both = ["我昨天去看了牙医", "晚上和小雨吃了火锅"]
    assert texts("，".join(both)) == both
    assert texts("I keep bees. Ben sells honey.") == ["I keep bees", "Ben sells honey"]


@pytest.mark.parametrize("text", ["I keep bees", "我养蜜蜂", "", "。。。", "ok. no."])
def test_a_text_of_one_clause_has_no_view_beside_the_whole(text: str) -> None:
    assert texts(text) == []


def test_only_what_was_learnt_has_its_first_two_cues() -> None:
    assert texts("I keep bees", "hives?", "honey?", "wax?") == ["hives?", "honey?"]
    assert texts("I keep bees", "hives?", kind=Kind.EVIDENCE) == []
    assert texts("I keep bees", "hives?", source=ViewSource.CLAUSES) == []
    assert texts("One is so. Two is so.", source=ViewSource.OFF) == []


def test_empty_and_equal_views_are_dropped() -> None:
    assert texts("I keep bees", " ", "i KEEP bees") == []
    assert texts("I keep bees", "hives?", "Hives?") == ["hives?"]


@settings(deadline=None)
@given(st.text(max_size=400), st.lists(st.text(max_size=40), max_size=4))
def test_names_are_known_and_texts_are_few_and_different(text: str, cues: list[str]) -> None:
    views = views_of(memory("a", text, cues=tuple(cues)), BOTH)
    assert set(views) <= set(VIEWS)
    assert len(views) <= MOST_CLAUSES + 2
    assert len(set(views.values())) == len(views)
    assert all(view.strip() for view in views.values())
