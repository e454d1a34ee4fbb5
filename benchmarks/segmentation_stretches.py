"""Stretches of talk whose turn to another topic is known, from data sets told in sessions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

from ..core.model.conversation import Place, Role, Speaker, Turn
from .datasets.reading import Complaints
from .living.script import Life, Line
from .living.sources import SETS

FAMILIES = ("locomo_dev", "proactive_zh_dev")
BOT = Speaker("bot", "")
type Said = tuple[Role, Speaker, str]

LEAST_KEPT = 5
"""Turns that are left of a session."""

THREES = 40
SHORT = (3, 6)
"""Talks of three topics for each conversation, and the turns of each topic."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Turns on end; before turn number `boundary` another session begins, None for one session."""

    family: str
    conversation: str
    drawing: int
    turns: tuple[Turn, ...]
    boundary: int | None


def stretches(data: Path, drawings: int, seed: int, complaints: Complaints) -> list[Stretch]:
    """All of them, each session once for each drawing in a pair, and once alone."""
    return [
        stretch
        for family in FAMILIES
        for life in SETS[family](data / family, complaints)
        for drawing in range(drawings)
        for stretch in _drawn(family, life.name, _sessions(life), drawing, seed)
    ]


@dataclass(frozen=True, slots=True)
class Talk:
    """Turns on end that are of one session, or of three, and where another of these begins."""

    family: str
    conversation: str
    turns: tuple[Turn, ...]
    boundaries: tuple[int, ...] = ()


def talks(data: Path, seed: int, complaints: Complaints) -> list[Talk]:
    """Of each conversation `THREES` of three short parts in turn, and every session whole."""
    found: list[Talk] = []
    for family in FAMILIES:
        for life in SETS[family](data / family, complaints):
            sessions, chance = _sessions(life), Random(f"{seed} {life.name} talks")
            for _ in range(THREES):
                parts = [_short(each, chance) for each in chance.sample(sessions, 3)]
                ends = (len(parts[0]), len(parts[0]) + len(parts[1]))
                turns = _turns([said for part in parts for said in part])
                found.append(Talk(family, life.name, turns, ends))
            found += [Talk(family, life.name, _turns(session[1:-1])) for session in sessions]
    return found


def _short(session: Sequence[Said], chance: Random) -> Sequence[Said]:
    """Three to six turns, the first a person's."""
    begins = [n for n, said in enumerate(session[1:-6], 1) if said[0] is not Role.ASSISTANT]
    begin = chance.choice(begins or [1])
    return session[begin : begin + chance.randint(*SHORT)]


def _sessions(life: Life) -> list[list[Said]]:
    """By the label's part before the colon, "D3:12" or "S3:12"."""
    grouped = groupby(life.lines, key=lambda line: line.label.partition(":")[0])
    sessions = ([said for line in lines for said in _said(line)] for _, lines in grouped)
    return [session for session in sessions if len(session) >= LEAST_KEPT + 2]


def _said(line: Line) -> Iterator[Said]:
    yield Role.USER, line.speaker, line.text
    if line.answer:
        yield Role.ASSISTANT, BOT, line.answer


def _drawn(
    family: str, name: str, sessions: list[list[Said]], drawing: int, seed: int
) -> Iterator[Stretch]:
    chance = Random(f"{seed} {name} {drawing}")
    shuffled = chance.sample(sessions, len(sessions))
    for one, other in zip(shuffled[::2], shuffled[1::2], strict=False):
        first, second = _cut(one, chance), _cut(other, chance)
        yield Stretch(family, name, drawing, _turns([*first, *second]), len(first))
        yield Stretch(family, name, drawing, _turns(_cut(one, chance)), None)


def _cut(session: Sequence[Said], chance: Random) -> Sequence[Said]:
    """A part of any length, without the first turn and the last."""
    size = chance.randint(LEAST_KEPT, len(session) - 2)
    begin = chance.randint(1, len(session) - 1 - size)
    return session[begin : begin + size]


def _turns(said: Sequence[Said]) -> tuple[Turn, ...]:
    place = Place("session", "conversation", "private/bench/u/*")
    return tuple(
        Turn(n, "episode", place, role, speaker, text, float(n))
        for n, (role, speaker, text) in enumerate(said)
    )
