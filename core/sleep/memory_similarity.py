"""Centred vectors of the memories of a scope, to compare them with each other. Async."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..languages.scripts import language_of
from ..model.errors import EmbeddingUnavailable
from ..model.memory import RAW, EmbedderIdentity, Memory
from ..ports import EmbedderSource, MemoryStore, Vector
from ..similarity.calibration import Frames
from ..similarity.measure import REMOVED, Matrix, rows

SAMPLE = 50
"""Texts by which the language is told."""


@dataclass(frozen=True, slots=True)
class MemorySimilarity:
    """Reads vectors of the embedder in force, on the scale of the scope."""

    store: MemoryStore
    embedders: EmbedderSource
    frames: Frames

    async def centred(self, scope: str, ids: Sequence[str]) -> Matrix | None:
        """Unit vectors without what all have in common, row by row; zeros where there is none.

        None without an embedder, or where it does not tell what says the same from what does not.
        """
        if (identity := await self._identity()) is None or not ids:
            return None
        language = _language(await self.store.find(ids[:SAMPLE]))
        common = await self.frames.common(identity, frozenset({scope}), language)
        if common is None:
            return None
        known = await self._vectors(ids, identity)
        # Of ten thousand memories it takes longer than the event loop may wait.
        return await asyncio.to_thread(_centred, ids, known, common)

    async def by_kind(self, scope: str, memories: Sequence[Memory]) -> Mapping[str, Vector]:
        """By id, unit vectors without the mean of their kind: raw turns beside what was learnt.

        Of those that have a vector of the embedder in force; none if nothing is known of it.
        """
        if (identity := await self._identity()) is None or not memories:
            return {}
        frame = await self.frames.frame(identity, frozenset({scope}), _language(memories))
        if frame.raw is None or frame.learnt is None:
            return {}
        known = await self._vectors([memory.id for memory in memories], identity)
        found: dict[str, Vector] = {}
        for memory in memories:
            mean = (frame.raw if memory.kind in RAW else frame.learnt).told
            if (own := known.get(memory.id)) is not None and own.size == mean.size:
                found[memory.id] = rows(np.asarray(own - mean, np.float32)[None, :])[0]
        return found

    async def _vectors(self, ids: Sequence[str], identity: EmbedderIdentity) -> dict[str, Vector]:
        found = await self.store.vectors(ids)
        return {i: v.vector for i, v in found.items() if v.fingerprint == identity.fingerprint}

    async def _identity(self) -> EmbedderIdentity | None:
        embedder = await self.embedders.choose()
        try:
            return None if embedder is None else await embedder.identity()
        except EmbeddingUnavailable:
            return None


def _language(memories: Sequence[Memory]) -> str:
    return language_of(" ".join(memory.text[:200] for memory in memories[:SAMPLE]))


def _centred(ids: Sequence[str], known: Mapping[str, Vector], mean: Vector) -> Matrix:
    none = np.zeros_like(mean)
    own = (known.get(id, none) for id in ids)
    matrix = np.stack([each if each.size == mean.size else none for each in own])
    there = np.any(matrix != 0.0, axis=1, keepdims=True)
    return np.asarray(rows(np.asarray(matrix - REMOVED * mean, np.float32)) * there, np.float32)
