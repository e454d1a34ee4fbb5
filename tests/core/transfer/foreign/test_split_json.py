"""A large document is read item by item, to the same value as in one go."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.transfer.foreign import split_json
from hypothesis import given
from hypothesis import strategies as st

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@pytest.fixture(scope="module", autouse=True)
def everything_is_large() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_json, "SMALL", 0)
        yield


@given(values, st.sampled_from([None, 1]))
def test_the_value_is_the_same(value: Any, indent: int | None) -> None:
    assert split_json.loads(f" {json.dumps(value, indent=indent)}\n") == value


@pytest.mark.parametrize(
    "text", ["", "[", "[1,]", "[,1]", "[1 2]", '{"a"}', "{1: 2}", "[1] 2", "{"]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|no [,:] at|more than one|no text"):
        split_json.loads(text)


@pytest.mark.parametrize("wrapped", ['{"data": {"memories": [%s]}}', "[%s]", '{"memories": [%s]}'])
def test_no_single_call_reads_more_than_an_item(
    wrapped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = json.dumps({"text": "x" * 200, "tags": ["a", "b"]})
    text, read = wrapped % ", ".join([item] * 500), list[int]()
    plain = split_json._decode

    def decode(text: str, at: int) -> tuple[Any, int]:
        value, end = plain(text, at)
        read.append(end - at)
        return value, end

    monkeypatch.setattr(split_json, "_decode", decode)
    split_json.loads(text)
    assert max(read) <= len(item)
