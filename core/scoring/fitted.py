"""The models in force, in the form that `python -m benchmarks.fit_recall --write` gives them.

Of HASHED the ranking, and the low marks without vectors, are by hand: docs/benchmarks.md. Values.
"""

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
        Column.MEANING: 1.5,
        Column.WORDS: 3.0,
        Column.RAREST: 4.0,
        Column.NEAR_BY: 0.9,
        Column.SIDE: 1.753,
        Column.TIME: 2.331,
        Column.GRAPH: 1.429,
    },
    turn={TurnColumn.NATS: 1.622, TurnColumn.WORDS: 1.867, TurnColumn.SHARE: 2.103},
    base=-2.791,
    low=-1.5,
    high=1.274,
)
WORDS = Coefficients(
    ranking={
        Column.WORDS: 3.691,
        Column.RAREST: 4.544,
        Column.NEAR_BY: 0.972,
        Column.SIDE: 1.753,
        Column.TIME: 2.331,
        Column.GRAPH: 1.429,
    },
    turn={TurnColumn.NATS: 1.622, TurnColumn.WORDS: 1.867, TurnColumn.SHARE: 2.103},
    base=-2.791,
    low=-1.5,
    high=1.274,
)

FITTED: Fitted = MappingProxyType(
    {
        Footing.DENSE: DENSE,
        Footing.HASHED: HASHED,
        Footing.WORDS: WORDS,
    }
)
