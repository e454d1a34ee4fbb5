"""Cases that the models of recall are fitted to, and what an order makes of them. Values."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.scoring.columns import PLACES, Column, Known

type Floats = NDArray[np.float64]

QUIET = frozenset(
    {"opening", "request", "knowledge", "remark", "follow_up", "question_to_bot", "chit_chat"}
)
"""Classes of turns that need nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question in one world, written in this `form`, "" as it is given.

    `known` is what is known of the turn, `rows` are the columns of its candidates, `gold` the
    number of each one's label that is needed, -1 for none; `wanted` is how many labels are.
    """

    family: str
    mix: str
    life: str
    language: str
    size: int
    kind: str
    hand: str
    text: str
    known: Known
    rows: NDArray[np.float32]
    gold: NDArray[np.int64]
    wanted: int
    form: str = ""


def needs(case: Case) -> bool:
    """Whether something in its world is needed."""
    return case.wanted > 0


def names_somebody(rows: NDArray[np.float32]) -> bool:
    """Whether a turn with such candidates names somebody whom one of them is about."""
    return bool((rows[:, PLACES[Column.SIDE]] > 0.0).any()) if len(rows) else False


def ranked(case: Case, ranking: Mapping[Column, float]) -> NDArray[np.int64]:
    """Places of its candidates, best first."""
    told = sum(case.rows[:, PLACES[column]] * weight for column, weight in ranking.items())
    return np.argsort(-np.asarray(told), kind="stable")


def recall_at(case: Case, ranking: Mapping[Column, float], depth: int) -> float:
    """Share of what is needed among the first so many."""
    return found_in(case, ranked(case, ranking)[:depth])


def found_in(case: Case, places: NDArray[np.int64]) -> float:
    """Share of what is needed at these places."""
    found = case.gold[places]
    return len(set(found[found >= 0].tolist())) / case.wanted


def in_reach(case: Case, ranking: Mapping[Column, float]) -> bool:
    """Whether anything needed is among the first ten."""
    return needs(case) and len(case.rows) > 0 and recall_at(case, ranking, 10) > 0.0
