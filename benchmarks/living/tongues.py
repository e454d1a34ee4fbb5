"""New chats of a few messages, and single turns, in many languages.

`tongues_HAND.jsonl` and `turns_HAND.jsonl` of `benchmarks/data`, by two hands each. Whatever is
fitted on Chinese and English alone shows here what it is worth elsewhere, and in a chat that has
just begun.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...core.languages.registry import languages
from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.everyday import OWN
from ..datasets.reading import Complaints, json_lines
from .script import BEGINNING, DAY, PLATFORM, Idle, IdleTurn, Life, Line, Need, Part
from .sources import named

NEW_CHATS = ("tongues_a", "tongues_b")
"""The sets, each by a hand of its own."""

_BETWEEN = 300.0
"""Seconds from message to message of a day."""

_ASKED_AFTER = 14 * DAY


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn, and whether it needs to know something of whoever says it."""

    hand: str
    text: str
    needs: bool


def turns(complaints: Complaints) -> list[WrittenTurn]:
    """Those of all hands."""
    return [
        WrittenTurn(path.stem.removeprefix("turns_"), str(line["text"]), bool(line["needs"]))
        for path in sorted(OWN.glob("turns_*.jsonl"))
        for _, line in json_lines(path, complaints)
    ]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message, and whether it wishes that something is not kept."""

    hand: str
    text: str
    unkept: bool


def said(complaints: Complaints) -> list[Spoken]:
    """The wishes of all hands, and what is none."""
    return [
        Spoken(path.stem.removeprefix("wishes_"), str(line["text"]), bool(line["unkept"]))
        for path in sorted(OWN.glob("wishes_*.jsonl"))
        for _, line in json_lines(path, complaints)
    ]


def tongues(name: str, complaints: Complaints) -> tuple[list[Life], list[tuple[IdleTurn, ...]]]:
    """The lives of a set, and for each the turns that need nothing of it."""
    written = [line for _, line in json_lines(OWN / f"{name}.jsonl", complaints)]
    return [_life(name, each) for each in written], [_idle(each) for each in written]


def _life(source: str, written: Mapping[str, Any]) -> Life:
    name, language = str(written["id"]), str(written["language"])
    speaker = Speaker(f"tongue-{name}", "Ann")
    lines = tuple(
        Line(
            BEGINNING + said["day"] * DAY + place * _BETWEEN,
            speaker,
            said["text"],
            str(place),
            answer=said["answer"],
        )
        for place, said in enumerate(written["said"])
    )
    needs = tuple(
        Need(
            f"{name}:{place}",
            source,
            language,
            asked["text"],
            speaker,
            (Part(frozenset(map(str, asked["held"]))),),
        )
        for place, asked in enumerate(written["asked"])
    )
    known = {each.code for each in languages() if each.sample}
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, speaker.id)
    told = language if language in known else "en"
    return named(Life(f"tongue-{name}", told, scope, lines, needs, rest=_ASKED_AFTER))


def _idle(written: Mapping[str, Any]) -> tuple[IdleTurn, ...]:
    return tuple(IdleTurn(Idle.REMARK, text, str(written["language"])) for text in written["idle"])


def standing(complaints: Complaints) -> dict[bool, list[str]]:
    """Wishes how the bot is to answer from then on, and what asks for something once, or talks."""
    found: dict[bool, list[str]] = {True: [], False: []}
    for path in sorted(OWN.glob("standing_*.jsonl")):
        for _, line in json_lines(path, complaints):
            if line["sort"] != "fact":
                found[line["sort"] == "instruction"].append(str(line["text"]))
    return found
