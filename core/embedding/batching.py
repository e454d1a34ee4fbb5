"""Texts of token ids put together, so that a network takes several at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

type Whole = NDArray[np.int64]


def batches(lengths: Sequence[int], most: int) -> list[list[int]]:
    """Places of texts, shortest first: at most `most` tokens with their padding, or one text."""
    found: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if found and (len(found[-1]) + 1) * lengths[place] <= most:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def padded(rows: Sequence[Sequence[int]], filling: int) -> tuple[Whole, Whole]:
    """Rows [texts, longest] of one length, and 1 where they are not filled up."""
    longest = max(map(len, rows))
    filled = np.full((len(rows), longest), filling, np.int64)
    mask = np.zeros(filled.shape, np.int64)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return filled, mask
