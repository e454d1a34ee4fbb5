"""Vectors of texts, and the space that they belong to. Values only."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

type Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Names a vector space: vectors of different identities are never compared.

    `unrelated` is the cosine at or below which this space says nothing (e5's unrelated pairs
    sit at .82), `unrelated_latin` the same for queries in Latin script where that differs;
    `dimension` is what the model really returned.
    """

    provider: str
    model: str
    dimension: int
    unrelated: float = 0.3
    unrelated_latin: float | None = None

    @property
    def fingerprint(self) -> str:
        """Stored with each vector."""
        return f"{self.provider}:{self.model}:{self.dimension}"
