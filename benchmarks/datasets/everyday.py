"""Everyday turns and changes told in chat, written for these benchmarks by two hands.

`everyday_HAND.jsonl` and `changes_HAND.jsonl` of `benchmarks/data`. Neither hand saw the other's
forms; nothing is fitted on hand b.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role
from ..living.script import Earlier, Idle, IdleTurn
from .reading import Complaints, json_lines

OWN = Path(__file__).resolve().parent.parent / "data"


@dataclass(frozen=True, slots=True)
class Told:
    """One statement of a change, so many days before it is asked about."""

    days_ago: float
    text: str
    value: str
    current: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that changed as it was told, and questions after it.

    `current` are strings that a right line holds, `stale` those that only an outdated one does.
    `listed`: the rules know its form.
    """

    id: str
    hand: str
    language: str
    slot: str
    told: tuple[Told, ...]
    ask_now: tuple[str, ...]
    ask_past: tuple[str, ...]
    current: tuple[str, ...]
    stale: tuple[str, ...]
    listed: bool


def everyday(complaints: Complaints, folder: Path = OWN) -> list[IdleTurn]:
    """Every turn of every hand, which needs no memory; none where there is no file."""
    return [
        turn
        for hand, where, line in _lines(folder, "everyday", complaints)
        if (turn := _tried(_everyday, hand, where, line, complaints)) is not None
    ]


def changes(complaints: Complaints, folder: Path = OWN) -> list[Change]:
    """Every change of every hand; none where there is no file."""
    return [
        change
        for hand, where, line in _lines(folder, "changes", complaints)
        if (change := _tried(_change, hand, where, line, complaints)) is not None
    ]


def _lines(folder: Path, kind: str, complaints: Complaints) -> Iterator[tuple[str, str, Any]]:
    for path in sorted(folder.glob(f"{kind}_*.jsonl")):
        hand = path.stem.removeprefix(f"{kind}_")
        for where, line in json_lines(path, complaints):
            yield hand, where, line


def _tried[T](
    make: Callable[[str, Any], T], hand: str, where: str, line: Any, complaints: Complaints
) -> T | None:
    try:
        return make(hand, line)
    except (KeyError, TypeError, ValueError) as error:
        complaints.add(where, repr(error))
        return None


def _everyday(hand: str, line: Mapping[str, Any]) -> IdleTurn:
    before = tuple(_earlier(each) for each in line.get("before") or ())
    return IdleTurn(Idle(line["class"]), str(line["text"]), str(line["language"]), hand, before)


def _earlier(turn: Mapping[str, Any]) -> Earlier:
    return Earlier({"user": Role.USER, "bot": Role.ASSISTANT}[turn["role"]], str(turn["text"]))


def _change(hand: str, line: Mapping[str, Any]) -> Change:
    told = [
        Told(float(each["days_ago"]), str(each["text"]), str(each["value"]), _current(each))
        for each in line["said"]
    ]
    return Change(
        id=str(line["id"]),
        hand=hand,
        language=str(line["language"]),
        slot=str(line["slot"]),
        told=tuple(sorted(told, key=lambda each: -each.days_ago)),
        ask_now=_texts(line["ask_now"]),
        ask_past=_texts(line["ask_past"]),
        current=_texts(line["current"]),
        stale=_texts(line["stale"]),
        listed=bool(line["listed"]),
    )


def _current(told: Mapping[str, Any]) -> bool:
    return {"current": True, "old": False}[told["state"]]


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"not a list: {value!r:.40}")
    return tuple(map(str, value))
