"""Fitting the models of recall to cases, with constrained signs. Pure.

What decides whether anything is brought up is fitted as it decides: by the turn, with the
candidates that are its best, second and fifth under the weights so far.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.scoring.coefficients import Coefficients, Footing
from ..core.scoring.columns import FEW, PLACES, Column, TurnColumn
from ..core.scoring.decision import line_share
from .fit_recall_cases import QUIET, Case, Floats, in_reach, needs
from .fit_recall_solver import Bounds, logistic, minimised

SIGNS: Mapping[Column | TurnColumn, int] = {
    **dict.fromkeys(Column, 1),
    **dict.fromkeys(TurnColumn, -1),
    Column.ASKS: -1,
    Column.RAW: -1,
    TurnColumn.OWN: 1,
    TurnColumn.RECALLS: 1,
}
"""What each column may say: for being needed, or against."""

MOST: Mapping[Column | TurnColumn, float] = {
    Column.ALONE: 4.0,
    Column.SIDE: 2.0,
    Column.LENGTH: 1.2,
    Column.RAW: 2.5,
    Column.NEAR_BY: 2.0,
    TurnColumn.OWN: 2.0,
    TurnColumn.RECALLS: 1.0,
}
"""Bounds of what one set of data would carry too far: in LoCoMo every question names somebody,
and what is needed is a long turn more often than elsewhere. A turn is lifted less than what it
stands beside counts. Of one's own life nothing is asked in vain in any fit.
"""

UNFITTED: Mapping[Footing, Mapping[TurnColumn, float]] = {
    Footing.DENSE: {TurnColumn.SEEN: -4.0},
    Footing.HASHED: {},
    Footing.WORDS: {},
}
"""Weights from elsewhere: no turn of the fit stands in a conversation whose turns are memories."""

TURN: tuple[TurnColumn, ...] = tuple(each for each in TurnColumn if each is not TurnColumn.SEEN)
_COMMON = (Column.RAREST, Column.SIDE, Column.LENGTH, Column.RAW)
_MEANT = (Column.MEANING, Column.ALONE, Column.CONTRAST)
CANDIDATE: Mapping[Footing, tuple[Column, ...]] = {
    Footing.DENSE: (*_MEANT, *_COMMON),
    Footing.HASHED: (Column.MEANING, Column.CONTRAST, Column.WORDS, *_COMMON),
    Footing.WORDS: (Column.WORDS, *_COMMON),
}
RANKING: tuple[Column, ...] = (
    Column.MEANING,
    Column.ALONE,
    Column.WORDS,
    Column.RAREST,
    Column.SIDE,
    Column.TIME,
    Column.GRAPH,
    Column.LENGTH,
    Column.ASKS,
    Column.RAW,
    Column.NEAR_BY,
)

SHARES: Mapping[str, float] = {
    "life": 0.8,
    "new life": 0.1,
    "proactive": 0.6,
    "locomo": 0.08,
    "madial": 0.25,
    "changes": 0.15,
}
"""What a set's turns that need something count: the first two are asked as a user would ask."""

CHIT_CHAT, IN_A_LIFE = 4.0, 2.0
"""How much chit-chat counts against each other class that needs nothing; and in a made-up life."""

SIZES = (-1.8, -2.0, -2.2, -2.4, -2.6, -2.8, -3.0, -3.3, -3.6, -4.0, -4.5, -5.0, -5.5)
"""Weights of the turn's `size` that are tried, see `as_silent`."""

ROUNDS = 6
START: Mapping[Column, float] = {Column.MEANING: 5.0, Column.WORDS: 4.0, Column.RAREST: 3.0}
RATES: Mapping[Footing, tuple[float, float, float]] = {
    Footing.DENSE: (0.963, 0.98, 0.92),
    Footing.HASHED: (0.9, 0.95, 0.82),
    Footing.WORDS: (0.9, 0.95, 0.82),
}
"""Of turns that need nothing, how many are silent: balanced, quiet, eager. Words alone tell less
of a turn, so that the same silence would cost most of what is asked for.
"""

SILENT: Mapping[Footing, float] = {
    Footing.DENSE: 0.92,
    Footing.HASHED: 0.9,
    Footing.WORDS: 0.88,
}
"""Of turns that need nothing, how many are silent in stores of every size, see `as_silent`."""

LOST = 0.03
"""Recall of what is served that the share may cost."""


def fitted(
    cases: Sequence[Case], footing: Footing, order: Coefficients | None = None
) -> Coefficients:
    """The models of these cases. Questions that a life does not answer are in no fit.

    With an `order` its ranking and share stay as they are.
    """
    cases = [case for case in cases if len(case.rows)]
    golden = [case for case in cases if (case.gold >= 0).any()]
    ranking = _ranking(golden) if order is None else order.ranking
    asked = [case for case in cases if _decides(case) or in_reach(case, ranking)]
    candidate, turn, mixed = _turn(asked, CANDIDATE[footing])
    base = _base(asked, candidate)
    turn |= UNFITTED[footing]
    free = Coefficients(candidate, base, turn, ranking, *mixed, level=0.0, share=1.0)
    levels = _levels([case for case in asked if case.kind in QUIET], free, RATES[footing])
    return Coefficients(
        candidate,
        base,
        turn,
        ranking,
        *mixed,
        level=levels[0],
        share=_share([case for case in asked if needs(case)], ranking)
        if order is None
        else order.share,
        shift=(levels[1] - levels[2]) / 2.0,
    )


def halfway(model: Coefficients, other: Coefficients) -> Coefficients:
    """With the candidate's weights halfway to another fit's: chance in either counts less."""
    weights = {
        column: (model.candidate.get(column, 0.0) + other.candidate.get(column, 0.0)) / 2.0
        for column in {*model.candidate, *other.candidate}
    }
    numbers = {
        name: (getattr(model, name) + getattr(other, name)) / 2.0
        for name in ("base", "best", "second", "fifth", "shift")
    }
    ordered = {column: weights[column] for column in Column if column in weights}
    return replace(model, candidate=ordered, **numbers)


def as_silent(model: Coefficients, cases: Sequence[Case], rate: float) -> Coefficients:
    """With the weight of `size`, and the level, by which most is answered, every set and sort of
    store weighing alike, while in stores of each size so many turns that need nothing are silent,
    every class and language weighing alike.
    """
    quiet = [case for case in cases if case.kind in QUIET]
    asked = [case for case in cases if in_reach(case, model.ranking)]
    stores = Counter((case.family, case.mix) for case in asked)
    tried: list[tuple[float, Coefficients]] = []
    for weight in SIZES:
        told = replace(model, turn={**model.turn, TurnColumn.SIZE: weight}, level=0.0)
        level = max(
            _levels([case for case in quiet if case.size == size], told, [rate])[0]
            for size in {case.size for case in quiet}
        )
        told = replace(told, level=round(level + 0.01, 3))
        reached = sum(
            (turn_logit(case, told) >= 0.0) / stores[case.family, case.mix] for case in asked
        )
        tried.append((reached, told))
    return max(tried, key=lambda each: each[0])[1]


def _decides(case: Case) -> bool:
    """Whether nothing should be brought up."""
    return case.kind in QUIET


def turn_logit(case: Case, model: Coefficients) -> float:
    """As `decision.worth` has it."""
    if not len(case.rows):
        return -50.0
    logits = model.base + case.rows @ model.candidate_vector()
    mixed = (model.best, model.second, model.fifth)
    together = float(logits[_best(logits)] @ np.array(mixed))
    return together + sum(model.turn[c] * case.known[c] for c in model.turn) - model.level


def served(case: Case, model: Coefficients, limit: int = 8) -> NDArray[np.int64]:
    """Places of what would be shown: those with a `line_share` of the odds of the first."""
    logits = case.rows @ model.ranking_vector()
    best = np.argsort(-logits, kind="stable")[:limit]
    share = line_share(model.share, turn_logit(case, model))
    return best[logits[best] >= logits[best[0]] + np.log(share)]


def _turn(
    cases: Sequence[Case], columns: Sequence[Column]
) -> tuple[dict[Column, float], dict[TurnColumn, float], tuple[float, float, float]]:
    """Weights of the candidate's columns and of the turn's, and of the best three in the sum."""
    rows = [case.rows[:, [PLACES[c] for c in columns]].astype(np.float64) for case in cases]
    known = np.array([[case.known[column] for column in TURN] for case in cases])
    needed = np.array([needs(case) for case in cases])
    weight = _weights(cases)
    vector, mixed = np.array([START.get(column, 0.0) for column in columns]), np.ones(3) / 3
    of_turn = np.zeros(len(TURN))
    for _ in range(ROUNDS):
        best = np.stack([own[_best(own @ vector)] for own in rows])
        told = np.hstack([best @ vector, known])
        weighed = logistic(told, needed, weight, _bounds([*[1] * 3, *(SIGNS[c] for c in TURN)]))
        if weighed[:3].sum() > 0.0:
            mixed = weighed[:3] / weighed[:3].sum()
        told = np.hstack([np.einsum("r,nrk->nk", mixed, best), known])
        every = (*columns, *TURN)
        bounds = _bounds([SIGNS[c] for c in every], [MOST.get(c, 50.0) for c in every])
        weighed = logistic(told, needed, weight, bounds)
        vector, of_turn = weighed[: len(columns)], weighed[len(columns) : -1]
    first, second, fifth = mixed.tolist()
    candidate = dict(zip(columns, vector.tolist(), strict=True))
    return candidate, dict(zip(TURN, of_turn.tolist(), strict=True)), (first, second, fifth)


def _weights(cases: Sequence[Case]) -> Floats:
    """Within its set, or its class that needs nothing, every sort and size of store counts alike.

    Turns that need something weigh as much as those that need nothing.
    """
    keys = [(needs(c) and _set(c), c.kind, c.family, c.mix, c.size) for c in cases]
    counts = Counter(keys)
    stores = Counter(key[:2] for key in counts)
    emphasis = [_emphasis(case) for case in cases]
    weight = np.array(
        [one / counts[key] / stores[key[:2]] for one, key in zip(emphasis, keys, strict=True)]
    )
    needed = np.array([needs(case) for case in cases])
    for sort in (needed, ~needed):
        weight[sort] /= weight[sort].sum()
    return weight


def _set(case: Case) -> str:
    """A life of which nothing was learnt yet, or hardly anything, is a set of its own."""
    new = case.family == "life" and (case.mix == "said" or case.size < FEW)
    return "new life" if new else case.family


def _emphasis(case: Case) -> float:
    if needs(case):
        return SHARES[_set(case)]
    if case.kind != "chit_chat":
        return 1.0
    return CHIT_CHAT * (IN_A_LIFE if case.family == "life" else 1.0)


def _base(cases: Sequence[Case], candidate: Mapping[Column, float]) -> float:
    """What makes the candidates' probabilities right on average."""
    every = np.concatenate([case.rows for case in cases]) @ _vector(candidate)
    share = np.concatenate([case.gold >= 0 for case in cases]).mean()
    tried = np.linspace(-30.0, 10.0, 401)
    told = [(0.5 + 0.5 * np.tanh((every + base) / 2.0)).mean() for base in tried]
    return float(tried[np.searchsorted(told, share)])


def _levels(quiet: Sequence[Case], model: Coefficients, rates: Sequence[float]) -> list[float]:
    """Below which so many of the turns stay, each class, language, size and sort of store alike."""
    keys = [(case.kind, case.language, case.size, case.mix) for case in quiet]
    counts = Counter(keys)
    logits = np.array([turn_logit(case, model) for case in quiet])
    order = np.argsort(logits)
    reached = np.cumsum(np.array([1.0 / counts[key] for key in keys])[order])
    places = [np.searchsorted(reached / reached[-1], rate) for rate in rates]
    return [float(logits[order][place]) for place in places]


def _ranking(cases: Sequence[Case]) -> dict[Column, float]:
    """Softmax over the candidates of each question that has one that is needed."""
    keys = [(case.family, case.mix, case.size) for case in cases]
    counts = Counter(keys)
    told = np.array([1.0 / counts[key] for key in keys])
    told /= told.sum()
    rows = np.concatenate([case.rows[:, [PLACES[c] for c in RANKING]] for case in cases])
    scale = np.maximum(rows.std(axis=0), 1e-6).astype(np.float64)
    rows = rows / scale
    lengths = np.array([len(case.rows) for case in cases])
    starts = np.append(0, np.cumsum(lengths)[:-1])
    gold = np.concatenate([(case.gold >= 0) / (case.gold >= 0).sum() for case in cases])
    weight = np.repeat(told, lengths)

    def loss(point: Floats) -> tuple[float, Floats]:
        logits = rows @ point
        most = np.maximum.reduceat(logits, starts)
        raised = np.exp(logits - np.repeat(most, lengths))
        total = np.add.reduceat(raised, starts)
        lost = np.log(total) + most - np.add.reduceat(gold * logits, starts)
        pull = weight * (raised / np.repeat(total, lengths) - gold)
        return float(told @ lost + 1e-3 * point @ point / 2), rows.T @ pull + 1e-3 * point

    most = [MOST.get(column, 50.0) for column in RANKING]
    lower, upper = _bounds([SIGNS[column] for column in RANKING], most)
    point = minimised(loss, lower * scale, upper * scale) / scale
    return dict(zip(RANKING, point.tolist(), strict=True))


def _share(asked: Sequence[Case], ranking: Mapping[Column, float]) -> float:
    """The largest share of the first's odds that costs the data sets no more than `LOST`."""
    vector = _vector(ranking)
    kept: dict[str, list[list[float]]] = {}
    shares = np.geomspace(0.003, 0.6, 24)
    for case in asked:
        logits = case.rows @ vector
        best = np.argsort(-logits, kind="stable")[:8]
        least = logits[best[0]] + np.log(shares)
        found = [case.gold[best[logits[best] >= one]] for one in least]
        told = [len(set(one[one >= 0].tolist())) / case.wanted for one in found]
        kept.setdefault(case.family, []).append(told)
    mean = np.mean([np.mean(every, axis=0) for every in kept.values()], axis=0)
    return float(shares[mean >= mean[0] - LOST].max())


def _best(logits: NDArray[np.floating]) -> NDArray[np.int64]:
    """Places of the best, the second and the fifth; the last for those that are not there."""
    order = np.argsort(-logits, kind="stable")
    return order[[min(place, len(order) - 1) for place in (0, 1, 4)]]


def _bounds(signs: Sequence[int], most: Sequence[float] | None = None) -> Bounds:
    far = np.array([50.0] * len(signs) if most is None else most)
    sign = np.array(signs)
    return np.where(sign > 0, 0.0, -far), np.where(sign > 0, far, 0.0)


def _vector(weights: Mapping[Column, float]) -> Floats:
    vector = np.zeros(len(PLACES))
    for column, value in weights.items():
        vector[PLACES[column]] = value
    return vector
