"""Learns what an embedder's cosines mean: once from the built-in sample, then from each scope."""

from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np

from ..calibration import Baseline, Frame, framed, plain
from ..ports import Embedder, EmbedderIdentity, Filter, MemoryStore, Vector
from ..text.language import Language
from .sample import PAIRS

SAMPLE = 64
SCOPES = 64
LONGEST_USE = 256
"""Recalls that a scope's sample serves at most; a new one serves few."""

AT_ONCE = 4
"""Pairs of the built-in sample embedded before memories that wait have their turn again."""

SAMPLED: tuple[tuple[Language, str, str], ...] = tuple(
    (language, turn, memory) for language, pairs in PAIRS.items() for turn, memory in pairs
)

type _Key = tuple[str, frozenset[str]]


@dataclass(slots=True)
class _Sample:
    frames: dict[Language, Frame]
    serves: int
    used: int = 0


@dataclass(slots=True)
class Calibrator:
    """Baselines by embedder and samples of the most recently asked scopes."""

    store: MemoryStore
    _baselines: dict[str, dict[Language, Baseline]] = field(
        default_factory=dict[str, dict[Language, Baseline]]
    )
    _learning: dict[str, list[tuple[Vector, Vector]]] = field(
        default_factory=dict[str, list[tuple[Vector, Vector]]]
    )
    _samples: OrderedDict[_Key, _Sample] = field(default_factory=OrderedDict[_Key, _Sample])

    async def learn(self, embedder: Embedder) -> None:
        """Embed the built-in sample, once for each embedder. Raises EmbeddingUnavailable."""
        while await self.learn_some(embedder):
            pass

    async def learn_some(self, embedder: Embedder) -> bool:
        """Embed a few pairs of the sample; whether there is more of it. New memories come first."""
        fingerprint = (await embedder.identity()).fingerprint
        if fingerprint in self._baselines:
            return False
        done = self._learning.get(fingerprint, [])
        pairs = SAMPLED[len(done) : len(done) + AT_ONCE]
        documents = await embedder.embed_documents([memory for _, _, memory in pairs])
        queries = [await embedder.embed_query(turn) for _, turn, _ in pairs]
        # Two may learn at once, and both embedded the same pairs: nothing is added to, only set.
        learnt = [*done, *zip(queries, documents, strict=True)]
        if len(learnt) < len(SAMPLED):
            self._learning[fingerprint] = learnt
            return True
        self._learning.pop(fingerprint, None)
        self._baselines[fingerprint] = _baselines(learnt)
        return False

    async def frame(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: Language
    ) -> Frame:
        """The `plain` frame until the embedder is learnt, and for one that knows no meaning."""
        baselines = self._baselines.get(identity.fingerprint)
        # Whoever cannot tell the sample's pairs apart is not read by its cosines in a scope.
        if baselines is None or not baselines[language].tells_apart:
            return plain(identity, language)
        sample = await self._sample(identity.fingerprint, scopes, baselines)
        return sample.frames[language]

    def clear(self) -> None:
        """Forget every scope's sample."""
        self._samples.clear()

    async def _sample(
        self, fingerprint: str, scopes: frozenset[str], baselines: dict[Language, Baseline]
    ) -> _Sample:
        key = (fingerprint, scopes)
        known = self._samples.get(key)
        if known is None or known.used >= known.serves:
            serves = 1 if known is None else min(LONGEST_USE, 2 * known.serves)
            vectors = await self._vectors(fingerprint, scopes)
            frames: dict[Language, Frame] = {
                language: framed(one, vectors) for language, one in baselines.items()
            }
            known = self._samples[key] = _Sample(frames, serves)
        known.used += 1
        self._samples.move_to_end(key)
        while len(self._samples) > SCOPES:
            self._samples.popitem(last=False)
        return known

    async def _vectors(self, fingerprint: str, scopes: frozenset[str]) -> list[Vector]:
        newest = await self.store.page(Filter(scopes, recallable=True), limit=SAMPLE)
        found = await self.store.vectors([memory.id for memory in newest])
        return [one.vector for one in found.values() if one.fingerprint == fingerprint]


def _baselines(learnt: list[tuple[Vector, Vector]]) -> dict[Language, Baseline]:
    of: dict[Language, list[tuple[Vector, Vector]]] = {language: [] for language in PAIRS}
    for (language, _, _), vectors in zip(SAMPLED, learnt, strict=True):
        of[language].append(vectors)
    return {
        language: Baseline(np.stack([q for q, _ in pairs]), np.stack([d for _, d in pairs]))
        for language, pairs in of.items()
    }
