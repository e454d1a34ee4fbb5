"""MADial-Bench: chats at a turn where a good companion would bring up something remembered.

He et al., "MADial-Bench: Towards Real-world Evaluation of Memory-Augmented Dialogue Generation"
(NAACL 2025). `memories.jsonl` and `dialogues.jsonl`; a dialogue is asked at its first test turn,
with all that was said before. As a life the facts about somebody are told by them in the first
person on the day of the fact.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ..living.script import BEGINNING, PLATFORM, Earlier, Life, Line, Need, Part, Recorded
from .reading import Complaints, files, json_lines

HALF_DAY = 43_200.0

_LINE = re.compile(r'\s*<([^>]*)>\s*[:：]?\s*["“]?(.*?)["”]?\s*', re.DOTALL)
_ASSISTANT = "Assistant"


@dataclass(frozen=True, slots=True)
class _Fact:
    label: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class _Dialogue:
    """`before` are names and texts, the user's last turn at the end."""

    gold: frozenset[str]
    before: tuple[tuple[str, str], ...]
    answer: str


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life per user. Raises NoData without both files."""
    (remembered,) = files(folder, "memories.jsonl")
    (dialogues,) = files(folder, "dialogues.jsonl")
    told, asked = _facts(remembered, complaints), defaultdict[str, list[_Dialogue]](list)
    known = frozenset(fact.label for own in told.values() for fact in own)
    for user, dialogue in _dialogues(dialogues, known, complaints):
        asked[user].append(dialogue)
    return [_life(user, told[user], asked[user]) for user in sorted(asked)]


def _facts(path: Path, complaints: Complaints) -> dict[str, list[_Fact]]:
    found: dict[str, list[_Fact]] = defaultdict(list)
    for where, line in json_lines(path, complaints):
        try:
            ((label, told),) = line.items()
            at = datetime.fromisoformat(told["time"]).replace(tzinfo=UTC).timestamp() + HALF_DAY
            found[str(told["user-id"])].append(_Fact(f"m{label}", told["event"], at))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            complaints.add(where, repr(error))
    return found


def _dialogues(
    path: Path, known: frozenset[str], complaints: Complaints
) -> Iterator[tuple[str, _Dialogue]]:
    for where, line in json_lines(path, complaints):
        try:
            gold = frozenset(f"m{number}" for number in line["relevant-id"])
            before, answer = _before(line)
            user = str(line["user-id"])
        except (IndexError, KeyError, TypeError, ValueError) as error:
            complaints.add(where, repr(error))
            continue
        if unknown := gold.difference(known):
            complaints.add(where, f"wants unknown memories {sorted(unknown)}")
        if gold := gold & known:
            yield user, _Dialogue(gold, before, answer)


def _before(dialogue: Mapping[str, Any]) -> tuple[tuple[tuple[str, str], ...], str]:
    """What was said before the first test turn, and what the companion says at it.

    Raises IndexError, KeyError, TypeError or ValueError where the dialogue is of another form.
    """
    first = min(int(index) for index in dialogue["test-turn"])
    matches = (_LINE.fullmatch(line) for line in dialogue["dialogue"][:first])
    said = [(each[1], each[2]) for each in matches if each and each[1] and each[2]]
    while said[-1][0] == _ASSISTANT:
        said.pop()
    answer = _LINE.fullmatch(dialogue["dialogue"][first])
    return tuple(said), "" if answer is None else answer[2]


def _life(user: str, facts: list[_Fact], asked: list[_Dialogue]) -> Life:
    name = next(name for name, _ in asked[0].before if name != _ASSISTANT)
    speaker = Speaker(name, name)
    told = sorted((fact for fact in facts if fact.at >= BEGINNING), key=lambda fact: fact.at)
    lines = [
        # Several facts of one day are not one conversation.
        Line(fact.at + 7_200 * (number % 5), speaker, fact.text.replace(name, "我"), fact.label)
        for number, fact in enumerate(told)
    ]
    known = {line.label for line in lines}
    needs = [
        Need(
            f"madial{user}:{number}",
            "madial",
            "one" if len(each.gold) == 1 else "several",
            each.before[-1][1],
            speaker,
            tuple(Part(frozenset({label})) for label in sorted(each.gold & known)),
            tuple(Earlier(_role(who), text) for who, text in each.before[:-1]),
            each.answer,
        )
        for number, each in enumerate(asked)
        if each.gold & known
    ]
    recorded = tuple(Recorded(fact.text, frozenset({fact.label})) for fact in told)
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, name)
    lines.sort(key=lambda line: line.at)
    return Life(name, "zh", scope, tuple(lines), tuple(needs), recorded=recorded)


def _role(name: str) -> Role:
    return Role.ASSISTANT if name == _ASSISTANT else Role.USER
