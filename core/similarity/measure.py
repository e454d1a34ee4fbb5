"""How similar memories are, two by two or all with all, in the calling thread alone. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float32]

SMALL = 262_144
"""OpenBLAS's SMP_THRESHOLD_MIN times GEMM_MULTITHREAD_THRESHOLD."""

TILE = 64
"""Columns that are multiplied at once where there are many."""

DEPTH, WIDTH, ROWS = 384, 32, 16
"""Of the pieces of a `Factor`; their product is below `SMALL`."""


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """A matrix [in, out] in pieces [in / depth, out / width, depth, width]."""

    pieces: Floats

    @classmethod
    def transposed(cls, matrix: Floats) -> "Factor":
        """Of a matrix [out, in]."""
        out, into = matrix.shape
        depth, width = gcd(into, DEPTH), gcd(out, WIDTH)
        cut = matrix.reshape(out // width, width, into // depth, depth)
        return cls(np.ascontiguousarray(cut.transpose(2, 0, 3, 1)))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole."""
        rows, columns, depth, width = self.pieces.shape
        return rows * depth, columns * width

    def dense(self) -> Floats:
        """The matrix [in, out] in one piece."""
        return self.pieces.transpose(0, 2, 1, 3).reshape(self.shape)

    def after(self, left: Floats) -> Floats:
        """`left` [rows, in] times it: [rows, out]."""
        _, columns, depth, width = self.pieces.shape
        whole = np.zeros((len(left), columns * width), np.float32)
        part = np.empty_like(whole)
        cut = part.reshape(-1, columns, width).swapaxes(0, 1)
        for number, pieces in enumerate(self.pieces):
            slab = left[:, number * depth : (number + 1) * depth]
            for rows in _slices(len(left), ROWS):
                np.matmul(slab[rows], pieces, out=cut[:, rows])
            whole += part
        return whole


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

ABOUT_THE_SAME = 0.4
"""Similarity from which two memories are about the same thing, and may be in conflict."""

SAME = 0.9
"""Similarity from which two memories say the same, and may be merged."""


type Vector = NDArray[np.float32]
type Matrix = NDArray[np.float32]

REMOVED = 0.75
"""Share of the mean that is taken off vectors; embeddings in .5 to 1 are close to each other."""


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """How to read a score of two statements: the cosine of their vectors, or of their words.

    Scores of `unrelated`, `related`, `same` and 1 stand for a similarity of 0, `ABOUT_THE_SAME`,
    `SAME` and 1; between them it runs straight. `mean` is taken off vectors first.
    """

    unrelated: float
    related: float
    same: float
    mean: Vector | None = None

    def read(self, score: float) -> float:
        """The similarity, 0..1, that a score stands for."""
        return float(self._read(np.asarray(score)))

    def readings(self, scores: Matrix) -> Matrix:
        """The similarity of each score."""
        return np.asarray(self._read(scores), np.float32)

    def similarity(self, one: Vector, other: Vector) -> float:
        """0..1 of two unit vectors of the same width."""
        return float(self.similarities(np.stack([one, other]))[0, 1])

    def similarities(self, vectors: Matrix) -> Matrix:
        """Of each of these unit vectors (rows) to each: symmetric, 1 to itself."""
        common = 0.0 if self.mean is None else REMOVED * self.mean
        centred = rows(np.asarray(vectors - common, np.float32))
        return self.readings(product(centred, centred.T))

    def _read(self, scores: NDArray[Any]) -> NDArray[Any]:
        levels = (self.unrelated, self.related, self.same, 1.0)
        return np.interp(scores, levels, (0.0, ABOUT_THE_SAME, SAME, 1.0))


def rows(matrix: Matrix) -> Matrix:
    """The rows at unit length."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.maximum(lengths, 1e-9), np.float32)
