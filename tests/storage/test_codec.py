"""Memories as JSON."""

import json

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.storage.codec import decode, encode, encode_body
from hypothesis import example, given
from hypothesis import strategies as st

from .memories import memory, populations

any_text = st.text(st.characters(exclude_categories=()), max_size=30)


@example([], "half of a pair: \ud83d")
@given(populations, any_text)
def test_any_memory_comes_back(population: list[Memory], text: str) -> None:
    for one in [*population, memory("odd", text, cues=(text,))]:
        assert decode(encode(one)) == one


@given(any_text)
def test_the_document_is_always_valid_utf8(text: str) -> None:
    assert json.loads(encode(memory("a", text)).decode("utf-8"))["text"] == text


def test_defaults_are_left_out() -> None:
    assert set(json.loads(encode_body(memory("a", "tea")))) == {
        "text",
        "summary",
        "happened_at",
        "vitality",
        "access",
        "source",
        "extractor",
    }


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b"5", b"{}", b'{"id": "a"}', b"\xff\xfe"])
def test_anything_else_is_refused(document: bytes) -> None:
    with pytest.raises(StorageError, match="stored memory"):
        decode(document)
