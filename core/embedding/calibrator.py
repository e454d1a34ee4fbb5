"""Learns what an embedder's cosines mean: once from the built-in sample, then from each scope."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
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
    Baseline,
    Frame,
    Scales,
    Statements,
    VectorScale,
    framed,
    plain,
    scope_mean,
)
from ..similarity.measure import Matrix, SimilarityScale

SAMPLE = 64
"""Vectors of each: raw turns, and what was learnt."""

SCOPES = 64
LONGEST_USE = 256
"""Recalls that a scope's sample serves at most; a new one serves few."""

AT_ONCE, TURNS_AT_ONCE = 4, 16
"""Rows of the built-in sample embedded before memories that wait have their turn again."""

PAIRS = {each.code: each.sample.pairs for each in languages() if each.sample.pairs}
"""By language, (turn, memory); pairs of different rows are unrelated."""

VARIANTS = {each.code: each.sample.variants for each in languages() if each.sample.variants}
"""By language, for each of the first memories above: the same said otherwise, and another matter
of the same thing."""

SAMPLED: tuple[tuple[str, str, str], ...] = tuple(
    (language, turn, memory) for language, pairs in PAIRS.items() for turn, memory in pairs
)

STATED: tuple[tuple[str, str, str], ...] = tuple(
    (language, same, related) for language, rows in VARIANTS.items() for same, related in rows
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
    """The vectors so far: of `SAMPLED`, then of `STATED`, then of the `TURNS`, in their order."""

    pairs: _Rows = field(default_factory=list[tuple[Vector, Vector]])
    variants: _Rows = field(default_factory=list[tuple[Vector, Vector]])
    turns: list[Vector] = field(default_factory=list[Vector])

    @property
    def readable(self) -> bool:
        """Whether cosines can be read; what a turn itself says is learnt after that."""
        return len(self.pairs) == len(SAMPLED) and len(self.variants) == len(STATED)

    @property
    def complete(self) -> bool:
        return len(self.turns) == sum(map(len, TURNS.values()))


@dataclass(frozen=True)
class _Learnt:
    """What is known of one embedder in one language, or in all of them."""

    baseline: Baseline
    statements: Statements

    @cached_property
    def tells_apart(self) -> bool:
        """`Baseline.tells_apart`, asked by every recall and reckoned once."""
        return self.baseline.tells_apart


@dataclass(slots=True)
class _Sample:
    frames: dict[str, Frame]
    scales: dict[str, SimilarityScale | None]
    serves: int
    used: int = 0


@dataclass(slots=True)
class Calibrator:
    """Baselines by embedder and samples of the most recently asked scopes."""

    store: MemoryStore
    _learnt: dict[str, dict[str, _Learnt]] = field(default_factory=dict[str, dict[str, _Learnt]])
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

    async def similarity_scale(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> SimilarityScale | None:
        """None until the embedder is learnt, and for one that cannot tell relations apart."""
        learnt = self._learnt.get(identity.fingerprint)
        if learnt is None:
            return None
        sample = await self._sample(identity.fingerprint, scopes, learnt)
        return sample.scales[_sampled_for(language)]

    def clear(self) -> None:
        """Forget every scope's sample."""
        self._samples.clear()

    async def _sample(
        self, fingerprint: str, scopes: frozenset[str], learnt: Mapping[str, _Learnt]
    ) -> _Sample:
        key = (fingerprint, scopes)
        known = self._samples.get(key)
        if known is None or known.used >= known.serves:
            serves = 1 if known is None else min(LONGEST_USE, 2 * known.serves)
            raw = await self._vectors(fingerprint, scopes, RAW)
            vectors = await self._vectors(fingerprint, scopes, LEARNT)
            known = self._samples[key] = _sampled(learnt, raw, vectors, serves)
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
    """With the next few rows: first the pairs, each with its query, then the variants, then turns.

    These are embedded as documents, many in a call: as questions they tell no more.
    """
    if len(so_far.pairs) < len(SAMPLED):
        pairs = SAMPLED[len(so_far.pairs) :][:AT_ONCE]
        documents = await embedder.embed_documents([memory for _, _, memory in pairs])
        queries = [await embedder.embed_query(turn) for _, turn, _ in pairs]
        return replace(so_far, pairs=[*so_far.pairs, *zip(queries, documents, strict=True)])
    if len(so_far.variants) == len(STATED):
        turns = [*chain(*TURNS.values())][len(so_far.turns) :][:TURNS_AT_ONCE]
        return replace(so_far, turns=[*so_far.turns, *await embedder.embed_documents(turns)])
    rows = STATED[len(so_far.variants) :][:AT_ONCE]
    texts = [text for _, same, related in rows for text in (same, related)]
    vectors = await embedder.embed_documents(texts)
    fresh = zip(vectors[::2], vectors[1::2], strict=True)
    return replace(so_far, variants=[*so_far.variants, *fresh])


def _scales(learning: _Learning) -> Scales:
    rows = iter(learning.turns)
    told = {name: np.stack([*islice(rows, len(texts))]) for name, texts in TURNS.items()}
    return Scales(
        VectorScale.between(told["needing"], told["idle"]),
        VectorScale.between(told["lasting"], told["passing"], shrunk=SHRUNK),
        VectorScale.between(told["unkept"], told["kept"], shrunk=SHRUNK),
        VectorScale.between(told["standing"], told["once"], shrunk=SHRUNK),
    )


def _learnt(learning: _Learning) -> dict[str, _Learnt]:
    pairs = _by_language([language for language, _, _ in SAMPLED], learning.pairs)
    variants = _by_language([language for language, _, _ in STATED], learning.variants)
    found: dict[str, _Learnt] = {}
    for language in PAIRS:
        (queries, documents), (same, related) = pairs[language], variants[language]
        statements = Statements(documents[: len(same)], same, related)
        found[language] = _Learnt(Baseline(queries, documents), statements)
    return found | {UNDETERMINED: _together(list(found.values()))}


def _sampled_for(language: str) -> str:
    """The sample by which texts in a language are read: all of them, where it has none."""
    return language if language in PAIRS else UNDETERMINED


def _together(learnt: Sequence[_Learnt]) -> _Learnt:
    """What is known whatever the language: of row after row each language has the next.

    The same row of two samples is about the same thing, which would pass for unrelated.
    """

    def mixed(matrices: Sequence[Matrix]) -> Matrix:
        count = len(matrices)
        return np.concatenate([matrix[i::count] for i, matrix in enumerate(matrices)])

    told = [(each.baseline, each.statements) for each in learnt]
    columns = [(b.queries, b.documents, s.statements, s.same, s.related) for b, s in told]
    queries, documents, *statements = (mixed(each) for each in zip(*columns, strict=True))
    whole = Baseline(queries, documents, tuple(each.baseline for each in learnt))
    return _Learnt(whole, Statements(*statements))


def _by_language(languages: Sequence[str], rows: _Rows) -> dict[str, list[Matrix]]:
    """Both columns of the rows of each language."""
    told = list(zip(languages, rows, strict=True))
    return {
        language: [np.stack([row[side] for of, row in told if of == language]) for side in (0, 1)]
        for language in PAIRS
    }


def _sampled(
    known: Mapping[str, _Learnt], raw: list[Vector], learnt: list[Vector], serves: int
) -> _Sample:
    frames: dict[str, Frame] = {}
    scales: dict[str, SimilarityScale | None] = {}
    for language, each in known.items():
        frames[language] = framed(each.baseline, raw, learnt)
        # Only what was learnt is compared: raw turns are never merged.
        mean = scope_mean(each.statements.mean, learnt)
        scales[language] = each.statements.similarity_scale(mean)
    return _Sample(frames, scales, serves)
