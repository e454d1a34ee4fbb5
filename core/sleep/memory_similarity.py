"""Centred vectors of the memories of a scope, to compare them with each other. Async."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..languages.scripts import language_of
from ..model.errors import EmbeddingUnavailable
from ..model.memory import RAW, EmbedderIdentity, Memory
from ..ports import Embedded, EmbedderSource, Vector, VectorSearch
from ..similarity.calibration import Frames
from ..similarity.measure import REMOVED, Matrix, rows

SAMPLE = 50
"""Texts by which the language is told."""


@dataclass(frozen=True, slots=True)
class MemorySimilarity:
    """Reads vectors of the embedder in force, on the scale of the scope."""

    store: VectorSearch
    embedders: EmbedderSource
    frames: Frames

    async def centred(self, scope: str, memories: Sequence[Memory]) -> Matrix | None:
        """Unit vectors without what all have in common, row by row; zeros where there is none.

        None without an embedder, or where it does not tell what says the same from what does not.
        """
        identity = await self._identity()
        if identity is None or not memories:
            return None
        language = language_of(" ".join(memory.text[:200] for memory in memories[:SAMPLE]))
        scale = await self.frames.similarity_scale(identity, frozenset({scope}), language)
        if scale is None or scale.mean is None:
            return None
        found = await self.store.vectors([memory.id for memory in memories])
        ids = [memory.id for memory in memories]
        # Of ten thousand memories it takes longer than the event loop may wait.
        return await asyncio.to_thread(_centred, ids, found, identity.fingerprint, scale.mean)

    async def by_kind(self, scope: str, memories: Sequence[Memory]) -> Mapping[str, Vector]:
        """By id, unit vectors without the mean of their kind: raw turns beside what was learnt.

        Of those that have a vector of the embedder in force; none if nothing is known of it.
        """
        identity = await self._identity()
        if identity is None or not memories:
            return {}
        language = language_of(" ".join(memory.text[:200] for memory in memories[:SAMPLE]))
        frame = await self.frames.frame(identity, frozenset({scope}), language)
        if frame.raw is None or frame.learnt is None:
            return {}
        known = await self.store.vectors([memory.id for memory in memories])
        found: dict[str, Vector] = {}
        for memory in memories:
            own = known.get(memory.id)
            mean = (frame.raw if memory.kind in RAW else frame.learnt).told
            if own and own.fingerprint == identity.fingerprint and own.vector.size == mean.size:
                found[memory.id] = rows(np.asarray(own.vector - mean, np.float32)[None, :])[0]
        return found

    async def _identity(self) -> EmbedderIdentity | None:
        embedder = await self.embedders.choose()
        if embedder is None:
            return None
        try:
            return await embedder.identity()
        except EmbeddingUnavailable:
            return None


def _centred(
    ids: Sequence[str], found: Mapping[str, Embedded], fingerprint: str, mean: Vector
) -> Matrix:
    none = np.zeros_like(mean)
    known = [
        own.vector
        if own and (own.fingerprint, own.vector.size) == (fingerprint, mean.size)
        else none
        for own in map(found.get, ids)
    ]
    matrix = np.stack(known)
    there = np.any(matrix != 0.0, axis=1, keepdims=True)
    return np.asarray(rows(np.asarray(matrix - REMOVED * mean, np.float32)) * there, np.float32)
