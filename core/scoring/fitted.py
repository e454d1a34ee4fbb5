"""The models in force, written by `python -m benchmarks.fit_recall --write`. Values."""

from types import MappingProxyType

from .columns import Column, TurnColumn
from .decision import Coefficients, Fitted, Footing

DENSE = Coefficients(
    ranking={
        Column.MEANING: 5.734,
        Column.WORDS: 1.601,
        Column.RAREST: 1.727,
        Column.NEAR_BY: 0.764,
        Column.SIDE: 2.121,
        Column.TIME: 1.695,
        Column.GRAPH: 0.518,
    },
    turn={TurnColumn.FIVE: 2.813, TurnColumn.NATS: 1.066, TurnColumn.TOP: 0.964},
    base=-7.798,
    low=-1.4,
    high=0.35,
)
HASHED = Coefficients(
    ranking={
        Column.MEANING: 8.731,
        Column.WORDS: 2.212,
        Column.RAREST: 2.74,
        Column.NEAR_BY: 0.634,
        Column.SIDE: 1.893,
        Column.TIME: 2.125,
        Column.GRAPH: 1.076,
    },
    turn={TurnColumn.NATS: 1.139, TurnColumn.TOP: 0.944},
    base=-4.862,
    low=-1.8,
    high=1.7,
)
WORDS = Coefficients(
    ranking={
        Column.WORDS: 4.072,
        Column.RAREST: 3.238,
        Column.NEAR_BY: 0.421,
        Column.SIDE: 1.794,
        Column.TIME: 2.315,
        Column.GRAPH: 1.716,
    },
    turn={TurnColumn.NATS: 1.921, TurnColumn.TOP: 0.503},
    base=-4.477,
    low=-1.6,
    high=1.9,
)

FITTED: Fitted = MappingProxyType(
    {Footing.DENSE: DENSE, Footing.HASHED: HASHED, Footing.WORDS: WORDS}
)
