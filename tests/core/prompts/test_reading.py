"""Values out of a model's JSON: what is accepted, what is named as a problem."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.model.memory import Mood
from astrbot_plugin_tidemark.core.prompts.reading import (
    MOST_PROBLEMS,
    JsonReader,
    cleaned,
    json_object,
)
from astrbot_plugin_tidemark.core.text.display_names import entity_id
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)


def test_the_first_object_with_the_wanted_property_is_taken() -> None:
    text = 'First {"a": 1}, then {"wanted": 2}, then {"wanted": 3}.'
    assert json_object(text, "wanted") == {"wanted": 2}


def test_without_the_wanted_property_the_first_object_is_taken() -> None:
    assert json_object('{"a": {"b": 1}} {"c": 2}', "wanted") == {"a": {"b": 1}}


def test_inner_objects_do_not_stand_in_for_a_broken_outer_one() -> None:
    with pytest.raises(ReplyMalformed, match="Expecting"):
        json_object('{"items": [{"a": 1}, {"b": 2}', "wanted")


def test_what_a_model_thought_aloud_is_not_its_answer() -> None:
    text = '<think>{"wanted": "draft"}</think>{"wanted": "final"}'
    assert json_object(text, "wanted") == {"wanted": "final"}


@pytest.mark.parametrize(
    ("method", "value", "arguments", "stand_in"),
    [
        ("record", [], (), {}),
        ("items", {}, (), ()),
        ("text", 1, (5,), ""),
        ("optional_text", 1, (5,), ""),
        ("share", 1.01, (), 0.0),
        ("number", 9, ((1, 2),), None),
        ("number", True, ((1, 2),), None),
        ("choice", "glad", (tuple(Mood),), None),
        ("choice", ["positive"], (tuple(Mood),), None),
        ("moment", "2025-13-01", (), None),
        ("moment", 20250101, (), None),
    ],
)
def test_a_value_that_does_not_fit_leaves_one_problem_and_a_stand_in(
    method: str, value: Any, arguments: tuple[Any, ...], stand_in: Any
) -> None:
    reading = JsonReader()
    assert getattr(reading, method)(value, "here", *arguments) == stand_in
    assert len(reading.problems) == 1
    assert reading.problems[0].startswith("here must be")


@pytest.mark.parametrize(
    ("method", "value", "arguments", "expected"),
    [
        ("record", {"a": 1}, (), {"a": 1}),
        ("items", None, (), ()),
        ("text", " a ", (5,), "a"),
        ("optional_text", None, (5,), ""),
        ("texts", ["b", "a", "b", ""], (5, 2), ("b", "a")),
        ("share", 0, (), 0.0),
        ("share", 1, (), 1.0),
        ("number", None, ((1, 2),), None),
        ("number", 2, ((1, 2),), 2),
        ("numbers", [2, 1, 2], ((1, 2),), (1, 2)),
        ("choice", "negative", (tuple(Mood),), Mood.NEGATIVE),
        ("moment", "", (), None),
    ],
)
def test_a_value_that_fits_leaves_no_problem(
    method: str, value: Any, arguments: tuple[Any, ...], expected: Any
) -> None:
    reading = JsonReader()
    assert getattr(reading, method)(value, "here", *arguments) == expected
    assert reading.problems == []


def test_after_a_hundred_problems_no_more_are_collected() -> None:
    reading = JsonReader()
    reading.numbers(list(range(5_000)), "here", (9_999,))
    assert len(reading.problems) == MOST_PROBLEMS


def test_a_problem_shows_a_huge_value_only_in_part() -> None:
    reading = JsonReader()
    reading.share([["x" * 10_000] * 100] * 100, "here")
    assert len(reading.problems[0]) < 500


@quick
@given(st.floats() | st.integers())
def test_no_number_is_moved_into_range(value: float) -> None:
    reading = JsonReader()
    if 0 <= value <= 1:
        assert reading.share(value, "here") == value
        assert reading.problems == []
    else:
        reading.share(value, "here")
        assert len(reading.problems) == 1


@quick
@given(st.text(st.characters(), max_size=60), st.integers(2, 40))
def test_cleaned_text_can_be_stored_and_stays_within_its_limit(text: str, limit: int) -> None:
    short = cleaned(text, limit)
    short.encode()
    assert len(short) <= limit
    assert "\0" not in short
    assert short == short.strip()
    assert cleaned(short, limit) == short


@quick
@given(st.text(max_size=30))
def test_the_id_of_an_entity_ignores_case_width_and_spacing(name: str) -> None:
    own = entity_id(name)
    assert entity_id(own) == own
    assert entity_id(f"  {name} ") == own
    assert own == own.strip()
