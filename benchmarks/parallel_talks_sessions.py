"""Sessions of different people side by side, in which it is known who answers whom."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from ..core.model.conversation import Place, Role, Turn, reply_id
from .datasets import proactive
from .datasets.reading import Complaints
from .datasets.world import Said

LEAST, MOST = 4, 12
"""Turns of a session that is told beside another."""

STAYS = 0.5
"""Chance that the next turn is of the same session."""


type Talk = Sequence[Turn]
"""Turns on end. Of the bot's it is known which they answer."""

type Session = Sequence[Said]
"""Of one person and the bot: each turn answers the one before."""


def talks(data: Path, drawings: int, seed: int, complaints: Complaints) -> list[Talk]:
    """Two sessions at once, of every two people, as often as the shorter life has sessions."""
    worlds = proactive.read(data / "proactive_zh_dev", complaints)
    lives = [_sessions(world.turns) for world in worlds]
    told: list[Talk] = []
    for drawing in range(drawings):
        chance = Random(f"{seed} {drawing}")
        for sides in combinations(lives, 2):
            firsts, seconds = (chance.sample(side, len(side)) for side in sides)
            for pair in zip(firsts, seconds, strict=False):
                one, other = (_part(each, chance) for each in pair)
                told.append(_side_by_side(one, other, chance))
    return told


def _sessions(turns: Sequence[Said]) -> list[Session]:
    """By the label's part before the colon."""
    by_session: dict[str, list[Said]] = {}
    for said in turns:
        by_session.setdefault(said.label.partition(":")[0], []).append(said)
    return [said for said in by_session.values() if len(said) > LEAST]


def _part(session: Session, chance: Random) -> Session:
    size = chance.randint(LEAST, min(MOST, len(session)))
    begin = chance.randint(0, len(session) - size)
    part = session[begin : begin + size]
    return part[1:] if part[0].role is Role.ASSISTANT else part


def _side_by_side(one: Session, other: Session, chance: Random) -> Talk:
    """Both told at once: the order within each is kept, times tell nothing."""
    rest = iter(one), iter(other)
    last: list[int | None] = [None, None]
    turns: list[Turn] = []
    now = 0.0
    for place, side in enumerate(_order([len(one), len(other)], chance)):
        now += chance.uniform(5.0, 90.0)
        turns.append(_turn(place, next(rest[side]), now, last[side]))
        last[side] = place
    return turns


def _order(sizes: Sequence[int], chance: Random) -> Iterator[int]:
    """Which side each turn is of: it stays with chance `STAYS` while both have turns left."""
    left, side, begun = list(sizes), chance.randrange(2), False
    while any(left):
        if not left[side] or (left[1 - side] and begun and chance.random() > STAYS):
            side = 1 - side
        begun = True
        left[side] -= 1
        yield side


def _turn(seq: int, said: Said, at: float, answered: int | None) -> Turn:
    """As the journal has it: a bot's answer names what it answers."""
    place = Place("session", "conversation", "group/bench/g/*")
    replies = said.role is Role.ASSISTANT and answered is not None
    message = reply_id(answered) if replies else ""
    return Turn(seq, "episode", place, said.role, said.speaker, said.text, at, message)
