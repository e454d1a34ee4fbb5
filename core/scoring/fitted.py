"""The models in force, written by `python -m benchmarks.fit_recall --write`. Values."""

from types import MappingProxyType

from .columns import Column, TurnColumn
from .decision import Coefficients, Fitted, Footing

DENSE = Coefficients(
    ranking={
        Column.MEANING: 5.696,
        Column.WORDS: 1.118,
        Column.RAREST: 1.857,
        Column.NEAR_BY: 0.674,
        Column.SIDE: 2.367,
        Column.TIME: 1.76,
        Column.GRAPH: 0.437,
    },
    turn={TurnColumn.BEST: 4.934, TurnColumn.FIVE: 8.117, TurnColumn.NATS: 1.492},
    base=-8.745,
    low=-1.262,
    high=0.521,
)
HASHED = Coefficients(
    ranking={
        Column.MEANING: 4.0,
        Column.WORDS: 2.72,
        Column.RAREST: 5.84,
        Column.SIDE: 1.89,
        Column.TIME: 2.93,
        Column.GRAPH: 1.92,
        Column.NEAR_BY: 1.5,
    },
    turn={TurnColumn.BEST: 2.0, TurnColumn.FIVE: 2.0, TurnColumn.NATS: 4.0},
    base=-5.0,
    low=-1.5,
    high=0.0,
)
WORDS = Coefficients(
    ranking={
        Column.WORDS: 5.48,
        Column.RAREST: 5.12,
        Column.SIDE: 2.0,
        Column.TIME: 2.53,
        Column.GRAPH: 2.58,
        Column.NEAR_BY: 1.5,
    },
    turn={TurnColumn.NATS: 4.0, TurnColumn.SHARE: 2.0},
    base=-3.0,
    low=-1.5,
    high=0.0,
)

FITTED: Fitted = MappingProxyType(
    {
        Footing.DENSE: DENSE,
        Footing.STRONG: DENSE,
        Footing.HASHED: HASHED,
        Footing.WORDS: WORDS,
    }
)
