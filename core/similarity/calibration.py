"""What a cosine of one embedder, over one scope, says about relevance. Pure.

Algorithms, section 7.6.

Vectors of one embedder share a direction that tells nothing: unrelated texts of e5 have a cosine
of .8. That direction, the mean, is taken off, most of it; the rest is placed between what
unrelated and what related texts of a built-in sample reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.memory import EmbedderIdentity, Vector
from .measure import REMOVED, Matrix, product, rows

PRIOR = 16
"""Vectors of a scope that its own mean needs to weigh as much as the built-in sample's."""

LOCAL = 0.3
"""Share of a scope's own mean in that of what is asked there. Algorithms, section 7.6."""

RAW_QUANTILE, LEARNT_QUANTILE = 0.9, 0.75
"""Share of related pairs below what stands for a relevance of 1: on either scale .22 is noise."""

FOLDS = 10
SHRUNK = 0.6
"""Towards one variance, chosen by months and hands left out: of messages that tell what lasts by
the means alone AUC .85, so .88; of wishes of another hand .82 and .89."""

WISHED = 1.0
"""Logits by which a standing wish must be surer: of those in languages left out .08 count as
passing (.5 by what facts look like), and facts are told from talk as well, AUC .87 for .87."""

SUREST = 16.0
"""Logits between the means of both kinds of turns, at most: some hundred of them tell no more."""

SMALLEST_SPAN = 0.05
TELLING = 0.1
"""Cosine between the levels of an embedder that tells statements apart; of hashed vectors .15."""


@dataclass(frozen=True, slots=True)
class VectorScale:
    """What a vector alone says of its text, along `direction`, as a logit.

    Fisher's discriminant (1936), by a covariance that is `shrunk` towards one variance for all
    directions (Friedman, "Regularized Discriminant Analysis", 1989), or by that alone.
    """

    direction: Vector
    base: float

    @classmethod
    def between(cls, first: Matrix, second: Matrix, *, shrunk: float = 1.0) -> "VectorScale":
        """Of texts that do and texts that do not, row by row, two of each at least.

        Each row is measured by a direction that was found without it: with fewer rows than numbers
        in a vector its own share would tell it apart.
        """
        folds = min(FOLDS, len(first), len(second))
        told = [
            matrix[fold::folds] @ _direction(*_without(first, second, fold, folds), shrunk)
            for matrix in (first, second)
            for fold in range(folds)
        ]
        high, low = np.concatenate(told[:folds]), np.concatenate(told[folds:])
        apart, spread = high.mean() - low.mean(), (high.var() + low.var()) / 2
        scale = float(max(apart, 0.0) / max(spread, apart * apart / SUREST, 1e-9))
        middle = float(high.mean() + low.mean()) / 2
        direction = _direction(first, second, shrunk)
        return cls(np.asarray(scale * direction, np.float32), -scale * middle)

    @classmethod
    def read(cls, numbers: Sequence[float]) -> "VectorScale":
        """That of a direction, and its logit of none after it."""
        return cls(np.array(numbers[:-1], np.float32), numbers[-1])

    def logit(self, vector: Vector) -> float:
        """Of a unit vector."""
        return float(self.direction @ vector) + self.base

    def logits(self, vectors: Matrix) -> Vector:
        """Of unit vectors, row by row."""
        return np.asarray(np.einsum("ij,j->i", vectors, self.direction) + self.base, np.float32)


@dataclass(frozen=True, slots=True)
class Scales:
    """What the vectors of one embedder say, whatever the scope.

    `asking`: whether a turn needs a memory; `lasting`: whether a text tells what is worth knowing
    weeks later; `unkept`: whether it is a wish that something is not kept; `standing`: one how the
    bot is to answer from then on.
    """

    asking: VectorScale
    lasting: VectorScale
    unkept: VectorScale
    standing: VectorScale

    def lasts(self, vectors: Matrix) -> Vector:
        """Of unit vectors, row by row, the logit of what is worth knowing weeks later.

        A standing wish is, too; most of what asks for something is over when it is done.
        """
        wishes = self.standing.logits(vectors) - WISHED
        return np.asarray(np.maximum(self.lasting.logits(vectors), wishes), np.float32)


def _without(first: Matrix, second: Matrix, fold: int, folds: int) -> tuple[Matrix, Matrix]:
    one, other = (np.arange(len(rows)) % folds != fold for rows in (first, second))
    return first[one], second[other]


def _direction(first: Matrix, second: Matrix, shrunk: float) -> Vector:
    """From the mean of the second to that of the first, by the inverse of the covariance."""
    means = first.mean(axis=0), second.mean(axis=0)
    apart = np.asarray(means[0] - means[1], np.float32)
    if shrunk >= 1.0:
        return apart
    # Of fewer rows than numbers: (a + XᵀX)⁻¹ v = (v - Xᵀ(a + XXᵀ)⁻¹ X v) / a.
    told = [
        np.sqrt((1.0 - shrunk) / 2 / len(own)) * (own - mean)
        for own, mean in zip((first, second), means, strict=True)
    ]
    x = np.concatenate(told)
    common = shrunk / (1.0 - shrunk) * float((x * x).sum()) / apart.size
    if common <= 0.0:
        return apart
    inner = np.linalg.solve(x @ x.T + common * np.eye(len(x)), x @ apart)
    return np.asarray((apart - x.T @ inner) / common, np.float32)


@dataclass(frozen=True, slots=True)
class Centre:
    """How texts of one kind are read in one scope: what is taken off questions and documents.

    `unrelated` and `related` are the centred cosines that stand for a relevance of 0 and 1.
    """

    asked: Vector
    told: Vector
    unrelated: float
    related: float


@dataclass(frozen=True, slots=True)
class Frame:
    """How to search a scope and read what comes back.

    Raw turns have a centre of their own: texts of one kind have a style in common, and by one mean
    for all, whichever kind it is not of would be near to everything. Without centres `unrelated`
    and `related` are plain cosines. `scales` are the embedder's, the same in every scope; None
    until they are known.
    """

    unrelated: float
    related: float = 1.0
    raw: Centre | None = None
    learnt: Centre | None = None
    scales: Scales | None = None

    @property
    def centred(self) -> bool:
        """Whether anything is known of the scope's vectors."""
        return self.learnt is not None

    def directed(self, query: Vector, *, raw: bool = False) -> Vector:
        """The vector to search `raw` turns with, or what was learnt; at unit length."""
        centre = self.raw if raw else self.learnt
        return query if centre is None else rows((query - centre.asked)[None])[0]

    def relevance(self, cosine: float) -> float:
        """What a plain cosine stands for: 0 and 1 as above, and beyond."""
        return (cosine - self.unrelated) / (self.related - self.unrelated)

    def relevances(self, query: Vector, documents: Matrix, *, raw: bool = False) -> Matrix:
        """What each of these unit vectors says to a query: see `relevance`.

        Without the mean of its kind each is read by its own length: what is left of one near the
        mean is short, and would be far from everything.
        """
        centre = self.raw if raw else self.learnt
        own = self if centre is None else centre
        if centre is not None:
            documents = rows(np.asarray(documents - centre.told, np.float32))
        cosines = product(documents, self.directed(query, raw=raw)[:, None])[:, 0]
        return np.asarray((cosines - own.unrelated) / (own.related - own.unrelated), np.float32)


class Frames(Protocol):
    """Knows the frames of embedders and scopes."""

    async def frame(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Frame:
        """The best frame there is at once; at worst the `plain` one."""
        ...

    def scales(self, fingerprint: str, language: str) -> Scales | None:
        """What its vectors say in the language; None until it is learnt, or if it knows none."""
        ...

    async def common(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Vector | None:
        """What all that was learnt there has in common; None until, or unless, vectors tell."""
        ...


@dataclass(frozen=True)
class Baseline:
    """What one embedder makes of the built-in sample of one language.

    `queries` and `documents` are unit vectors, row by row of one pair each. That of any language
    has the baselines of each as `parts`: a chat is in one, and is read as each of them is alone.
    """

    queries: Matrix
    documents: Matrix
    parts: tuple["Baseline", ...] = ()

    @property
    def asked(self) -> Vector:
        """The mean of the queries."""
        return np.asarray(self.queries.mean(axis=0), np.float32)

    @property
    def mean(self) -> Vector:
        """Of the documents."""
        return np.asarray(self.documents.mean(axis=0), np.float32)

    @cached_property
    def tells_apart(self) -> bool:
        """Whether three in four related pairs are nearer than nearly all unrelated ones."""
        cosines, alike = self._cosines(*self._learnt(self.mean))
        return bool(np.quantile(cosines[alike], 0.25) > np.quantile(cosines[~alike], 0.95))

    def learnt(self, told: Vector) -> Centre:
        """For documents with this mean: what is asked is in part about what is there."""
        return Centre(*self._learnt(told), *self._levels(raw=False))

    def raw(self, told: Vector) -> Centre:
        """For raw turns alone, with this mean: who asks talks as they do."""
        return Centre(*self._raw(told), *self._levels(raw=True))

    def _learnt(self, told: Vector) -> tuple[Vector, Vector]:
        return np.asarray((1.0 - LOCAL) * self.asked + LOCAL * told, np.float32), told

    def _raw(self, told: Vector) -> tuple[Vector, Vector]:
        common = np.asarray(REMOVED * told, np.float32)
        return common, common

    def _levels(self, *, raw: bool) -> tuple[float, float]:
        """Centred cosine that unrelated pairs have on average, and so many related ones pass."""
        if self.parts:
            unrelated, related = np.mean([part._levels(raw=raw) for part in self.parts], axis=0)
            return float(unrelated), float(related)
        taken, quantile = (
            (self._raw(self.mean), RAW_QUANTILE)
            if raw
            else (self._learnt(self.mean), LEARNT_QUANTILE)
        )
        cosines, alike = self._cosines(*taken)
        unrelated = float(cosines[~alike].mean())
        related = float(np.quantile(cosines[alike], quantile))
        return unrelated, max(related, unrelated + SMALLEST_SPAN)

    def _cosines(self, asked: Vector, told: Vector) -> tuple[Matrix, NDArray[np.bool_]]:
        queries, documents = self.queries - asked, self.documents - told
        cosines = product(rows(queries), rows(documents).T)
        return cosines, np.eye(len(cosines), dtype=bool)


def plain(identity: EmbedderIdentity, language: str) -> Frame:
    """By the identity alone: nothing else is known yet."""
    if language == "en" and identity.unrelated_latin is not None:
        return Frame(identity.unrelated_latin)
    return Frame(identity.unrelated)


def framed(baseline: Baseline, raw: Sequence[Vector], learnt: Sequence[Vector]) -> Frame:
    """For a scope of which these are some of the vectors, newest or any; none is allowed."""
    mean = scope_mean(baseline.mean, raw)
    # Beside what was learnt, raw turns are read on its scale: else chat alike would crowd it out.
    both = any(vector.size == mean.size for vector in learnt)
    said = baseline.learnt(mean) if both else baseline.raw(mean)
    told = baseline.learnt(scope_mean(baseline.mean, learnt))
    return Frame(told.unrelated, told.related, said, told)


def scope_mean(built_in: Vector, sample: Sequence[Vector]) -> Vector:
    """The mean of a scope of which `sample` are some vectors; the fewer, the more `built_in`."""
    own = [vector for vector in sample if vector.size == built_in.size]
    mean = (sum(own) + PRIOR * built_in) / (len(own) + PRIOR)
    return np.asarray(mean, np.float32)
