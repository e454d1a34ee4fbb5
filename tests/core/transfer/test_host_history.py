"""What the host has stored of earlier chats, read as turns."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.recall.block import OPENING
from astrbot_plugin_tidemark.core.transfer.host_history import (
    SUMMARY,
    StoredChat,
    StoredTurn,
    turn_of_row,
    turns_of_chat,
)


def chat(*messages: Any) -> StoredChat:
    return StoredChat("qq:FriendMessage:901", "c1", None, 1_000.0, 5_000.0, messages)


def user(*texts: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def bot(text: str | None, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def said(*messages: Any) -> list[tuple[Role, str]]:
    return [(turn.role, turn.text) for turn in turns_of_chat(chat(*messages))]


def test_words_of_both_sides_are_read_in_order_between_the_ends_of_the_conversation() -> None:
    turns = turns_of_chat(chat({"role": "user", "content": "hi"}, bot("hello"), user("bye")))
    assert [turn.text for turn in turns] == ["hi", "hello", "bye"]
    assert [turn.role for turn in turns] == [Role.USER, Role.ASSISTANT, Role.USER]
    times = [turn.at for turn in turns]
    assert times == sorted(times)
    assert 1_000 < times[0] < times[-1] < 5_000


def test_what_nobody_said_is_left_out() -> None:
    assert said(
        {"role": "system", "content": "You are a cat"},
        user(f"{SUMMARY} they spoke of boats"),
        bot("Acknowledged the summary."),
        user(
            "Where is my boat?",
            "<system_reminder>Current datetime: 2026-01-02 03:04 (UTC)</system_reminder>",
            f"{OPENING}\n[1] a memory",
        ),
        bot(None, tool_calls=[{"function": {"name": "f"}}]),
        {"role": "tool", "content": "result"},
        {"role": "_checkpoint", "content": {"id": 1}},
        bot("In the harbour."),
        user("<attachment>"),
    ) == [(Role.USER, "Where is my boat?"), (Role.ASSISTANT, "In the harbour.")]


def test_rows_keep_their_keys_speakers_and_times() -> None:
    note = "<system_reminder>User ID: 901, Nickname: Ann B.\nGroup name: x</system_reminder>"
    (turn,) = turns_of_chat(chat(user("hi", note)))
    assert (turn.speaker, turn.name) == ("901", "Ann B.")
    whole = turns_of_chat(chat(user("one"), bot("two"), user("three")))
    later = turns_of_chat(chat(user(f"{SUMMARY} one"), bot("ok"), user("three")))
    assert whole[2].key == later[0].key
    assert len({turn.key for turn in whole}) == 3
    parts = [{"type": "at", "user_id": "1"}, {"type": "plain", "text": " see you at noon"}]
    turn = turn_of_row(7, {"type": "user", "message": parts}, "902", "Ben", 12.0)
    assert turn == StoredTurn("row:7", Role.BYSTANDER, "see you at noon", 12.0, "902", "Ben")
    assert turn_of_row(8, {"type": "user", "message": []}, "902", "Ben", 12.0) is None
    assert turn_of_row(9, "text", "902", "Ben", 12.0) is None


@pytest.mark.parametrize(
    "message",
    [
        None,
        7,
        "text",
        [],
        {},
        {"role": "user"},
        {"role": "user", "content": 5},
        {"role": 1},
        {"role": "user", "content": [None, {"text": 3}, "x"]},
        user("\x00", " "),
    ],
)
def test_what_is_no_message_is_passed_over(message: Any) -> None:
    assert said(message, user("hi"))[-1] == (Role.USER, "hi")
