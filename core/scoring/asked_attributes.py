"""Which attribute of a life a turn asks for, by its meaning. Pure.

"Whom do I ask to sign off my holiday" asks who the boss is and says no word that a list of words
for bosses would have. So it is a multinomial logistic regression on the turn's vector, where the
embedder is one that was fitted for. Algorithms, section 7.9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..model.vectors import Vector

type Keys = tuple[str, ...]
"""Attributes that answer a question about a topic."""


@dataclass(frozen=True, slots=True)
class OfSpace:
    """What vectors of one space weigh for each topic, a row each, and the logits without them."""

    weights: NDArray[np.float32]
    bases: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AskedAttributes:
    """The `topics`, and by an embedder's fingerprint what its vectors weigh for them.

    One topic has no attributes: what is asked of a life that is none of these.
    """

    topics: Sequence[Keys] = ()
    meaning: Mapping[str, OfSpace] = field(default_factory=dict[str, OfSpace])

    def likely(self, vector: Vector, fingerprint: str) -> Mapping[str, float]:
        """Of a turn that asks for what is remembered: how likely it asks for each attribute.

        An attribute that answers several topics has their sum. `vector` is the turn's own, at unit
        length, of the space that `fingerprint` names; of any other nothing is known.
        """
        model = self.meaning.get(fingerprint)
        if model is None or model.weights.shape[1:] != vector.shape:
            return {}
        logits = model.bases + np.einsum("ij,j->i", model.weights, vector)
        odds = np.exp(logits - logits.max())
        told: dict[str, float] = {}
        for keys, share in zip(self.topics, (odds / odds.sum()).tolist(), strict=True):
            for key in keys:
                told[key] = told.get(key, 0.0) + share
        return told


UNREAD = AskedAttributes()
"""Knows of no turn what it asks for."""
