"""A similarity means the same under every embedder, and without one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.calibrator import PAIRS, VARIANTS
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.embedding.local.install import ModelFileState, status
from astrbot_plugin_tidemark.core.embedding.local.model import LocalEmbedder
from astrbot_plugin_tidemark.core.languages.scripts import language_of
from astrbot_plugin_tidemark.core.ports import Embedder, EmbedderIdentity, Vector
from astrbot_plugin_tidemark.core.similarity.calibration import Statements
from astrbot_plugin_tidemark.core.similarity.measure import (
    ABOUT_THE_SAME,
    SAME,
    Matrix,
    SimilarityScale,
)
from hypothesis import given
from hypothesis import strategies as st

MODELS = Path(__file__).resolve().parents[3] / ".astrbot-dev" / "models"

SAYING_THE_SAME = (
    ("用户对花生过敏，不能吃花生", "用户吃花生会过敏"),
    ("用户的哥哥在杭州一家银行上班", "用户的哥哥在杭州的银行工作"),
    ("用户下周三要去北京出差", "下周三用户去北京出差"),
    ("用户在学画水彩，每周上一次课", "用户每周上一次水彩画课"),
    ("The user is allergic to peanuts", "The user has a peanut allergy"),
    ("Nora plays the violin in an orchestra", "Nora is a violin player in an orchestra"),
    ("The user plans a trip to Norway in July", "In July the user plans to travel to Norway"),
    ("Max commutes to work by bicycle", "Max rides his bicycle to work"),
)
"""None of them is in the sample."""

APART = (
    "用户对花生过敏，不能吃花生",
    "用户的哥哥在杭州一家银行上班",
    "用户在学画水彩，每周上一次课",
    "用户的打印机总是卡纸",
    "The user is allergic to peanuts",
    "Nora plays the violin in an orchestra",
    "Max commutes to work by bicycle",
    "The printer in the office jams every day",
)


class Remembering:
    """Embeds each text once."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._known: dict[str, Vector] = {}

    async def identity(self) -> EmbedderIdentity:
        return await self._inner.identity()

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        fresh = [text for text in texts if text not in self._known]
        self._known |= zip(fresh, await self._inner.embed_documents(fresh), strict=True)
        return [self._known[text] for text in texts]

    async def embed_query(self, text: str) -> Vector:
        return await self._inner.embed_query(text)


class Squeezed:
    """Hashed vectors beside a direction that all texts share: no cosine is below .8."""

    def __init__(self) -> None:
        self._inner = HashedEmbedder()

    async def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity("squeezed", "hashed", 513)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return [await self.embed_query(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        inner = await self._inner.embed_query(text)
        return np.append(inner * 0.2**0.5, 0.8**0.5).astype(np.float32)


async def learnt(embedder: Embedder, language: str) -> SimilarityScale:
    rows = VARIANTS[language]
    documents = [memory for _, memory in PAIRS[language]][: len(rows)]
    columns = (documents, [same for same, _ in rows], [related for _, related in rows])
    statements = Statements(*[np.stack(await embedder.embed_documents(one)) for one in columns])
    similarity_scale = statements.similarity_scale(statements.mean)
    assert similarity_scale is not None
    return similarity_scale


async def check(embedder: Embedder) -> None:
    for language in ("zh", "en"):
        similarity_scale = await learnt(embedder, language)
        same = [pair for pair in SAYING_THE_SAME if language_of(pair[0]) == language]
        said = [np.stack(await embedder.embed_documents(pair)) for pair in same]
        assert np.mean([similarity_scale.similarity(*pair) for pair in said]) > 0.75
        apart = [text for text in APART if language_of(text) == language]
        others = similarity_scale.similarities(np.stack(await embedder.embed_documents(apart)))
        assert others[~np.eye(len(apart), dtype=bool)].mean() < ABOUT_THE_SAME
        await check_sample(embedder, similarity_scale, language)


async def check_sample(
    embedder: Embedder, similarity_scale: SimilarityScale, language: str
) -> None:
    rows = VARIANTS[language]
    first = await embedder.embed_documents([m for _, m in PAIRS[language]][: len(rows)])
    same = await embedder.embed_documents([one for one, _ in rows])
    about = await embedder.embed_documents([one for _, one in rows])
    said = [similarity_scale.similarity(a, b) for a, b in zip(first, same, strict=True)]
    told = [similarity_scale.similarity(a, b) for a, b in zip(first, about, strict=True)]
    assert np.mean(np.array(said) >= SAME) >= 0.75
    assert np.mean(np.array(told) >= SAME) <= 0.15
    assert np.mean(np.array(told) >= ABOUT_THE_SAME) >= 0.65


@pytest.mark.parametrize("embedder", [HashedEmbedder(), Squeezed()], ids=["hashed", "squeezed"])
async def test_thresholds_keep_their_meaning(embedder: Embedder) -> None:
    await check(embedder)


@pytest.mark.skipif(
    status(MODELS) is not ModelFileState.READY, reason="the local model is not installed"
)
async def test_thresholds_keep_their_meaning_with_the_local_model() -> None:
    local = LocalEmbedder(MODELS)
    try:
        await check(Remembering(local))
    finally:
        await local.aclose()


async def test_squeezed_vectors_give_nearly_the_similarities_of_the_plain_ones() -> None:
    for one, other in SAYING_THE_SAME:
        language = language_of(one)
        read = [
            (await learnt(each, language)).similarity(*await each.embed_documents([one, other]))
            for each in (HashedEmbedder(), Squeezed())
        ]
        assert read[0] == pytest.approx(read[1], abs=0.1)


levels = st.lists(st.floats(0.0, 0.99), min_size=3, max_size=3, unique=True).map(sorted)


@given(levels, st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=9))
def test_similarity_is_bounded_and_rises_with_scores(at: list[float], scores: list[float]) -> None:
    similarity_scale = SimilarityScale(*at)
    read = [similarity_scale.read(score) for score in sorted(scores)]
    assert read == sorted(read)
    assert 0.0 <= read[0] <= read[-1] <= 1.0


def test_the_levels_are_read_as_the_thresholds() -> None:
    similarity_scale = SimilarityScale(0.1, 0.3, 0.6)
    assert [similarity_scale.read(score) for score in (0.1, 0.3, 0.6, 1.0)] == [
        0.0,
        pytest.approx(ABOUT_THE_SAME),
        pytest.approx(SAME),
        1.0,
    ]
    vectors: Matrix = np.random.default_rng(3).normal(size=(6, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = SimilarityScale(0.0, 0.3, 0.6, np.full(8, 0.1, np.float32)).similarities(vectors)
    assert np.allclose(matrix, matrix.T)
    assert np.allclose(np.diag(matrix), 1.0, atol=1e-5)
    same = np.ones((12, 4), np.float32) / 2
    assert Statements(same, same, same).similarity_scale(same[0]) is None
