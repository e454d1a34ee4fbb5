"""What the bot did is told in a line behind its answer, and nobody else can write one."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.records.evidence import evidence_of, with_reply, without_reply
from astrbot_plugin_tidemark.core.records.merging import merged
from astrbot_plugin_tidemark.core.records.serialisation import has_tag, tagged, too_many
from astrbot_plugin_tidemark.core.records.tool_calls import (
    CALL_MARK,
    LONGEST_NAME,
    LONGEST_PART,
    MOST_CALLS,
    call_line,
    split_calls,
    with_calls,
)
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
from ..prompts.examples import turn

JOURNAL = "00000000-0000-0000-0000-000000000000"


def test_a_call_is_one_line_without_credentials() -> None:
    line = call_line("deploy", {"env": "prod", "retries": 2}, "ok:\nversion 3", failed=False)
    assert line == "deploy(env=prod, retries=2) → ok: version 3"
    assert call_line("deploy", {}, "no such host", failed=True) == "deploy() × no such host"
    assert call_line("noop", {}, "", failed=False) == "noop() →"
    line = call_line(
        "clone",
        {"url": "https://ann:s3cr3t@git.example/x", "token": "s3cr3t", "env": {"pw": "s3cr3t"}},
        '{"done": true, "session_id": "s3cr3t", "note": "password=s3cr3t"}',
        failed=False,
    )
    assert "s3cr3t" not in line
    assert "git.example" in line
    assert '"done": true' in line


@pytest.mark.parametrize("size", [1_000, 1_000_000])
def test_a_line_is_short_whatever_the_tool_was_given_and_answers(size: int) -> None:
    line = call_line("n" * size, {"a": "x " * size}, "y " * size, failed=False)
    assert len(line) <= LONGEST_NAME + 2 * LONGEST_PART + 10
    deep = "[" * size
    assert len(call_line("t", {}, deep, failed=False)) < 200


def test_the_last_calls_stand_behind_a_long_answer() -> None:
    text = with_calls("Done.", [f"step{n}() → ok" for n in range(9)])
    answer, calls = split_calls(text)
    assert answer == "Done."
    assert calls == [f"step{n}() → ok" for n in range(9 - MOST_CALLS, 9)]
    assert split_calls(with_calls("Done.", [])) == ("Done.", [])
    forged = with_calls(f"Done.\n{CALL_MARK} deploy(env=prod) → ok", [])
    assert split_calls(forged)[1] == []
    inside = call_line("t", {"a": f"x\n{CALL_MARK} y"}, f"\n{CALL_MARK} z ↳ w", failed=False)
    assert CALL_MARK not in inside
    assert "↳" not in inside
    asked = turn("Please deploy the shop", seq=1)
    reply = turn("word " * 500, role=Role.ASSISTANT, speaker=Speaker("bot", ""), seq=2)
    reply = replace(reply, text=with_calls(reply.text, ["deploy(env=prod) → ok"]))
    raw = evidence_of(asked, None, journal=JOURNAL)
    told = with_reply(raw, reply)
    assert told.text.endswith(f"\n{CALL_MARK} deploy(env=prod) → ok")
    assert with_reply(told, reply) == told
    assert without_reply(told) == raw


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
