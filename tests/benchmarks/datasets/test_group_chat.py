"""Chats with senders and times: who is the bot decides whether a chat is private."""

from astrbot_plugin_tidemark.benchmarks.datasets import group_chat
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.core.model.conversation import Role

from .conftest import Write


def chat(*messages: object, robot: bool) -> dict[str, object]:
    users = {"u1": {"extra": {}}, "r1": {"extra": {"type": "assistant"} if robot else {}}}
    return {"session_meta": {"user_details": users}, "conversation_list": list(messages)}


def message(number: int, sender: str, minute: int) -> dict[str, object]:
    return {
        "message_id": f"m{number}",
        "create_time": f"2025-02-01T02:{minute:02}:00Z",
        "sender": sender,
        "sender_name": sender.upper(),
        "content": f"text {number}",
    }


def test_a_chat_with_the_assistant_is_private_and_in_the_order_of_its_times(
    write: Write, complaints: Complaints
) -> None:
    folder = write("solo_chat_zh.json", chat(message(2, "r1", 5), message(1, "u1", 1), robot=True))
    (found,) = group_chat.read(folder, complaints)
    assert (found.name, found.private) == ("solo", True)
    assert [(said.label, said.role) for said in found.turns] == [
        ("m1", Role.USER),
        ("m2", Role.ASSISTANT),
    ]


def test_a_chat_of_people_alone_is_a_group(write: Write, complaints: Complaints) -> None:
    folder = write("team_chat_zh.json", chat(message(1, "u1", 1), message(2, "r1", 2), robot=False))
    (found,) = group_chat.read(folder, complaints)
    assert not found.private
    assert [said.speaker.name for said in found.turns] == ["U1", "R1"]
