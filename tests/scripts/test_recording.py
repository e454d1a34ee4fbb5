"""Recordings: what the file format means, and how every error in one is named."""

import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts.recording import RecordingMalformed, parse, plan
from hypothesis import given
from hypothesis import strategies as st

ANNA, BEN, BOT = "u1", "u2", "r1"


def message(sender: str, text: str, time: str = "2025-06-26T08:00:00Z") -> dict[str, Any]:
    return {"message_id": "m", "create_time": time, "sender": sender, "content": text}


def document(*messages: dict[str, Any], people: tuple[str, ...] = (ANNA,)) -> dict[str, Any]:
    details = {user: {"full_name": user.upper(), "role": "user"} for user in people}
    details[BOT] = {"full_name": "小潮", "role": "assistant"}
    meta = {"name": "talk", "user_details": details}
    return {"version": "1.0.0", "session_meta": meta, "conversation_list": list(messages)}


def problems(value: object) -> tuple[str, ...]:
    with pytest.raises(RecordingMalformed) as refused:
        parse(value)
    return refused.value.problems


def steps(value: object, ask_every: int = 0) -> list[tuple[str, bool, str | None]]:
    return [
        (step.message.text, step.addressed, step.reply)
        for step in plan(parse(value), ask_every=ask_every)
    ]


def test_people_are_played_in_order_and_bots_reply_to_them() -> None:
    assert parse(document(message(ANNA, "hi"))).private
    assert not parse(document(message(ANNA, "hi"), people=(ANNA, BEN))).private
    recording = parse(document(message(ANNA, "hi"), people=(ANNA, BEN)))
    assert [member.number for member in recording.members] == [1001, 1002, 0]
    assert [member.name for member in recording.humans] == ["U1", "U2"]
    later = message(ANNA, "later", "2025-06-26T10:00:00+02:00")
    earlier = message(ANNA, "earlier", "2025-06-26T07:59:59Z")
    assert [text for text, *_ in steps(document(later, earlier))] == ["earlier", "later"]
    value = document(message(ANNA, "hi", "2025-06-26T08:00:00"))
    value["session_meta"]["default_timezone"] = "Asia/Shanghai"
    (only,) = parse(value).messages
    assert datetime.fromtimestamp(only.at, UTC).hour == 0
    said = ((BOT, "welcome"), (ANNA, "a"), (ANNA, "b"), (BOT, "one"), (BOT, "two"), (ANNA, "c"))
    value = document(*(message(*each) for each in said))
    assert steps(value) == [("a", True, None), ("b", True, "one\ntwo"), ("c", True, None)]


def test_in_a_group_the_bot_is_spoken_to_where_it_answered_and_where_it_is_asked_by_name() -> None:
    said = ((ANNA, "chatter"), (BEN, "小潮，周五有空吗？"), (ANNA, "小潮 is nice"))
    said += ((BEN, "and you"), (BOT, "recorded"))
    value = document(*(message(*each) for each in said), people=(ANNA, BEN))
    assert steps(value) == [
        ("chatter", False, None),
        ("小潮，周五有空吗？", True, None),
        ("小潮 is nice", False, None),
        ("and you", True, "recorded"),
    ]


def test_every_problem_is_named_with_its_place() -> None:
    value = document(
        message(ANNA, "fine"), message("u9", "hi"), message(ANNA, " "), message(ANNA, "x", "noon")
    )
    assert problems(value) == (
        "conversation_list[1].sender must be in user_details, not 'u9'",
        "conversation_list[2].content must be text",
        "conversation_list[3].create_time must be an ISO date and time, not 'noon'",
    )


JUNK = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({})


@given(data=st.data())
def test_any_damage_is_either_harmless_or_refused(data: st.DataObject) -> None:
    value = copy.deepcopy(document(message(ANNA, "a"), message(BOT, "b"), message(ANNA, "c")))
    places: list[tuple[Any, Any]] = [(value, key) for key in value]
    places += [(value["session_meta"], key) for key in value["session_meta"]]
    places += [(entry, key) for entry in value["conversation_list"] for key in entry]
    holder, key = data.draw(st.sampled_from(places))
    holder[key] = data.draw(JUNK)
    try:
        recording = parse(value)
    except RecordingMalformed:
        return
    assert len(plan(recording, ask_every=1)) in (1, 2)
