"""The small call about what was known: notes by letter, and an answer that is not believed."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.prompts.verdict import NoteVerdicts, build, letter, parse

from .examples import memory, turn

NOTES = {n: memory(f"Anna's boat no. {n}") for n in (1, 2, 3, 28)}
SHOWN = frozenset({1, 2, 3})


def parsed(**named: Any) -> NoteVerdicts:
    return parse(json.dumps(named), NOTES, SHOWN)


def test_notes_have_letters_and_the_conversation_its_lines() -> None:
    prompt = build(
        [turn("I sold it"), turn("Oh", Role.ASSISTANT, seq=2)],
        NOTES,
        shown_time=lambda _: "2025-06-24",
        language="en",
    )
    assert prompt.user.splitlines() == [
        "Notes:",
        "A. (2025-06-24) Anna's boat no. 1",
        "B. (2025-06-24) Anna's boat no. 2",
        "C. (2025-06-24) Anna's boat no. 3",
        "AB. (2025-06-24) Anna's boat no. 28",
        "",
        "Conversation:",
        "[2025-06-24 Tue] Anna: I sold it",
        "(bot: Oh)",
    ]
    assert prompt.schema["properties"]["used"]["items"]["enum"] == ["A", "B", "C", "AB"]


def test_what_is_named_by_its_letter_counts_unless_it_is_all_at_once() -> None:
    assert [letter(n) for n in (1, 26, 27, 52, 53, 703)] == ["A", "Z", "AA", "AZ", "BA", "AAA"]
    found = parsed(used=["a", "B."], done="C", dropped=["AB"], changed=["[A]"], wrong=["B"])
    assert found == NoteVerdicts(
        frozenset({1, 2}), frozenset({3}), frozenset({28}), frozenset({1}), frozenset({2})
    )
    assert parsed(used=[]).used == frozenset()
    assert parsed(done=[]).used is None
    every = {name: ["A"] for name in ("done", "dropped", "changed", "wrong", "again")}
    assert parsed(used=[], **every) == NoteVerdicts(frozenset())
    assert parsed(used=[], **every | {"done": ["A", "B"]}).done == frozenset({2})
    assert parsed(used=[], changed=["A"], wrong=["A"]).wrong == frozenset({1})


@pytest.mark.parametrize(
    "used", [["A", "B", "C"], ["AB"], ["A", "X"], ["all"], "all", [1], ["A", None]]
)
def test_who_names_all_or_what_was_not_there_has_told_nothing(used: Any) -> None:
    assert parsed(used=used, done=["C"]) == NoteVerdicts(None, frozenset({3}))


@pytest.mark.parametrize("reply", ["", "A and B", "[]", '{"letters": ["A"]}'])
def test_a_reply_without_a_verdict_is_refused(reply: str) -> None:
    with pytest.raises(ReplyMalformed):
        parse(reply, NOTES, SHOWN)
