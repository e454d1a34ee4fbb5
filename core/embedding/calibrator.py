"""Learns what an embedder's cosines mean: once from the built-in sample, then from each scope."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np

from ..languages.registry import languages
from ..languages.scripts import UNDETERMINED
from ..model.memory import LEARNT, RAW, Kind
from ..ports import Embedder, EmbedderIdentity, Filter, MemoryStore, Vector
from ..scoring.decision import Footing
from ..scoring.fitted import FITTED
from ..similarity.calibration import (
    SHRUNK,
    TELLING,
    Baseline,
    Frame,
    Scales,
    VectorScale,
    framed,
    plain,
)
from ..similarity.measure import Matrix

SAMPLE = 64
"""Vectors of each: raw turns, and what was learnt."""

SCOPES = 64
LONGEST_USE = 256
"""Recalls that a scope's sample serves at most; a new one serves few."""

AT_ONCE, TURNS_AT_ONCE = 4, 16
"""Rows of the built-in sample embedded before memories that wait have their turn again."""

PAIRS = {each.code: each.sample for each in languages() if each.sample}
"""By language, (turn, memory); pairs of different rows are unrelated."""

SAMPLED: tuple[tuple[str, str, str], ...] = tuple(
    (language, turn, memory) for language, pairs in PAIRS.items() for turn, memory in pairs
)

TURNS: Mapping[str, Sequence[str]] = json.loads(
    (Path(__file__).parent / "turns.json").read_text("utf-8")
)
"""Turns in 21 languages that need a memory (`needing`) and that need none (`idle`), as many; and
messages that tell what is worth knowing weeks later (`lasting`) or not (`passing`), that wish
something not to be kept (`unkept`), or do not (`kept`), how the bot is to answer from then on
(`standing`), or this once, if at all (`once`)."""

_LOCAL = FITTED[Footing.LOCAL]
READ: dict[str, Scales] = {_LOCAL.space: Scales(*map(VectorScale.read, _LOCAL.scales))}
"""By the fingerprint of each embedder whose vectors were fitted: no more is embedded for it."""

type _Key = tuple[str, frozenset[str]]
type _Rows = list[tuple[Vector, Vector]]


@dataclass(frozen=True, slots=True)
class _Learning:
    """The vectors so far: of `SAMPLED`, then of the `TURNS`, in their order."""

    pairs: _Rows = field(default_factory=list[tuple[Vector, Vector]])
    turns: list[Vector] = field(default_factory=list[Vector])

    @property
    def readable(self) -> bool:
        """Whether cosines can be read; what a turn itself says is learnt after that."""
        return len(self.pairs) == len(SAMPLED)

    @property
    def complete(self) -> bool:
        return len(self.turns) == sum(map(len, TURNS.values()))


@dataclass(slots=True)
class _Sample:
    frames: dict[str, Frame]
    serves: int
    used: int = 0


@dataclass(slots=True)
class Calibrator:
    """Baselines by embedder and samples of the most recently asked scopes."""

    store: MemoryStore
    _learnt: dict[str, dict[str, Baseline]] = field(default_factory=dict[str, dict[str, Baseline]])
    _scales: dict[str, Scales | None] = field(default_factory=dict[str, Scales | None])
    _learning: dict[str, _Learning] = field(default_factory=dict[str, _Learning])
    _samples: OrderedDict[_Key, _Sample] = field(default_factory=OrderedDict[_Key, _Sample])

    async def learn(self, embedder: Embedder) -> None:
        """Embed the built-in sample, once for each embedder. Raises EmbeddingUnavailable."""
        while await self.learn_some(embedder):
            pass

    async def learn_some(self, embedder: Embedder) -> bool:
        """Embed a few rows of the sample; whether there is more of it. New memories come first."""
        fingerprint = (await embedder.identity()).fingerprint
        if fingerprint in self._scales:
            return False
        # Two may learn at once, and both embedded the same texts: nothing is added to, only set.
        so_far = await _more(self._learning.get(fingerprint, _Learning()), embedder)
        if so_far.readable and fingerprint not in self._learnt:
            self._learnt[fingerprint] = _learnt(so_far)
        given = READ.get(fingerprint) if so_far.readable else None
        # One that knows no meaning can say none of what turns do.
        knows = not so_far.readable or any(self.tells_apart(fingerprint).values())
        if knows and given is None and not so_far.complete:
            self._learning[fingerprint] = so_far
            return True
        self._learning.pop(fingerprint, None)
        told = (given or await asyncio.to_thread(_scales, so_far)) if knows else None
        self._scales[fingerprint] = told
        return False

    def tells_apart(self, fingerprint: str) -> Mapping[str, bool]:
        """Of an embedder that is learnt, whether it is read by its cosines, by language."""
        learnt = self._learnt.get(fingerprint, {})
        return {language: each.tells_apart for language, each in learnt.items()}

    async def frame(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Frame:
        """The `plain` frame until the embedder is learnt, and for one that knows no meaning."""
        learnt = self._learnt.get(identity.fingerprint)
        # Whoever cannot tell the sample's pairs apart is not read by its cosines in a scope.
        if learnt is None or not learnt[_sampled_for(language)].tells_apart:
            return plain(identity, language)
        sample = await self._sample(identity.fingerprint, scopes, learnt)
        frame = sample.frames[_sampled_for(language)]
        return replace(frame, scales=self.scales(identity.fingerprint, language))

    def scales(self, fingerprint: str, language: str) -> Scales | None:
        """None until the embedder is learnt, and for one that knows no meaning in the language."""
        learnt = self._learnt.get(fingerprint)
        known = learnt is not None and learnt[_sampled_for(language)].tells_apart
        return self._scales.get(fingerprint) if known else None

    async def common(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Vector | None:
        """None until the embedder is learnt, and for one to which all texts are alike."""
        learnt = self._learnt.get(identity.fingerprint)
        if learnt is None:
            return None
        sample = await self._sample(identity.fingerprint, scopes, learnt)
        centre = sample.frames[_sampled_for(language)].learnt
        if centre is None or centre.related - centre.unrelated < TELLING:
            return None
        return centre.told

    def clear(self) -> None:
        """Forget every scope's sample."""
        self._samples.clear()

    async def _sample(
        self, fingerprint: str, scopes: frozenset[str], learnt: Mapping[str, Baseline]
    ) -> _Sample:
        key = (fingerprint, scopes)
        known = self._samples.get(key)
        if known is None or known.used >= known.serves:
            serves = 1 if known is None else min(LONGEST_USE, 2 * known.serves)
            raw = await self._vectors(fingerprint, scopes, RAW)
            vectors = await self._vectors(fingerprint, scopes, LEARNT)
            frames = {language: framed(each, raw, vectors) for language, each in learnt.items()}
            known = self._samples[key] = _Sample(frames, serves)
        known.used += 1
        self._samples.move_to_end(key)
        while len(self._samples) > SCOPES:
            self._samples.popitem(last=False)
        return known

    async def _vectors(
        self, fingerprint: str, scopes: frozenset[str], kinds: frozenset[Kind]
    ) -> list[Vector]:
        where = Filter(scopes, recallable=True, kinds=kinds)
        newest = await self.store.page(where, limit=SAMPLE)
        found = await self.store.vectors([memory.id for memory in newest])
        return [one.vector for one in found.values() if one.fingerprint == fingerprint]


async def _more(so_far: _Learning, embedder: Embedder) -> _Learning:
    """With the next few rows: first the pairs, each with its query, then turns.

    These are embedded as documents, many in a call: as questions they tell no more.
    """
    if len(so_far.pairs) < len(SAMPLED):
        pairs = SAMPLED[len(so_far.pairs) :][:AT_ONCE]
        documents = await embedder.embed_documents([memory for _, _, memory in pairs])
        queries = [await embedder.embed_query(turn) for _, turn, _ in pairs]
        return replace(so_far, pairs=[*so_far.pairs, *zip(queries, documents, strict=True)])
    turns = [*chain(*TURNS.values())][len(so_far.turns) :][:TURNS_AT_ONCE]
    return replace(so_far, turns=[*so_far.turns, *await embedder.embed_documents(turns)])


def _scales(learning: _Learning) -> Scales:
    rows = iter(learning.turns)
    told = {name: np.stack([*islice(rows, len(texts))]) for name, texts in TURNS.items()}
    return Scales(
        VectorScale.between(told["needing"], told["idle"]),
        VectorScale.between(told["lasting"], told["passing"], shrunk=SHRUNK),
        VectorScale.between(told["unkept"], told["kept"], shrunk=SHRUNK),
        VectorScale.between(told["standing"], told["once"], shrunk=SHRUNK),
    )


def _learnt(learning: _Learning) -> dict[str, Baseline]:
    rows: dict[str, list[tuple[Vector, Vector]]] = {language: [] for language in PAIRS}
    for (language, _, _), row in zip(SAMPLED, learning.pairs, strict=True):
        rows[language].append(row)
    found: dict[str, Baseline] = {}
    for language, own in rows.items():
        queries, documents = zip(*own, strict=True)
        found[language] = Baseline(np.stack(queries), np.stack(documents))
    return found | {UNDETERMINED: _together(list(found.values()))}


def _sampled_for(language: str) -> str:
    """The sample by which texts in a language are read: all of them, where it has none."""
    return language if language in PAIRS else UNDETERMINED


def _together(learnt: Sequence[Baseline]) -> Baseline:
    """What is known whatever the language: of row after row each language has the next.

    The same row of two samples is about the same thing, which would pass for unrelated.
    """

    def mixed(matrices: Sequence[Matrix]) -> Matrix:
        count = len(matrices)
        return np.concatenate([matrix[i::count] for i, matrix in enumerate(matrices)])

    queries, documents = ([each.queries for each in learnt], [each.documents for each in learnt])
    return Baseline(mixed(queries), mixed(documents), tuple(learnt))
