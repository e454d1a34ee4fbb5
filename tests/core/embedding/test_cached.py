"""A repeated query costs nothing, and what is remembered stays what it was."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.cached import CachedEmbedder
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder, vector
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.ports import EmbedderIdentity, Vector
from hypothesis import given
from hypothesis import strategies as st


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
