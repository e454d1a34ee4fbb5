"""The models in force, written by `python -m benchmarks.fit_recall --write`. Values."""

from types import MappingProxyType

from .columns import Column, TurnColumn
from .decision import Coefficients, Fitted, Footing

DENSE = Coefficients(
    ranking={
        Column.MEANING: 5.532,
        Column.WORDS: 1.43,
        Column.RAREST: 2.126,
        Column.NEAR_BY: 0.781,
        Column.SIDE: 2.063,
        Column.TIME: 1.908,
        Column.GRAPH: 0.818,
    },
    turn={TurnColumn.FIVE: 3.742, TurnColumn.NATS: 1.351, TurnColumn.TOP: 0.916},
    base=-8.037,
    low=-1.244,
    high=1.256,
)
HASHED = Coefficients(
    ranking={
        Column.MEANING: 7.709,
        Column.WORDS: 2.232,
        Column.RAREST: 3.203,
        Column.NEAR_BY: 0.837,
        Column.SIDE: 1.875,
        Column.TIME: 2.19,
        Column.GRAPH: 1.309,
    },
    turn={TurnColumn.NATS: 1.277, TurnColumn.TOP: 0.973},
    base=-4.956,
    low=-1.607,
    high=2.643,
)
WORDS = Coefficients(
    ranking={
        Column.WORDS: 3.813,
        Column.RAREST: 3.736,
        Column.NEAR_BY: 0.886,
        Column.SIDE: 1.778,
        Column.TIME: 2.419,
        Column.GRAPH: 1.84,
    },
    turn={TurnColumn.NATS: 2.267, TurnColumn.TOP: 0.425},
    base=-3.964,
    low=-1.483,
    high=3.267,
)

FITTED: Fitted = MappingProxyType(
    {Footing.DENSE: DENSE, Footing.HASHED: HASHED, Footing.WORDS: WORDS}
)
