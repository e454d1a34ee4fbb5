"""Checks on texts for an embedding provider, and on the vectors that it returns."""

import numpy as np
from numpy.typing import NDArray

from ..model.errors import EmbeddingUnavailable
from ..ports import Vector

MOST_AT_ONCE = 10
"""Texts of one call: the smallest limit of a service that is widely used. More are refused."""


def sound_text(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, without lone surrogates, NUL and outer blanks."""
    kept = text[:limit].encode("utf-8", "replace").decode("utf-8")
    return kept.replace("\0", " ").strip()


def unit_vectors(
    raw: object, *, count: int, source: str, dimension: int | None = None
) -> list[Vector]:
    """`raw`, a provider's rows of numbers, as `count` float32 vectors of unit length.

    Raises EmbeddingUnavailable, naming `source`, if the rows are not exactly `count` finite
    non-zero vectors of one dimension, which must be `dimension` if that is given.
    """
    if count == 0:
        return []
    rows = _matrix(raw, count, source)
    if dimension is not None and rows.shape[1] != dimension:
        raise EmbeddingUnavailable(
            f"{source} returned {rows.shape[1]} dimensions where it returned {dimension} before"
        )
    if not np.isfinite(rows).all():
        raise EmbeddingUnavailable(f"{source} returned a vector that is not finite")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not largest.all():
        raise EmbeddingUnavailable(f"{source} returned a zero vector")
    # Dividing by the largest entry first keeps the squares of extreme entries in range.
    scaled = rows / largest
    unit = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return list(unit.astype(np.float32))


def _matrix(raw: object, count: int, source: str) -> NDArray[np.float64]:
    try:
        rows = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbeddingUnavailable(
            f"{source} returned something else than vectors of one dimension"
        ) from error
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise EmbeddingUnavailable(f"{source} returned numbers of shape {rows.shape}, not vectors")
    if rows.shape[0] != count:
        raise EmbeddingUnavailable(f"{source} returned {rows.shape[0]} vectors for {count} texts")
    return rows
