"""JSON that models wrote: what is found in a reply, and what of it is read."""

import sys
import time
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.prompts.reading import (
    ReadRecord,
    Share,
    Texts,
    Whole,
    cleaned,
    document_in,
    items_in,
)
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"a": 1} {"b": 2}', {"b": 2}),
        ('text {"x": {"b": 3}} text', {"x": {"b": 3}}["x"]),
        ("<think>{'b': 1}</think>{b: 2,}", {"b": 2}),
        ('<think>so {"b": 2}', {"b": 2}),
    ],
)
def test_the_first_object_with_the_wanted_property_is_taken(reply: str, found: Any) -> None:
    assert document_in(reply, ("b",)) == found


@pytest.mark.parametrize("reply", ["", "no", "[]", '{"a": 1}', "{" * 90_000, "7", '"b"'])
def test_a_reply_without_it_is_refused(reply: str) -> None:
    with pytest.raises(ReplyMalformed):
        document_in(reply, ("b",))


@pytest.mark.parametrize(
    ("reply", "items"),
    [
        ('{"facts": [{"fact": "a"}, {"fact": "b"}]}', [{"fact": "a"}, {"fact": "b"}]),
        ('{"facts": [{"fact": "a"}, {"fact": "b', [{"fact": "a"}]),
        ('{"facts": [{"fact": "a"}], "more": [1', [{"fact": "a"}]),
        ('{"facts": {"fact": "a"}}', [{"fact": "a"}]),
        ('{"facts": null}', []),
        ('[{"fact": "a"}, "b"]', [{"fact": "a"}, "b"]),
        ('{"fact": "a"}', [{"fact": "a"}]),
        ('{"facts": []} {"facts": [{"fact": "a"}]}', []),
    ],
)
def test_items_are_found_however_they_are_held(reply: str, items: list[Any]) -> None:
    assert items_in(reply, ("facts",), ("fact",)) == items


def test_without_the_library_sound_json_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "json_repair", None)
    assert items_in('{"facts": [{"fact": "a"}]}', ("facts",), ("fact",)) == [{"fact": "a"}]
    with pytest.raises(ReplyMalformed):
        items_in('{"facts": [{"fact": "a"},]', ("facts",), ("fact",))


@pytest.mark.parametrize("text", ["{" * 90_000, "[{" * 45_000, '{"b":' * 20_000, "{'" * 50_000])
def test_what_is_nested_without_end_costs_no_seconds(text: str) -> None:
    began = time.process_time()
    with pytest.raises(ReplyMalformed):
        document_in(text + "}" * 90_000, ("b",))
    assert time.process_time() - began < 3.0


def test_a_reply_that_ends_within_its_first_item_is_refused() -> None:
    with pytest.raises(ReplyMalformed):
        items_in('{"facts": [{"fact": "a', ("facts",), ("fact",))


class _Record(ReadRecord):
    share: Share = None
    whole: Whole = 0
    texts: Texts = ()


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"share": "0.4", "whole": "3", "texts": "a"}, (0.4, 3, ("a",))),
        ({"share": 1.2, "whole": True, "texts": [7, None]}, (None, 0, ("7", ""))),
        ({"share": "low", "whole": 1.5, "texts": None}, (None, 0, ())),
        ({"share": [], "whole": {}, "texts": {"a": 1}}, (None, 0, ("",))),
    ],
)
def test_each_field_is_read_alone(given: Any, read: Any) -> None:
    found = _Record.model_validate(given)
    assert (found.share, found.whole, found.texts) == read


@given(st.floats() | st.integers())
def test_no_number_is_moved_into_range(value: float) -> None:
    read = _Record.model_validate({"share": value}).share
    assert read == (value if 0 <= value <= 1 else None)


@given(st.text(st.characters(), max_size=60), st.integers(2, 40))
def test_cleaned_text_can_be_stored_and_stays_within_its_limit(text: str, limit: int) -> None:
    short = cleaned(text, limit)
    short.encode()
    assert len(short) <= limit
    assert "\0" not in short
    assert short == short.strip()
    assert cleaned(short, limit) == short


@given(st.text(max_size=30))
def test_the_id_of_an_entity_ignores_case_width_and_spacing(name: str) -> None:
    own = entity_id(name)
    assert entity_id(own) == own
    assert entity_id(f"  {name} ") == own
    assert own == own.strip()
