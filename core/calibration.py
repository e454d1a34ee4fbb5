"""What a cosine of one embedder, over one scope, says about relevance. Pure.

Vectors of one embedder share a direction that tells nothing: unrelated texts of e5 have a cosine
of .8. That direction, the mean, is taken off the query, most of it; the rest is placed between
what unrelated and what related texts of a built-in sample reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .ports import EmbedderIdentity, Vector
from .text.language import Language

REMOVED = 0.75
"""Share of the mean that is taken off; embeddings in .5 to 1 are close to each other."""

type Matrix = NDArray[np.float32]

PRIOR = 16
"""Vectors of a scope that its own mean needs to weigh as much as the built-in sample's."""

RELATED_QUANTILE = 0.9
SMALLEST_SPAN = 0.05


@dataclass(frozen=True, slots=True)
class Frame:
    """How to search a scope and read what comes back.

    `unrelated` and `related` are the centred cosines that stand for a relevance of 0 and 1.
    Without a `mean` they are plain cosines.
    """

    unrelated: float
    related: float = 1.0
    mean: Vector | None = None
    spread: float = 1.0

    def directed(self, query: Vector) -> Vector:
        """The vector to search with, at unit length."""
        if self.mean is None:
            return query
        return _unit(np.asarray(query - REMOVED * self.mean, np.float32))

    def relevance(self, score: float, directed: Vector) -> float:
        """0..1 of a search's score for a `directed` query."""
        cosine = score
        if self.mean is not None:
            cosine = (score - REMOVED * float(self.mean @ directed)) / self.spread
        return min(1.0, max(0.0, (cosine - self.unrelated) / (self.related - self.unrelated)))


class Frames(Protocol):
    """Knows the frames of embedders and scopes."""

    async def frame(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: Language
    ) -> Frame:
        """The best frame there is at once; at worst the `plain` one."""
        ...


@dataclass(frozen=True, slots=True)
class Baseline:
    """What one embedder makes of the built-in sample of one language.

    `queries` and `documents` are unit vectors, row by row of one pair each.
    """

    queries: Matrix
    documents: Matrix

    @property
    def mean(self) -> Vector:
        """Of the documents."""
        return np.asarray(self.documents.mean(axis=0), np.float32)

    @property
    def tells_apart(self) -> bool:
        """Whether three in four related pairs are nearer than nearly all unrelated ones."""
        cosines, alike = self._cosines(self.mean)
        return bool(np.quantile(cosines[alike], 0.25) > np.quantile(cosines[~alike], 0.95))

    def levels(self, mean: Vector) -> tuple[float, float]:
        """Centred cosine that unrelated pairs have on average, and one in ten related ones pass."""
        cosines, alike = self._cosines(mean)
        unrelated = float(cosines[~alike].mean())
        related = float(np.quantile(cosines[alike], RELATED_QUANTILE))
        return unrelated, max(related, unrelated + SMALLEST_SPAN)

    def _cosines(self, mean: Vector) -> tuple[Matrix, NDArray[np.bool_]]:
        common = np.asarray(REMOVED * mean, np.float32)
        cosines = _rows(self.queries - common) @ _rows(self.documents - common).T
        return cosines, np.eye(len(cosines), dtype=bool)


def plain(identity: EmbedderIdentity, language: Language) -> Frame:
    """By the identity alone: nothing else is known yet."""
    if language == "en" and identity.unrelated_latin is not None:
        return Frame(identity.unrelated_latin)
    return Frame(identity.unrelated)


def framed(baseline: Baseline, sample: Sequence[Vector]) -> Frame:
    """For a scope of which `sample` are some of the vectors, newest or any; none is allowed."""
    own = [vector for vector in sample if vector.size == baseline.documents.shape[1]]
    mean = (sum(own) + PRIOR * baseline.mean) / (len(own) + PRIOR)
    unrelated, related = baseline.levels(baseline.mean)
    around = np.stack(own) if own else baseline.documents
    spread = float(np.linalg.norm(around - REMOVED * mean, axis=1).mean())
    return Frame(unrelated, related, mean.astype(np.float32), max(spread, SMALLEST_SPAN))


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length, np.float32) if length > 0.0 else vector


def _rows(matrix: Matrix) -> Matrix:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.maximum(lengths, 1e-9), np.float32)
