"""Matrix products in the calling thread alone. Pure.

The OpenBLAS in numpy shares a product with threads of its own, one a core, and each of them spins
until the slowest is done: on a busy machine a product of 1 ms takes 20, and more. How many threads
there are is one number for the whole process, which is not ours to set. But a product of up to
`SMALL` multiplications is never shared, and numpy multiplies a stack of them without Python.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

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
