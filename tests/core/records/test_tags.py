"""Tags: short, few, one whatever their case and script."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.records.merging import merged
from astrbot_plugin_tidemark.core.records.serialisation import has_tag, tagged, too_many
from astrbot_plugin_tidemark.core.text.quoting import (
    LONGEST_TAG,
    MOST_TAGS,
    tag_key,
    tag_of,
    tags_of,
)
from hypothesis import given
from hypothesis import strategies as st

from ...storage.memories import memory


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("#Travel", "travel"),
        ("  旅行， ", "旅行"),
        ("Ｗｏｒｋ", "work"),
        ("new\n york", "new york"),
        ("x" * LONGEST_TAG, "x" * LONGEST_TAG),
        ("x" * (LONGEST_TAG + 1), ""),
        ("x" * 10_000, ""),
        (" " * 10_000 + "x", ""),
        ("###", ""),
        ("", ""),
        ("a\u202eb", ""),
        ("a\0b", "a b"),
    ],
)
def test_a_tag_is_a_short_word_in_lower_case(text: str, tag: str) -> None:
    assert tag_of(text) == tag


@given(st.text(max_size=60))
def test_a_tag_of_a_tag_is_itself(text: str) -> None:
    assert tag_of(tag_of(text)) == tag_of(text)


@given(st.lists(st.text(max_size=50), max_size=40))
def test_tags_are_few_different_and_stay_as_they_are(texts: list[str]) -> None:
    tags = tags_of(texts)
    assert len(tags) <= MOST_TAGS
    assert len({tag_key(tag) for tag in tags}) == len(tags)
    assert tags_of(tags) == tags


def test_tags_are_given_taken_and_merged_one_in_both_scripts_and_cases() -> None:
    one = replace(memory("a"), tags=("bees", "遊戲"))
    assert tagged(one, ["Honey"], ["游戏"]).tags == ("bees", "honey")
    assert tagged(one, ["BEES"], ["absent"]) == one
    full = replace(one, tags=tuple(f"t{n}" for n in range(MOST_TAGS)))
    assert too_many(full, ["one"], [])
    assert not too_many(full, ["one", "T2"], ["t1"])
    assert tags_of(["遊戲", "游戏", "Go", "GO"]) == ("遊戲", "go")
    assert has_tag(replace(memory("a"), tags=("遊戲",)), "游戏")
    one, two = (replace(memory(id, "bees"), tags=(id, "both")) for id in ("a", "b"))
    assert set(merged([one, two], "m").tags) == {"a", "b", "both"}
