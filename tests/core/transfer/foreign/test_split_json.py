"""A large document is read item by item, to the same value as in one go."""

import io
import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.transfer.foreign import split_json
from hypothesis import given
from hypothesis import strategies as st

SHORT = st.text(max_size=3)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | SHORT,
    lambda inner: st.lists(inner) | st.dictionaries(SHORT, inner),
    max_leaves=30,
)


@pytest.fixture(scope="module", autouse=True)
def everything_is_large() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_json, "SMALL", 48)
        yield


def read(value: Any) -> Any:
    """The value with what is read anew each time in it."""
    match value:
        case list():
            return [read(each) for each in value]
        case dict():
            return {name: read(value.get(name)) for name in value}
        case _:
            return value


@given(values, st.sampled_from([None, 1]), st.booleans())
def test_the_value_is_the_same(value: Any, indent: int | None, escaped: bool) -> None:
    text = f" {json.dumps(value, indent=indent, ensure_ascii=escaped)}\n"
    found = split_json.loads(text)
    assert read(found) == value
    assert read(found) == value, "however often it is gone through"
    if isinstance(found, dict):
        assert read({**found}) == value
    assert read(split_json.load(io.StringIO(text, newline=""))) == value


@pytest.mark.parametrize(
    "text", ["", "[", "[1,]", "[,1]", "[1 2]", '{"a"}', "{1: 2}", "[1] 2", "{", '"', '"\\', '"\n"']
)
def test_what_is_no_json_is_refused(text: str) -> None:
    for form in (text, text.ljust(100), text.replace("1", "1" * 100), text + "é" * 100):
        with pytest.raises(ValueError, match=r"Expecting|Invalid|Unterminated|Extra"):
            split_json.load(io.StringIO(form))


@pytest.mark.parametrize("wrapped", ['{"memories": [%s]}', "[%s]"])
def test_no_single_call_reads_much(wrapped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    item = json.dumps({"text": "x" * 30, "tags": ["a", "b"]})
    text, lengths = wrapped % ", ".join([item] * 500), list[int]()
    plain = split_json._decode

    def decode(text: str, at: int) -> tuple[Any, int]:
        value, end = plain(text, at)
        lengths.append(end - at)
        return value, end

    monkeypatch.setattr(split_json, "_decode", decode)
    found = read(split_json.loads(text))
    assert max(lengths) <= len(item)
    assert len(found if isinstance(found, list) else found["memories"]) == 500
