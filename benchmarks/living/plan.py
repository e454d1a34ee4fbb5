"""The months: who lives in them, with how much noise, and when it is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from ...core.model.conversation import ScopeKind
from ..datasets.cdconv import Exchange
from ..datasets.everyday import Change, Everyday
from .changing import changers
from .idle import idle_turns
from .installation import DEFAULTS
from .noise import asked_in_time, with_noise
from .script import Life, Line
from .sources import SAID_AGAIN, repeater
from .stages import Stage

IDLE_CHAT = 300
"""Exchanges of CDConv that are asked and never said."""

PER_LINE = 1.0
"""Turns of noise for each line of a life."""


@dataclass(frozen=True, slots=True)
class Material:
    """What they are made of."""

    lives: Sequence[Life]
    everyday: Sequence[Everyday]
    changes: Sequence[Change]
    chat: Sequence[Exchange]
    seed: int
    patience: float = 30.0


def months(material: Material) -> Stage:
    """Everybody at once, with default settings but for the patience."""
    chat = list(material.chat)
    Random(material.seed).shuffle(chat)
    idle, noise = idle_turns(material.everyday, chat[:IDLE_CHAT]), chat[IDLE_CHAT:]
    lives = [*material.lives, repeater(), *changers(material.changes, iter(noise))]
    keeping = replace(DEFAULTS.forgetting, patience=material.patience)
    return Stage(
        "months",
        lives,
        lambda: [_as_it_comes(life, number, noise) for number, life in enumerate(lives)],
        expected=sum(2 * len(life.lines) + len(life.needs) for life in material.lives),
        settings=replace(DEFAULTS, forgetting=keeping),
        others=material.lives,
        idle=idle,
    )


def _as_it_comes(life: Life, number: int, noise: Sequence[Exchange]) -> Iterator[Line]:
    """With its questions at their times; with noise where it is a private chat in Chinese."""
    needs = [need for need in life.needs if need.source != SAID_AGAIN]
    lines = asked_in_time(needs, life.lines) if needs else list(life.lines)
    if life.changes or life.language != "zh" or life.scope.kind is not ScopeKind.PRIVATE:
        return iter(lines)
    own = int(len(life.lines) * PER_LINE / 2)
    return with_noise(lines, iter(noise[number * own :][:own]), PER_LINE, life.asker)
