"""Each question answered and judged, what that will cost, and how far the judge agrees."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from ...core.ports import Prompt
from ..comparing.axes import mean
from .calls import Calls
from .prompts import (
    RIGHT,
    UNKNOWN,
    WRONG,
    Asked,
    answer_in,
    answering,
    judging,
    outcome,
    verdict_in,
)

VOTES = 3
"""Of the judge on each question of the sample."""

ANSWER_TOKENS = 60
VERDICT_TOKENS = 10
"""What a reply is taken to be long before it is there."""

type Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, its answer (None: the model failed), and the votes that could be read."""

    asked: Asked
    answer: str | None
    votes: tuple[bool, ...] = ()

    @property
    def right(self) -> bool | None:
        """What most votes say; None without any, and where they are even."""
        ayes = sum(self.votes)
        return None if 2 * ayes == len(self.votes) else 2 * ayes > len(self.votes)


@dataclass(frozen=True, slots=True)
class Worded:
    """A question, its answer, and what the words of the data's own say of it; None: no answer."""

    asked: Asked
    answer: str | None
    outcome: str | None

    @property
    def right(self) -> bool | None:
        """None where the model failed."""
        return None if self.outcome is None else self.outcome == RIGHT


async def worded(asked: Asked, model: Calls) -> Worded:
    """One question, answered by the model and judged by the data's own words."""
    reply = await model.reply(answering(asked))
    if reply is None:
        return Worded(asked, None, None)
    answer = answer_in(reply)
    return Worded(asked, answer, outcome(asked, answer))


def shares(told: Sequence[Worded], seed: int) -> dict[str, Any]:
    """Of one set: right, wrong and unknown answers, lines shown, wrong ones beside lines."""
    known = [
        {"outcome": each.outcome, "lines": len(each.asked.lines)}
        for each in told
        if each.outcome is not None
    ]

    def share(outcome: str) -> Callable[[Mapping[str, Any]], float]:
        return lambda record: float(record["outcome"] == outcome)

    return {
        **{name: dict(mean(known, share(name), seed)) for name in (RIGHT, WRONG, UNKNOWN)},
        "lines": dict(mean(known, lambda record: float(record["lines"]), seed)),
        "unanswered": len(told) - len(known),
    }


def votes_of(asked: Sequence[Asked], sample: int, seed: int) -> list[int]:
    """How many votes each question gets: `VOTES` for so many drawn by chance, one for the rest."""
    drawn = set(Random(seed).sample(range(len(asked)), min(sample, len(asked))))
    return [VOTES if index in drawn else 1 for index in range(len(asked))]


async def judged(asked: Asked, votes: int, model: Calls, judge: Calls) -> Judged:
    """One question, answered by the model and judged by the judge."""
    reply = await model.reply(answering(asked))
    if reply is None:
        return Judged(asked, None)
    answer = answer_in(reply)
    prompt = judging(asked, answer)
    replies = [await judge.reply(prompt, number) for number in range(votes)]
    read = (None if each is None else verdict_in(each) for each in replies)
    return Judged(asked, answer, tuple(vote for vote in read if vote is not None))


def estimate(
    asked: Sequence[Asked], votes: Sequence[int], model: Calls, judge: Calls, count: Count
) -> dict[str, Any]:
    """Calls that are not kept yet, and about how many tokens they take."""
    paid = {"model": {"calls": 0, "tokens": 0}, "judge": {"calls": 0, "tokens": 0}}

    def pay(who: str, prompt: Prompt, reply: int) -> None:
        paid[who]["calls"] += 1
        paid[who]["tokens"] += count(f"{prompt.system}\n{prompt.user}") + reply

    for each, wanted in zip(asked, votes, strict=True):
        kept = model.kept(answering(each))
        if kept is None:
            pay("model", answering(each), ANSWER_TOKENS)
        prompt = judging(each, "" if kept is None else answer_in(kept.text))
        for number in range(wanted):
            if kept is None or judge.kept(prompt, number) is None:
                unknown = ANSWER_TOKENS if kept is None else 0
                pay("judge", prompt, unknown + VERDICT_TOKENS)
    return {"questions": len(asked), **paid}


def figures(told: Sequence[Judged], seed: int) -> dict[str, Any]:
    """Of one set: how many answers are right, over all and by category."""
    known = [{"right": each.right, "of": each.asked.category} for each in told if _known(each)]
    categories = sorted({one["of"] for one in known})
    return {
        "right": dict(mean(known, _right, seed)),
        "categories": {
            name: dict(mean([one for one in known if one["of"] == name], _right, seed))
            for name in categories
        },
        "unanswered": sum(each.answer is None for each in told),
        "unjudged": sum(each.answer is not None and each.right is None for each in told),
    }


def agreement(told: Sequence[Judged]) -> dict[str, Any]:
    """Of the questions with all `VOTES`: the share judged alike by all, and by any two of them."""
    several = [each.votes for each in told if len(each.votes) == VOTES]
    pairs = [one == other for votes in several for one, other in combinations(votes, 2)]
    alike = [len(set(votes)) == 1 for votes in several]
    return {"n": len(several), "unanimous": _share(alike), "pairwise": _share(pairs)}


def _known(each: Judged) -> bool:
    return each.right is not None


def _right(record: Mapping[str, Any]) -> float:
    return float(record["right"])


def _share(some: Sequence[bool]) -> float | None:
    return round(sum(some) / len(some), 4) if some else None
