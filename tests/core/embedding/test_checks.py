"""Usable vectors, texts in batches, hashed n-grams, and queries that cost nothing again."""

import asyncio
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.cached import CachedEmbedder, sound_text, unit_vectors
from astrbot_plugin_tidemark.core.embedding.hashed import (
    DIMENSION,
    UNRELATED,
    HashedEmbedder,
    vector,
)
from astrbot_plugin_tidemark.core.embedding.threads import batches, padded
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.ports import EmbedderIdentity, Vector
from hypothesis import given
from hypothesis import strategies as st

finite = st.floats(allow_nan=False, allow_infinity=False)
rows = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(finite, min_size=width, max_size=width).filter(any), min_size=1, max_size=5
    )
)


@given(rows)
def test_finite_rows_come_back_as_unit_float32_in_their_direction(raw: list[list[float]]) -> None:
    vectors = unit_vectors(raw, count=len(raw), source="it")
    assert len(vectors) == len(raw)
    for made, row in zip(vectors, raw, strict=True):
        assert made.dtype == np.float32
        assert math.isclose(float(np.linalg.norm(made)), 1.0, abs_tol=1e-5)
        strongest = max(range(len(row)), key=lambda place: abs(row[place]))
        assert np.sign(made[strongest]) == np.sign(row[strongest])


@given(st.lists(st.lists(st.floats() | st.none() | st.text(max_size=3), max_size=3), max_size=3))
def test_any_other_rows_are_refused_and_nothing_else_is_raised(raw: list[list[object]]) -> None:
    with suppress(EmbeddingUnavailable):
        vectors = unit_vectors(raw, count=2, source="it")
        assert len(vectors) == 2
        assert all(np.isfinite(vector).all() for vector in vectors)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ([[1.0, 0.0]], "1 vectors for 2 texts"),
        ([[1.0], [1.0], [1.0]], "3 vectors for 2 texts"),
        ([[1.0, 2.0], [1.0]], "one dimension"),
        ([[1.0, math.nan], [1.0, 2.0]], "not finite"),
        ([[1.0, math.inf], [1.0, 2.0]], "not finite"),
        ([[1.0, None], [1.0, 2.0]], "not finite"),
        ([[0.0, 0.0], [1.0, 2.0]], "zero"),
        ([[], []], "shape"),
        ([1.0, 2.0], "shape"),
        ({"data": 1}, "something else"),
        (None, "shape"),
        ([["a"], ["b"]], "something else"),
        ([[10**400], [1]], "something else"),
    ],
)
def test_the_reason_says_what_is_wrong(raw: object, reason: str) -> None:
    with pytest.raises(EmbeddingUnavailable, match=reason):
        unit_vectors(raw, count=2, source="the provider")


def test_another_dimension_is_refused_and_extreme_numbers_are_kept() -> None:
    with pytest.raises(EmbeddingUnavailable, match="3 dimensions where it returned 2 before"):
        unit_vectors([[1.0, 2.0, 3.0]], count=1, source="it", dimension=2)
    assert unit_vectors(None, count=0, source="it") == []
    for size in (1e308, 5e-324):
        (vector,) = unit_vectors([[size, -size]], count=1, source="it")
        assert vector == pytest.approx([math.sqrt(0.5), -math.sqrt(0.5)])
    assert sound_text("  潮\0痕 \ud800tide ", 100) == "潮 痕 ?tide"


@given(st.text(st.characters(), max_size=50), st.integers(0, 60))
def test_a_sound_text_is_short_encodable_and_free_of_nul(text: str, limit: int) -> None:
    sound = sound_text(text, limit)
    assert len(sound) <= limit
    assert "\0" not in sound
    assert sound.encode("utf-8").decode("utf-8") == sound == sound.strip()


MOST = 512


def test_batches_hold_every_text_once_and_rows_are_filled_up() -> None:
    lengths = [5, 900, 30, 30, 512, 1, 200]
    found = batches(lengths, MOST)
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[p] for p in batch) <= MOST
    filled, mask = padded([(5, 6, 7), (8,)], 1)
    assert filled.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]


ROOT = Path(__file__).resolve().parents[3]
ANY_TEXT = st.text(st.characters(), max_size=120)


@given(ANY_TEXT)
def test_any_text_has_a_finite_unit_vector(text: str) -> None:
    made = vector(text)
    assert made.shape == (DIMENSION,)
    assert made.dtype == np.float32
    assert np.isfinite(made).all()
    assert float(np.linalg.norm(made)) == pytest.approx(1.0, abs=1e-5)


@given(st.permutations(["tide", "marks", "猫", "潮痕", "sand", "2024"]))
def test_word_order_does_not_matter(words: list[str]) -> None:
    straight = vector("tide, marks, 猫, 潮痕, sand, 2024")
    assert vector(", ".join(words)) @ straight == pytest.approx(1.0, abs=1e-5)


def test_vectors_are_the_same_in_another_process_with_another_hash_seed() -> None:
    text = "我对花生过敏 allergic to peanuts"
    script = (
        "import runpy, sys; runpy.run_path('tests/mounted.py')\n"
        "from astrbot_plugin_tidemark.core.embedding.hashed import vector\n"
        f"sys.stdout.write(vector({text!r}).tobytes().hex())"
    )
    made = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert made.stdout == vector(text).tobytes().hex()


def test_95_percent_of_unrelated_lie_below_it(unrelated_pairs: list[tuple[str, str]]) -> None:
    cosines = [float(vector(one) @ vector(other)) for one, other in unrelated_pairs]
    assert np.percentile(cosines, 95) < UNRELATED
    assert abs(np.mean(cosines)) < UNRELATED / 2


def test_every_paraphrase_with_shared_words_lies_well_above_unrelated(
    paraphrases: tuple[tuple[str, str], ...],
) -> None:
    assert min(float(vector(one) @ vector(other)) for one, other in paraphrases) > 3 * UNRELATED


def test_what_texts_share_makes_their_vectors_near_but_function_words_do_not() -> None:
    text = "豆豆是我养的橘猫"
    assert vector(text) @ vector(" ".join([text] * 10)) > 0.95
    assert vector("gardening") @ vector("gardener") > UNRELATED
    assert vector("喜欢") @ vector("欢喜") > UNRELATED
    one, other = vector("what is the violin of my sister"), vector("what is the bridge of my uncle")
    assert one @ other < UNRELATED
    assert vector("🌊🌊") @ vector("🌊") == pytest.approx(1.0)
    assert vector("🌊") @ vector("🔥") < UNRELATED
    assert vector("") @ vector(" \0 ") == pytest.approx(1.0)
    text = "潮水退去留下痕迹" * 12_500
    assert np.array_equal(vector(text), vector(text[:8_000]))


async def test_a_query_and_a_document_of_the_same_text_are_the_same_vector() -> None:
    embedder = HashedEmbedder()
    documents = await embedder.embed_documents(["潮痕", "tide mark"])
    assert np.array_equal(documents[1], await embedder.embed_query("tide mark"))
    assert await embedder.embed_documents([]) == []
    identity = await HashedEmbedder().identity()
    assert identity.dimension == len(await HashedEmbedder().embed_query("x"))
    assert identity.unrelated == UNRELATED
    assert identity == await HashedEmbedder().identity()


class CountedEmbedder(HashedEmbedder):
    """Hashed vectors, with a record of what was asked, a switch to fail and a gate to wait at."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.model = "one"
        self.down = False
        self.called = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity("counted", self.model, 512)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return await super().embed_documents(texts)

    async def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        self.called.set()
        await self.gate.wait()
        if self.down:
            raise EmbeddingUnavailable("down")
        return vector(text)


inner = pytest.fixture(lambda: CountedEmbedder())


async def test_a_repeated_query_is_asked_once(inner: CountedEmbedder) -> None:
    cached = CachedEmbedder(inner)
    first, again = await cached.embed_query("潮"), await cached.embed_query("潮")
    assert inner.asked == ["潮"]
    assert np.array_equal(first, again)
    assert np.array_equal(first, vector("潮"))


async def test_identical_queries_at_the_same_time_are_asked_once(inner: CountedEmbedder) -> None:
    cached = CachedEmbedder(inner)
    inner.gate.clear()
    waiting = [asyncio.ensure_future(cached.embed_query("tide")) for _ in range(5)]
    await asyncio.sleep(0)
    inner.gate.set()
    vectors = await asyncio.gather(*waiting)
    assert inner.asked == ["tide"]
    assert all(np.array_equal(made, vector("tide")) for made in vectors)


async def test_when_the_first_asker_is_cancelled_the_next_one_asks(inner: CountedEmbedder) -> None:
    cached = CachedEmbedder(inner)
    inner.gate.clear()
    first = asyncio.ensure_future(cached.embed_query("tide"))
    second = asyncio.ensure_future(cached.embed_query("tide"))
    await inner.called.wait()
    first.cancel()
    inner.gate.set()
    assert np.array_equal(await second, vector("tide"))
    assert first.cancelled()
    assert inner.asked == ["tide", "tide"]


async def test_a_failure_is_not_remembered(inner: CountedEmbedder) -> None:
    cached = CachedEmbedder(inner)
    inner.down = True
    with pytest.raises(EmbeddingUnavailable):
        await cached.embed_query("tide")
    inner.down = False
    assert np.array_equal(await cached.embed_query("tide"), vector("tide"))


async def test_another_vector_space_has_its_own_entries(inner: CountedEmbedder) -> None:
    cached = CachedEmbedder(inner)
    await cached.embed_query("tide")
    inner.model = "two"
    await cached.embed_query("tide")
    assert inner.asked == ["tide", "tide"]


@given(st.lists(st.sampled_from("abcdef"), max_size=40), st.integers(1, 6))
def test_it_asks_exactly_what_an_lru_list_has_lost(queries: list[str], size: int) -> None:
    async def ask() -> list[str]:
        inner = CountedEmbedder()
        cached = CachedEmbedder(inner, size)
        for query in queries:
            await cached.embed_query(query)
        return inner.asked

    recent: list[str] = []
    missed: list[str] = []
    for query in queries:
        if query in recent:
            recent.remove(query)
        else:
            missed.append(query)
        recent = [*recent, query][-size:]
    assert asyncio.run(ask()) == missed


async def test_a_remembered_vector_cannot_be_changed(inner: CountedEmbedder) -> None:
    made = await CachedEmbedder(inner).embed_query("tide")
    with pytest.raises(ValueError, match="read-only"):
        made[0] = 1.0


async def test_documents_pass_through_uncached(inner: CountedEmbedder) -> None:
    cached = CachedEmbedder(inner)
    await cached.embed_documents(["a", "a"])
    await cached.embed_documents(["a"])
    assert inner.asked == ["a", "a", "a"]
    assert await cached.identity() == await inner.identity()


async def test_a_cleared_cache_asks_again() -> None:
    inner = CountedEmbedder()
    cached = CachedEmbedder(inner)
    await cached.embed_query("hives")
    cached.clear()
    await cached.embed_query("hives")
    assert inner.asked == ["hives", "hives"]
