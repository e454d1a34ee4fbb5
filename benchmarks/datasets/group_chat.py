"""A long private chat and a group chat with senders and times: `*_chat_zh.json`.

EverMind-AI/EverMemOS (demo data). A chat with a sender of the type "assistant" is private.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role, Speaker
from .reading import Complaints, NoData, files, json_value
from .world import Said


@dataclass(frozen=True, slots=True)
class Chat:
    """One conversation, oldest turn first."""

    name: str
    private: bool
    turns: tuple[Said, ...]


def read(folder: Path, complaints: Complaints) -> list[Chat]:
    """Every chat of the folder. Raises NoData if there is none."""
    chats = [
        chat
        for path in files(folder, "*_chat_zh.json")
        if (chat := _chat(path, complaints)) is not None
    ]
    if not chats:
        raise NoData(f"{folder} has no chat: {'; '.join(complaints.found)}")
    return chats


def _chat(path: Path, complaints: Complaints) -> Chat | None:
    value = json_value(path, complaints)
    try:
        meta, messages = value["session_meta"], value["conversation_list"]
        bots = {
            sender
            for sender, about in meta["user_details"].items()
            if about["extra"].get("type") == "assistant"
        }
        turns = sorted(_turns(path.name, messages, bots, complaints), key=lambda said: said.at)
    except (AttributeError, KeyError, TypeError) as error:
        complaints.add(path.name, repr(error))
        return None
    if not turns:
        complaints.add(path.name, "no turns")
        return None
    return Chat(path.name.removesuffix("_chat_zh.json"), bool(bots), tuple(turns))


def _turns(
    file: str, messages: list[Mapping[str, Any]], bots: set[str], complaints: Complaints
) -> Iterator[Said]:
    for index, message in enumerate(messages):
        try:
            sender = str(message["sender"])
            bot = sender in bots
            yield Said(
                speaker=Speaker("bot", "") if bot else Speaker(sender, message["sender_name"]),
                text=str(message["content"]),
                at=datetime.fromisoformat(message["create_time"]).timestamp(),
                label=str(message["message_id"]),
                role=Role.ASSISTANT if bot else Role.USER,
            )
        except (KeyError, TypeError, ValueError) as error:
            complaints.add(f"{file}[{index}]", repr(error))
