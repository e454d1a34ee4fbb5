"""Each question answered and judged, what that will cost, and how far the judge agrees."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from ...core.ports import Prompt
from ..comparing.axes import mean
from ..kept_replies import KeptModel
from .prompts import RIGHT, UNKNOWN, Asked, answer_in, answering, judging, outcome, verdict_in

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

    @property
    def unknown(self) -> bool:
        """Whether the answer is that it is not known, where that is not right."""
        said = self.answer is not None and outcome(self.asked, self.answer) == UNKNOWN
        return said and not self.right


def votes_of(asked: Sequence[Asked], sample: int, seed: int) -> list[int]:
    """How many votes each question gets: `VOTES` for so many drawn by chance, one for the rest."""
    drawn = set(Random(seed).sample(range(len(asked)), min(sample, len(asked))))
    return [VOTES if index in drawn else 1 for index in range(len(asked))]


async def judged(asked: Asked, votes: int, model: KeptModel, judge: KeptModel) -> Judged:
    """One question, answered by the model and judged by the judge; by the words of the data's own
    answer with no votes.
    """
    reply = await model.reply(answering(asked))
    if reply is None:
        return Judged(asked, None)
    answer = answer_in(reply)
    if not votes:
        return Judged(asked, answer, (outcome(asked, answer) == RIGHT,))
    prompt = judging(asked, answer)
    replies = [await judge.reply(prompt, number) for number in range(votes)]
    read = (None if each is None else verdict_in(each) for each in replies)
    return Judged(asked, answer, tuple(vote for vote in read if vote is not None))


def estimate(
    asked: Sequence[Asked], votes: Sequence[int], model: KeptModel, judge: KeptModel, count: Count
) -> dict[str, Any]:
    """KeptModel that are not kept yet, and about how many tokens they take."""
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
    """Of one set: how many answers are right, over all and by category; how many of the others are
    wrong, and say that it is not known; lines shown.
    """
    known = [
        {
            "right": each.right,
            "wrong": not each.right and not each.unknown,
            "unknown": each.unknown,
            "lines": len(each.asked.lines),
            "of": each.asked.category,
        }
        for each in told
        if each.right is not None
    ]
    categories = sorted({one["of"] for one in known})
    return {
        **{
            name: dict(mean(known, lambda record, name=name: float(record[name]), seed))
            for name in ("right", "wrong", "unknown", "lines")
        },
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


def _right(record: Mapping[str, Any]) -> float:
    return float(record["right"])


def _share(some: Sequence[bool]) -> float | None:
    return round(sum(some) / len(some), 4) if some else None
