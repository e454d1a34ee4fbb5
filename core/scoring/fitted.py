"""The models in force, written by `python -m benchmarks.fit_recall --write`. Values."""

from types import MappingProxyType

from .columns import Column, TurnColumn
from .decision import Coefficients, Fitted, Footing

DENSE = Coefficients(
    ranking={
        Column.MEANING: 6.838,
        Column.WORDS: 1.14,
        Column.RAREST: 1.399,
        Column.NEAR_BY: 0.833,
        Column.SIDE: 2.224,
        Column.TIME: 1.625,
        Column.GRAPH: 0.281,
    },
    turn={TurnColumn.FIVE: 5.369, TurnColumn.NATS: 0.803, TurnColumn.TOP: 0.601},
    base=-6.751,
    low=-1.3,
    high=1.7,
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
