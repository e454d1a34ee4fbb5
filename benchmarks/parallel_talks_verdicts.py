"""Whether what is shown to one person is judged as if nobody else talked with the bot. Pure."""

from collections.abc import Iterator, Sequence
from random import Random

from ..core.feedback.attribute import useful_numbers
from ..core.feedback.credit import answers_to_shown
from ..core.model.conversation import Injected, Role, Turn
from .parallel_talks_sessions import Talk

SHOWN = 3
"""Memories that each person is shown."""


def verdicts(talks: Sequence[Talk], seed: int) -> dict[str, float]:
    """Each person is shown what they have said in other talks, for the first turn of a talk."""
    said = {turn.text: turn.speaker.id for talk in talks for turn in _people(talk)}
    found = [same for talk in talks for same in _judged(talk, said, Random(f"{seed}"))]
    return {
        "shown": len(found),
        "all": round(sum(by_all for by_all, _ in found) / max(1, len(found)), 3),
        "own": round(sum(by_own for _, by_own in found) / max(1, len(found)), 3),
    }


def _judged(talk: Talk, said: dict[str, str], chance: Random) -> Iterator[tuple[bool, bool]]:
    here = {turn.text for turn in talk}
    firsts = {turn.speaker.id: turn.seq for turn in reversed(_people(talk))}
    known: dict[int, str] = {}
    shown: list[Injected] = []
    for who, seq in firsts.items():
        others = sorted(text for text, whose in said.items() if whose == who and text not in here)
        for text in chance.sample(others, min(SHOWN, len(others))):
            number = len(known) + 1
            known[number] = text
            shown.append(Injected(seq, number, text))
    answers = answers_to_shown(shown, talk)
    queries = [turn.text for turn in _people(talk)]
    by_all = useful_numbers([t.text for t in talk if t.role is Role.ASSISTANT], queries, known)
    for item in shown:
        alone = _alone(talk, item.turn, firsts, known, shown)
        by_own = useful_numbers(answers[item.memory], queries, known)
        true = item.number in alone
        yield (item.number in by_all) is true, (item.number in by_own) is true


def _alone(
    turns: Sequence[Turn],
    seq: int,
    firsts: dict[str, int],
    known: dict[int, str],
    shown: Sequence[Injected],
) -> frozenset[int]:
    who = next(who for who, first in firsts.items() if first == seq)
    own = [turn for turn in turns if turn.speaker.id == who]
    seqs = {turn.seq for turn in own}
    replies = [turn.text for turn in turns if turn.answers in seqs]
    numbers = {item.number for item in shown if item.turn == seq}
    mine = {number: text for number, text in known.items() if number in numbers}
    return useful_numbers(replies, [turn.text for turn in own], mine)


def _people(turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.role is not Role.ASSISTANT]
