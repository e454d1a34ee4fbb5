"""What decides where the file of coefficients cannot be read. Values.

Rounded from a fit; `coefficients.json` has the numbers in force and says how they came about.
"""

from types import MappingProxyType

from .coefficients import Coefficients, Fitted, Footing
from .columns import Column, TurnColumn

FITTED: Fitted = MappingProxyType(
    {
        Footing.DENSE: Coefficients(
            candidate={
                Column.MEANING: 1.56,
                Column.ALONE: 3.05,
                Column.CONTRAST: 3.84,
                Column.RAREST: 5.73,
                Column.SIDE: 1.88,
                Column.LENGTH: 1.2,
                Column.RAW: -1.53,
            },
            turn={
                TurnColumn.SIZE: -2.6,
                TurnColumn.OF_BOT: -3.52,
                TurnColumn.OF_BOTH: -2.09,
                TurnColumn.TELLS: -1.45,
                TurnColumn.OWN: 1.91,
            },
            ranking={
                Column.MEANING: 3.34,
                Column.ALONE: 1.19,
                Column.WORDS: 2.57,
                Column.RAREST: 3.08,
                Column.SIDE: 1.66,
                Column.TIME: 3.17,
                Column.GRAPH: 1.74,
                Column.LENGTH: 1.4,
                Column.ASKS: -0.71,
                Column.RAW: -1.1,
            },
            base=-9.1,
            best=0.62,
            second=0.17,
            fifth=0.2,
            level=-12.19,
            share=0.06,
            shift=0.57,
        ),
        Footing.HASHED: Coefficients(
            candidate={
                Column.MEANING: 0.87,
                Column.CONTRAST: 5.75,
                Column.WORDS: 0.82,
                Column.RAREST: 7.2,
                Column.SIDE: 2.0,
                Column.LENGTH: 1.71,
                Column.RAW: -2.5,
            },
            turn={
                TurnColumn.SIZE: -2.43,
                TurnColumn.OF_BOT: -3.73,
                TurnColumn.OF_BOTH: -3.42,
                TurnColumn.TELLS: -2.12,
                TurnColumn.OWN: 1.6,
            },
            ranking={
                Column.MEANING: 0.92,
                Column.ALONE: 4.0,
                Column.WORDS: 2.72,
                Column.RAREST: 5.84,
                Column.SIDE: 1.89,
                Column.TIME: 2.93,
                Column.GRAPH: 1.92,
                Column.LENGTH: 1.29,
                Column.ASKS: -0.41,
                Column.RAW: -1.87,
            },
            base=-6.8,
            best=0.91,
            second=0.0,
            fifth=0.09,
            level=-12.2,
            share=0.07,
            shift=0.68,
        ),
        Footing.WORDS: Coefficients(
            candidate={
                Column.WORDS: 5.79,
                Column.RAREST: 14.77,
                Column.SIDE: 2.0,
                Column.LENGTH: 1.91,
                Column.RAW: -2.39,
            },
            turn={
                TurnColumn.SIZE: -5.4,
                TurnColumn.OF_BOT: -3.32,
                TurnColumn.OF_BOTH: -2.87,
                TurnColumn.TELLS: -1.51,
                TurnColumn.OWN: 1.6,
            },
            ranking={
                Column.WORDS: 5.48,
                Column.RAREST: 5.12,
                Column.SIDE: 2.0,
                Column.TIME: 2.53,
                Column.GRAPH: 2.58,
                Column.LENGTH: 1.32,
                Column.ASKS: -0.3,
                Column.RAW: -2.04,
            },
            base=-12.6,
            best=0.9,
            second=0.0,
            fifth=0.1,
            level=-21.15,
            share=0.15,
            shift=0.62,
        ),
    }
)
