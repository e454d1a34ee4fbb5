"""Applies the fitted models to a turn's candidates. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..model.memory import Memory
from ..scoring.decision import Coefficients, Fusion, probability, reasons, room
from .columns import Numbers
from .fusion import ordered
from .legs.leg import LEADING
from .question import Question
from .trace import Drop, Fused, SilenceReason

LEAST = 0.05
"""Of a number that speaks for a candidate."""

FIRST = 1.5
"""Logit of the score of the first: where the legs are in doubt a reranker may count."""


def weighed(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    numbers: Numbers,
    model: Coefficients,
    fusion: Fusion,
) -> list[Fused]:
    """The candidates with what the ranking says, best first, ties by id.

    `numbers` are of those with a record; the others stay behind.
    """
    known = [each for each in candidates if each.memory in records]
    lost = [replace(each, score=0.0) for each in candidates if each.memory not in records]
    if not known:
        return lost
    told, sheet = numbers.ranks, numbers.sheet
    if fusion is Fusion.RANKS:
        told = np.log([max(each.rrf, 1e-6) for each in known])
    first = float(told.max())
    rows = zip(known, told.tolist(), reasons(sheet, model), sheet.tolist(), strict=True)
    return (
        ordered(
            [
                each.weighed(probability(rank - first + FIRST), why, tuple(row))
                for each, rank, why, row in rows
            ]
        )
        + lost
    )


def without_strangers(candidates: Sequence[Fused]) -> list[Fused]:
    """The candidates, those dropped for which no number speaks: no search would give them.

    By meaning they are as far as unrelated texts are from each other.
    """
    return [
        each.dropped(Drop.IRRELEVANT)
        if each.drop is None and each.columns and max(each.columns) <= LEAST
        else each
        for each in candidates
    ]


def lines(
    candidates: Sequence[Fused], logit: float, question: Question, model: Coefficients
) -> tuple[int, SilenceReason | None]:
    """How many lines a turn of this worth is shown, and why none."""
    if not candidates:
        return 0, SilenceReason.NOTHING_FOUND
    if question.insists and max(each.relevance for each in candidates) >= LEADING:
        # Who searches has asked for memories, whatever the words are.
        return question.limit, None
    many = room(logit, model, question.eagerness, question.limit)
    return many, None if many else SilenceReason.TOO_WEAK
