"""Turns, memories and replies for the tests of the learning prompt."""

from typing import Any

from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Vitality,
)

PLACE = Place("aiocqhttp:GroupMessage:1", "c1", "group/aiocqhttp/1/*")
ANNA = Speaker("10001", "Anna")
BOT = Speaker("bot", "Tide")


def turn(text: str, role: Role = Role.USER, speaker: Speaker | None = None, seq: int = 1) -> Turn:
    who = speaker or (BOT if role is Role.ASSISTANT else ANNA)
    return Turn(seq, "e1", PLACE, role, who, text, 1_750_000_000.0 + seq)


def memory(text: str, speaker: Speaker | None = ANNA) -> Memory:
    return Memory(
        id="m",
        scope=PLACE.scope,
        kind=Kind.SEMANTIC,
        text=text,
        summary=text,
        created_at=1_740_000_000.0,
        happened_at=1_740_000_000.0,
        vitality=Vitality(6),
        access=Access(0.0, 0.0),
        source=Source.USER,
        extractor=Extractor.MODEL,
        speaker=speaker,
    )


def item(**changes: Any) -> dict[str, Any]:
    return {
        "text": "Anna lives in Berlin.",
        "summary": "Anna's home",
        "turns": [1],
        "kind": "semantic",
        "facet": None,
        "importance": 0.7,
        "confidence": 0.9,
        "about": ["Anna"],
        "happened_at": None,
        "corrects": None,
        "updates": None,
        **changes,
    }


def reply(*items: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"summary": "About Berlin.", "memories": list(items), "useful": [], **changes}
