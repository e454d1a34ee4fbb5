"""Applies the fitted models to a turn's candidates. Pure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..model.memory import Memory
from ..scoring.coefficients import Coefficients
from ..scoring.columns import PLACES, Column, Sheet, TurnColumn
from ..scoring.decision import is_worth, reasons, scores, worth
from ..scoring.odds import probability
from .fusion import ordered
from .question import Question, Understood
from .selection import drop_reason, is_seen
from .trace import Fused, SilenceReason
from .turn_columns import turn_columns

FARTHEST = -1.5
"""Logit of a turn's worth at which even who searches by hand is told that nothing is found: of the
fit's questions whose memory is within reach .99 are above it, of turns that need nothing .5 to .7.
"""

SEEN_FROM = 1.0
"""Logit of being needed at which what the model sees anyway is as likely as not what a turn asks
for: docs/benchmarks.md, Within a conversation.
"""

LEAST = 0.05
"""Relevance that something has on some leg, or nothing is brought up."""

FIRST = 1.5
"""Logit of the score of the first: where the legs are in doubt a reranker may count."""


def weighed(
    candidates: Sequence[Fused], records: Mapping[str, Memory], sheet: Sheet, model: Coefficients
) -> list[Fused]:
    """The candidates with what the models say, best first, ties by id.

    `sheet` has the rows of those with a record; the others stay behind.
    """
    known = [each for each in candidates if each.memory in records]
    lost = [replace(each, score=0.0) for each in candidates if each.memory not in records]
    if not known:
        return lost
    told = scores(sheet, model)
    first = float(told.ranked.max())
    usual = sheet.mean(axis=0) if len(known) > 1 else np.zeros_like(sheet[0])
    spoke = reasons(sheet, usual, model)
    placed = zip(
        known, told.needed.tolist(), told.ranked.tolist(), spoke, sheet.tolist(), strict=True
    )
    return (
        ordered(
            [
                each.weighed(probability(ranked - first + FIRST), needed, why, tuple(row))
                for each, needed, ranked, why, row in placed
            ]
        )
        + lost
    )


def turn_worth(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    understood: Understood,
    memories: int,
    model: Coefficients,
) -> float:
    """The logit that the turn needs any of these memories, see `decision.worth`.

    What could not be shown anyway says nothing for it, and is none of them.
    """
    question = understood.question
    free = _free(candidates, records, question)
    left = memories - len(candidates) + len(free)
    names = any(each.columns and each.columns[PLACES[Column.SIDE]] > 0.0 for each in free)
    asked, recalls = understood.inquiries, understood.recalls
    seen = _seen(candidates, records, question)
    known = turn_columns(question.text, left, asked, names=names, recalls=recalls, seen=seen)
    if question.insists:
        # Words of a search are spoken to nobody, and ask for what is remembered whatever they are.
        spoken = {TurnColumn.OF_BOT: 0.0, TurnColumn.OF_BOTH: 0.0, TurnColumn.RECALLS: 1.0}
        known = {**known, **spoken}
    return worth([each.needed for each in free if each.needed is not None], known, model)


def _seen(candidates: Sequence[Fused], records: Mapping[str, Memory], question: Question) -> float:
    """How likely it is, 0..1, that the model sees a memory which the turn needs."""
    logits = [
        each.needed
        for each in candidates
        if each.needed is not None and is_seen(records.get(each.memory), question.context)
    ]
    return probability(max(logits) - SEEN_FROM) if logits else 0.0


def worth_by_words(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    understood: Understood,
    memories: int,
    model: Coefficients,
    embedded: Collection[str],
) -> float:
    """The `turn_worth` by a model of words alone, if only what is not `embedded` yet speaks for it.

    By meaning that would be as far as anything, although nobody knows what it means.
    """
    unread = [each for each in candidates if each.columns and each.memory not in embedded]
    if not unread:
        return -math.inf
    told = scores(np.array([each.columns for each in unread], np.float32), model).needed.tolist()
    by_words = {each.memory: logit for each, logit in zip(unread, told, strict=True)}
    judged = [replace(each, needed=by_words.get(each.memory)) for each in candidates]
    return turn_worth(judged, records, understood, memories, model)


def _free(
    candidates: Sequence[Fused], records: Mapping[str, Memory], question: Question
) -> list[Fused]:
    return [
        each
        for each in candidates
        if drop_reason(records.get(each.memory), question.context) is None
    ]


def silence(
    candidates: Sequence[Fused], logit: float, question: Question, model: Coefficients
) -> SilenceReason | None:
    """Why nothing is brought up, None if something may be."""
    if not candidates:
        return SilenceReason.NOTHING_FOUND
    # Of one or two memories the fit knows little: what nothing speaks for is not brought up.
    if all(each.relevance <= LEAST for each in candidates):
        return SilenceReason.TOO_WEAK
    if is_worth(logit, model, question.eagerness) or (question.insists and logit > FARTHEST):
        return None
    return SilenceReason.TOO_WEAK
