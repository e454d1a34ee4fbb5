"""A lesson survives being written and read."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Lesson
from astrbot_plugin_tidemark.core.model.memory import Sentiment
from astrbot_plugin_tidemark.core.prompts.lesson_json import lesson_from_json, lesson_to_json
from hypothesis import given, settings
from hypothesis import strategies as st

finite = st.floats(allow_nan=False, allow_infinity=False)

candidates = st.builds(
    Candidate,
    kind=...,
    facet=...,
    importance=finite,
    confidence=finite,
    about=...,
    cues=...,
    tags=...,
    entities=...,
    relations=...,
    sentiment=st.builds(Sentiment, mood=..., intensity=finite),
    happened_at=st.none() | finite,
    follows=...,
)
lessons = st.builds(
    Lesson, summary=..., candidates=st.lists(candidates, max_size=3).map(tuple), useful=...
)


@settings(deadline=None)
@given(lessons)
def test_a_lesson_comes_back_exactly(lesson: Lesson) -> None:
    assert lesson_from_json(lesson_to_json(lesson)) == lesson


def test_any_string_can_be_stored_and_no_verdict_is_none_of_use() -> None:
    text = lesson_to_json(Lesson("潮痕 \ud800"))
    assert text.isascii()
    assert lesson_from_json(text).summary == "潮痕 \ud800"
    assert lesson_from_json(lesson_to_json(Lesson())).useful is None
    assert lesson_from_json(lesson_to_json(Lesson(useful=frozenset()))).useful == frozenset()


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"summary": "", "useful": None, "candidates": [{}]},
        {"summary": "", "useful": None, "candidates": [3]},
        {"summary": "", "useful": 3, "candidates": []},
    ],
)
def test_json_that_is_no_lesson_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match="not the JSON text of a lesson"):
        lesson_from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the decoder words it
        lesson_from_json(text)
