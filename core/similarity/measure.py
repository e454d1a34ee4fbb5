"""How similar two memories are, 0..1: by their vectors, or by their words where there are none.

Pure. `calibration.Statements` finds the levels of an embedder. Algorithms, section 7.6.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .matrix_product import product

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
