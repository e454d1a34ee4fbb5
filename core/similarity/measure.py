"""How similar memories are, two by two or all with all, in the calling thread alone. Pure."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float32]

SMALL = 262_144
"""OpenBLAS's SMP_THRESHOLD_MIN times GEMM_MULTITHREAD_THRESHOLD."""

TILE = 64
"""Columns that are multiplied at once where there are many."""


def product(left: Floats, right: Floats) -> Floats:
    """`left` [..., rows, in] times `right` [..., in, out], the stacks alike."""
    (rows, into), columns = left.shape[-2:], right.shape[-1]
    if rows * into * columns <= SMALL:
        return left @ right
    # What is read of `right` stays in the processor's cache for all rows.
    wide = min(columns, TILE, max(1, SMALL // (2 * into)))
    most = max(2, SMALL // (into * wide))
    whole = np.empty((*left.shape[:-1], columns), np.float32)
    for across in _slices(columns, wide):
        some = right[..., across]
        for down in _slices(rows, most):
            whole[..., down, across] = left[..., down, :] @ some
    return whole


def _slices(count: int, most: int) -> Iterator[slice]:
    """Of nearly the same length, at most `most`: a single row would be shared again."""
    parts = -(-count // most)
    return (slice(count * n // parts, count * (n + 1) // parts) for n in range(parts))


BLOCK = 256
"""Of the vectors whose nearest are looked for at a time."""


def nearest(
    vectors: Floats, places: Sequence[int], most: int, least: Callable[[Floats], Floats | float]
) -> Iterator[tuple[float, int, int]]:
    """The cosine of each unit vector at these places with at most `most` nearest others, and where
    both are; of equally near ones with those next to it. `least` tells from which cosine on, of
    the rows with all; of one with itself -1 stands there.
    """
    for start in range(0, len(places), BLOCK):
        some = np.asarray(places[start : start + BLOCK])
        alike = product(vectors[some], vectors.T)
        alike[np.arange(len(some)), some] = -1.0
        for place, row, enough in zip(some, alike, alike >= least(alike), strict=True):
            others = np.flatnonzero(enough)
            order = np.lexsort((np.abs(others - place), -row[others]))[:most]
            yield from ((float(row[other]), int(place), int(other)) for other in others[order])


PROSPECTIVE_FLOOR = 0.35
"""Relevance below which an intention is not brought up."""

type Vector = NDArray[np.float32]
type Matrix = NDArray[np.float32]

REMOVED = 0.75
"""Share of the mean that is taken off vectors; embeddings in .5 to 1 are close to each other."""


def rows(matrix: Matrix) -> Matrix:
    """The rows at unit length."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.maximum(lengths, 1e-9), np.float32)
