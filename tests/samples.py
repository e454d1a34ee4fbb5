"""Memories and turns with everything filled in that a test does not care about."""

from dataclasses import replace
from typing import Any

from astrbot_plugin_tidemark.core.model.conversation import (
    Place,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    Turn,
)
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Vitality,
)

DAY = 86_400.0
ANN = Speaker("901", "Ann")
BEN = Speaker("902", "Ben")
BOT = Speaker("bot", "")
ANNS = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
BENS = replace(ANNS, subject="902")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
HERE = Place("qq:FriendMessage:901", "c1", ANNS.key)


def memory(text: str = "Ann keeps bees", **changes: Any) -> Memory:
    """A live semantic memory of Ann's, strength 4, created at time 0."""
    sample = Memory(
        id="m1",
        scope=ANNS.key,
        kind=Kind.SEMANTIC,
        text=text,
        summary="",
        created_at=0.0,
        happened_at=0.0,
        vitality=Vitality(4),
        access=Access(0.0, 0.0),
        source=Source.USER,
        extractor=Extractor.MODEL,
    )
    return replace(sample, **changes)


def turn(seq: int, text: str, role: Role = Role.USER, **changes: Any) -> Turn:
    """A turn of episode "e1", said one second after the one before."""
    speaker = BOT if role is Role.ASSISTANT else ANN
    return replace(Turn(seq, "e1", HERE, role, speaker, text, float(seq)), **changes)
