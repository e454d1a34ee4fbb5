"""The hits of all legs in one list, and the fitted models applied to it. Pure.

Reciprocal rank fusion decides which candidates are read at all, and their order where it is set.
Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from ..forgetting.activation import Actr
from ..forgetting.population import Population
from ..model.memory import Memory
from ..scoring.decision import (
    ASKED,
    PLACES,
    Coefficients,
    Column,
    Fusion,
    probability,
    reasons,
    room,
)
from .columns import Numbers
from .legs.ways import LEADING
from .question import Question
from .trace import Drop, Fused, Hit, Leg, SilenceReason

K = 60

CONSIDERED = 64
"""Candidates whose records are read."""

NEVER_CUT = (Leg.TIME, Leg.CAUSAL)
"""Legs that go by what is recorded, not by how near it is to what was asked."""

LEAST = 0.05
"""Of a number that speaks for a candidate."""

FIRST = 1.5
"""Logit of the score of the first: where the legs are in doubt a reranker may count."""

type Found = Sequence[tuple[str, Hit]]


def reciprocal_rank(ranks: Sequence[int], k: int = K) -> float:
    """Sum of 1 / (k + rank), ranks from 1."""
    return sum([1.0 / (k + rank) for rank in ranks])


def pooled(found: Mapping[Leg, Found]) -> list[Fused]:
    """The best candidates of all legs by reciprocal ranks, ties by id; `score` is the relevance."""
    hits: dict[str, list[Hit]] = {}
    for hits_of_leg in found.values():
        for memory, hit in hits_of_leg:
            hits.setdefault(memory, []).append(hit)
    ranks = {id: reciprocal_rank(sorted([hit.rank for hit in own])) for id, own in hits.items()}
    best = sorted(hits, key=lambda id: (-ranks[id], id))
    certain = {memory for leg in NEVER_CUT for memory, _ in found.get(leg, ())}
    best = [id for place, id in enumerate(best) if place < CONSIDERED or id in certain]
    return ordered(
        [
            Fused(id, tuple(hits[id]), max([hit.relevance for hit in hits[id]]), rrf=ranks[id])
            for id in best
        ]
    )


def weighed(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    numbers: Numbers,
    model: Coefficients,
    question: Question,
) -> list[Fused]:
    """The candidates with what the ranking says, best first, ties by id.

    `numbers` are of those with a record; the others stay behind.
    """
    known = [each for each in candidates if each.memory in records]
    lost = [replace(each, score=0.0) for each in candidates if each.memory not in records]
    if not known:
        return lost
    told, sheet = numbers.ranks, numbers.sheet
    if question.fusion is Fusion.RANKS:
        told = np.log([max(each.rrf, 1e-6) for each in known])
    elif question.fusion is Fusion.ACTIVATION:
        own = Population.of([records[each.memory] for each in known])
        alike = np.asarray(sheet[:, PLACES[Column.MEANING]], np.float64)
        now = np.full(len(own), question.now)
        told = np.asarray(Actr().at_question(own, now, alike), np.float32)
    first = float(told.max())
    why, rows = reasons(sheet, told, model), zip(known, told.tolist(), sheet.tolist(), strict=True)
    weighed = [
        each.weighed(probability(rank - first + FIRST), why.get(place, ()), tuple(row))
        for place, (each, rank, row) in enumerate(rows)
    ]
    return ordered(weighed) + lost


def ordered(candidates: Sequence[Fused]) -> list[Fused]:
    """Best first, ties by id."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.memory))


def without_strangers(candidates: Sequence[Fused], far: Set[str] = frozenset()) -> list[Fused]:
    """The candidates, those dropped for which no number speaks: no search would give them.

    By meaning they are as far as unrelated texts are from each other. And those that are `far`.
    """
    return [
        each.dropped(Drop.IRRELEVANT)
        if each.drop is None and each.columns and (each.memory in far or _strange(each.columns))
        else each
        for each in candidates
    ]


def _strange(columns: Sequence[float]) -> bool:
    return max([columns[place] for place in ASKED]) <= LEAST


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
