"""Turns that need no memory: the everyday ones, CDConv's, and questions about other lives."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from ...core.model.conversation import Role
from ..datasets.cdconv import Exchange
from .script import Earlier, Idle, IdleTurn, Life

type Idles = dict[Idle, list[IdleTurn]]


def idle_turns(everyday: Sequence[IdleTurn], chat: Sequence[Exchange]) -> Idles:
    """By class. `chat` must not be what is said as noise: a turn would find itself."""
    found: Idles = defaultdict(list)
    for turn in everyday:
        found[turn.kind].append(turn)
    for exchange in chat:
        before = (Earlier(Role.USER, exchange.opening), Earlier(Role.ASSISTANT, exchange.answer))
        found[Idle.OPENING].append(IdleTurn(Idle.OPENING, exchange.opening, "zh"))
        found[Idle.MID_CHAT].append(IdleTurn(Idle.MID_CHAT, exchange.second, "zh", "", before))
    return found


def drawn(
    idle: Idles, life: Life, others: Sequence[Life], each: int, chance: Random
) -> list[IdleTurn]:
    """At most `each` of every class and hand, in the life's own language and in the other."""
    chosen: list[IdleTurn] = []
    for kind in Idle:
        by_hand: defaultdict[tuple[str, str], list[IdleTurn]] = defaultdict(list)
        for turn in idle.get(kind, ()):
            by_hand[turn.hand, turn.language].append(turn)
        for key in sorted(by_hand):
            chosen += _sample(by_hand[key], max(1, each // max(1, len(by_hand))), chance)
    chosen += _sample(list(life.other_person), each, chance)
    return chosen + _sample(_about_others(life, others), each, chance)


def _about_others(life: Life, others: Sequence[Life]) -> list[IdleTurn]:
    """What needs another's life: it is not in the store."""
    return [
        IdleTurn(Idle.OTHER_LIFE, need.text, other.language, before=need.before)
        for other in others
        if other.language == life.language and other.scope != life.scope
        for need in other.needs
        if need.source in ("locomo", "proactive")
    ]


def _sample[T](turns: list[T], count: int, chance: Random) -> list[T]:
    return chance.sample(turns, count) if len(turns) > count else turns
