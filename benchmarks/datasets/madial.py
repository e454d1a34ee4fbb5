"""MADial-Bench: chats at a turn where a good companion would bring up something remembered.

He et al., "MADial-Bench: Towards Real-world Evaluation of Memory-Augmented Dialogue Generation"
(NAACL 2025). `memories.jsonl` and `dialogues.jsonl`; a dialogue is asked at its first test turn,
with all that was said before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ...core.model.memory import Access, Extractor, Kind, Memory, Mood, Sentiment, Source, Vitality
from .reading import Complaints, files, json_lines
from .world import PRESENT, Probe, Said, World

DAY = 86_400.0
HALF_DAY = 43_200.0

_LINE = re.compile(r'\s*<([^>]*)>\s*[:：]?\s*["“]?(.*?)["”]?\s*', re.DOTALL)
_ASSISTANT = "Assistant"
_MOODS = {
    Mood.POSITIVE: "开心 兴奋 期待 快乐 高兴 喜悦 满足 自豪 感动 happy excited joy proud".split(),
    Mood.NEGATIVE: (
        "焦虑 失望 悲伤 愤怒 害怕 挫败 难过 生气 伤心 孤独 恐惧 anxious sad angry afraid".split()
    ),
}


def read(folder: Path, complaints: Complaints) -> list[World]:
    """One world per user. Raises NoData without both files."""
    (remembered,) = files(folder, "memories.jsonl")
    (dialogues,) = files(folder, "dialogues.jsonl")
    told = list(_memories(remembered, complaints))
    asked = list(_probes(dialogues, {m.id for m in told}, complaints))
    return [
        _world(
            scope,
            [memory for memory in told if memory.scope == scope.key],
            [probe for owner, probe in asked if owner == scope],
        )
        for scope in sorted({owner for owner, _ in asked}, key=lambda scope: scope.subject)
    ]


def memory_of(label: str, text: str, scope: Scope, at: float, feeling: str = "") -> Memory:
    """A fact as extraction would have stored it."""
    return Memory(
        id=label,
        scope=scope.key,
        kind=Kind.SEMANTIC,
        text=text,
        summary="",
        created_at=at,
        happened_at=at,
        vitality=Vitality(6),
        access=Access(at, at),
        source=Source.USER,
        extractor=Extractor.MODEL,
        sentiment=_sentiment(feeling),
    )


def _world(scope: Scope, memories: list[Memory], probes: list[Probe]) -> World:
    now = max((memory.created_at for memory in memories), default=PRESENT - DAY) + DAY
    return World(scope.subject, scope, now, (), tuple(memories), tuple(probes))


def _scope(user: object) -> Scope:
    return Scope(ScopeKind.PRIVATE, "madial", str(user))


def _memories(path: Path, complaints: Complaints) -> Iterator[Memory]:
    for where, line in json_lines(path, complaints):
        try:
            ((label, told),) = line.items()
            at = datetime.fromisoformat(told["time"]).replace(tzinfo=UTC).timestamp() + HALF_DAY
            scope = _scope(told["user-id"])
            yield memory_of(f"m{label}", told["event"], scope, at, told.get("emotion", ""))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            complaints.add(where, repr(error))


def _sentiment(feeling: str) -> Sentiment:
    mood = next((mood for mood, words in _MOODS.items() if feeling in words), Mood.NEUTRAL)
    return Sentiment(mood, 0.0 if mood is Mood.NEUTRAL else 0.6)


def _probes(
    path: Path, known: Iterable[str], complaints: Complaints
) -> Iterator[tuple[Scope, Probe]]:
    for where, line in json_lines(path, complaints):
        try:
            gold = frozenset(f"m{number}" for number in line["relevant-id"])
            before, answer = said_before(line), _answer(line)
            scope = _scope(line["user-id"])
        except (IndexError, KeyError, TypeError, ValueError) as error:
            complaints.add(where, repr(error))
            continue
        if unknown := gold.difference(known):
            complaints.add(where, f"wants unknown memories {sorted(unknown)}")
        if gold := gold.intersection(known):
            category = "one" if len(gold) == 1 else "several"
            yield scope, Probe(before[-1].text, gold, category, before, answer=answer)


def said_before(dialogue: Mapping[str, Any]) -> tuple[Said, ...]:
    """What was said before the first test turn, the user's last turn at the end.

    Raises IndexError, KeyError, TypeError or ValueError where the dialogue is of another form.
    """
    (first, *_) = sorted(int(index) for index in dialogue["test-turn"])
    said = [
        Said(Speaker(name, name), text, PRESENT, role=_role(name))
        for line in dialogue["dialogue"][:first]
        if (match := _LINE.fullmatch(line)) and (name := match[1]) and (text := match[2])
    ]
    while said[-1].role is Role.ASSISTANT:
        said.pop()
    return tuple(said)


def _answer(dialogue: Mapping[str, Any]) -> str:
    """What the companion says at the first test turn."""
    first = min(int(index) for index in dialogue["test-turn"])
    match = _LINE.fullmatch(dialogue["dialogue"][first])
    return match[2] if match is not None else ""


def _role(name: str) -> Role:
    return Role.ASSISTANT if name == _ASSISTANT else Role.USER
