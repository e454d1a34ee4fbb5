"""Each question answered and judged, and what that will cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.ports import Prompt
from ..comparing.axes import mean
from ..kept_replies import KeptModel
from .prompts import RIGHT, UNKNOWN, Asked, answer_in, answering, judging, outcome, verdict_in

ANSWER_TOKENS = 60
VERDICT_TOKENS = 10
"""What a reply is taken to be long before it is there."""

type Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, its answer (None: the model failed), and the verdict if one could be read."""

    asked: Asked
    answer: str | None
    right: bool | None = None

    @property
    def unknown(self) -> bool:
        """Whether the answer is that it is not known, where that is not right."""
        said = self.answer is not None and outcome(self.asked, self.answer) == UNKNOWN
        return said and not self.right


async def judged(asked: Asked, model: KeptModel, judge: KeptModel | None) -> Judged:
    """One question, answered by the model and judged by the judge; without one by the words of the
    data's own answer.
    """
    reply = await model.reply(answering(asked))
    if reply is None:
        return Judged(asked, None)
    answer = answer_in(reply)
    if judge is None:
        return Judged(asked, answer, outcome(asked, answer) == RIGHT)
    verdict = await judge.reply(judging(asked, answer))
    return Judged(asked, answer, None if verdict is None else verdict_in(verdict))


def estimate(
    asked: Sequence[Asked], model: KeptModel, judge: KeptModel | None, count: Count
) -> dict[str, Any]:
    """Calls that are not kept yet, and about how many tokens they take."""
    paid = {"model": {"calls": 0, "tokens": 0}, "judge": {"calls": 0, "tokens": 0}}

    def pay(who: str, prompt: Prompt, reply: int) -> None:
        paid[who]["calls"] += 1
        paid[who]["tokens"] += count(f"{prompt.system}\n{prompt.user}") + reply

    for each in asked:
        kept = model.kept(answering(each))
        if kept is None:
            pay("model", answering(each), ANSWER_TOKENS)
        prompt = judging(each, "" if kept is None else answer_in(kept.text))
        if judge is not None and (kept is None or judge.kept(prompt) is None):
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


def _right(record: Mapping[str, Any]) -> float:
    return float(record["right"])
