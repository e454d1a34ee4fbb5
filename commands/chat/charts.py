"""Charts in text: bars of a share, and a row of blocks as high as numbers are."""

from collections.abc import Sequence

WIDTH = 12
BLOCKS = "▁▂▃▄▅▆▇█"
SPARKS = 24
"""Columns of the sparkline at most."""


def bar(count: int, total: int) -> str:
    """The share as a row of blocks; one at least for what there is, and room left if not all."""
    filled = round(WIDTH * count / total) if total else 0
    if 0 < count < total:
        filled = min(max(filled, 1), WIDTH - 1)
    return "█" * filled + "░" * (WIDTH - filled)


def sparkline(values: Sequence[int]) -> str:
    """A row of blocks as high as the values, the largest full; "" for none."""
    if not values:
        return ""
    step = -(-len(values) // SPARKS)
    shown, top = values[step - 1 :: step], max(1, *values)
    return "".join(BLOCKS[value * (len(BLOCKS) - 1) // top] for value in shown)
