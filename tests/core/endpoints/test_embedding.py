"""The endpoint embedder against a real HTTP server that answers well and badly."""

import asyncio
import base64
import json
import math
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from astrbot_plugin_tidemark.core.embedding.backfill import Backfill
from astrbot_plugin_tidemark.core.endpoints import embedding as endpoint
from astrbot_plugin_tidemark.core.endpoints.embedding import EndpointEmbedder
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ...samples import memory
from .conftest import served

type Answer = Callable[[list[str]], Any]


def numbers(text: str) -> list[float]:
    return [math.cos(len(text)), math.sin(len(text)), 0.5]


def listed(rows: list[Any]) -> dict[str, Any]:
    return {"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]}


def right(texts: list[str]) -> dict[str, Any]:
    return listed([numbers(text) for text in texts])


def as_base64(texts: list[str]) -> dict[str, Any]:
    packed = [np.asarray(numbers(text), "<f4").tobytes() for text in texts]
    return listed([base64.b64encode(row).decode() for row in packed])


class Source:
    settled = True

    def __init__(self, embedder: EndpointEmbedder) -> None:
        self.embedder = embedder

    async def choose(self) -> EndpointEmbedder:
        return self.embedder


class Server:
    def __init__(self) -> None:
        self.answer: Answer = right
        self.status: list[int] = []
        self.delay = 0.0
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.called = asyncio.Event()
        self.url = ""

    async def reply(self, request: web.Request) -> web.Response:
        document = await request.json()
        self.requests.append(document)
        self.keys.append(request.headers["Authorization"])
        self.called.set()
        await asyncio.sleep(self.delay)
        body = self.answer(document["input"])
        status = self.status.pop(0) if self.status else 200
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(text=text, status=status, content_type="application/json")

    @property
    def inputs(self) -> list[list[str]]:
        return [request["input"] for request in self.requests]


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    made = Server()
    async with served("/embeddings", made.reply) as made.url:
        yield made


@pytest.fixture
async def embedder(server: Server) -> AsyncIterator[EndpointEmbedder]:
    made = EndpointEmbedder(server.url, "the-key", "the-model", 5.0)
    yield made
    await made.aclose()


def expected(text: str) -> np.ndarray[Any, Any]:
    row = np.asarray(numbers(text))
    return row / np.linalg.norm(row)


async def test_documents_come_in_order_as_units(server: Server, embedder: EndpointEmbedder) -> None:
    texts = ["a" * length for length in range(1, 24)]
    vectors = await embedder.embed_documents(texts)
    assert [len(batch) for batch in server.inputs] == [10, 10, 3]
    assert server.keys == ["Bearer the-key"] * 3
    assert {request["model"] for request in server.requests} == {"the-model"}
    for text, vector in zip(texts, vectors, strict=True):
        assert vector.dtype == np.float32
        assert vector == pytest.approx(expected(text), abs=1e-6)


async def test_both_encodings_are_read_in_order(server: Server, embedder: EndpointEmbedder) -> None:
    plain = await embedder.embed_query("tide")
    server.answer = as_base64
    assert await embedder.embed_query("tide") == pytest.approx(plain, abs=1e-6)
    assert {request["encoding_format"] for request in server.requests} == {"float"}
    server.answer = lambda texts: {"data": right(texts)["data"][::-1]}
    vectors = await embedder.embed_documents(["a", "bb", "ccc"])
    assert vectors[2] == pytest.approx(expected("ccc"), abs=1e-6)
    server.answer = lambda texts: {"data": [{"embedding": numbers(text)} for text in texts]}
    vectors = await embedder.embed_documents(["a", "bb"])
    assert vectors[1] == pytest.approx(expected("bb"), abs=1e-6)
    server.requests.clear()
    server.status = [503]
    assert await embedder.embed_query("tide") == pytest.approx(expected("tide"), abs=1e-6)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda _: listed([[1.0, 2.0]]), "1 vectors for 2 texts"),
        (lambda _: listed([[1.0, math.nan]] * 2), "not finite"),
        (lambda _: listed(["not base64!"] * 2), "no embeddings"),
        (lambda _: listed(["AAA="] * 2), "no embeddings"),
        (lambda _: {"data": [{"index": 0, "embedding": [1.0]}] * 2}, "no embeddings"),
        (lambda _: {"data": [{"index": [], "embedding": [1.0]}] * 2}, "no embeddings"),
        (lambda _: {"data": [{"index": 0}, {"index": 1}]}, "no embeddings"),
        (lambda _: {"data": "x"}, "no embeddings"),
        (lambda _: {"error": "quota"}, "no embeddings"),
        (lambda _: [], "no embeddings"),
        (lambda _: "<html>login</html>", "no embeddings"),
        (lambda _: "", "no embeddings"),
    ],
)
async def test_an_unusable_reply_is_unavailable_with_the_reason(
    server: Server, embedder: EndpointEmbedder, answer: Answer, reason: str
) -> None:
    server.answer = answer
    with pytest.raises(EmbeddingUnavailable, match=reason):
        await embedder.embed_documents(["one", "two"])


async def test_a_new_dimension_is_another_space(server: Server, embedder: EndpointEmbedder) -> None:
    before = await embedder.identity()
    server.answer = lambda texts: listed([[1.0, 2.0]] * len(texts))
    for _ in range(3):
        with pytest.raises(EmbeddingUnavailable, match="2 dimensions where it returned 3 before"):
            await embedder.embed_query("tide")
    after = await embedder.identity()
    assert (after.dimension, after.provider) == (2, before.provider)
    assert after.fingerprint != before.fingerprint
    assert len(await embedder.embed_query("tide")) == 2


async def test_a_dimension_now_and_then_is_none(server: Server, embedder: EndpointEmbedder) -> None:
    before = await embedder.identity()
    for rows in ([1.0, 2.0], [1.0, 2.0], None, [1.0, 2.0], [1.0] * 5, [1.0, 2.0]):
        server.answer = right if rows is None else lambda texts, rows=rows: listed([rows])
        try:
            await embedder.embed_query("tide")
        except EmbeddingUnavailable:
            assert rows is not None
    assert await embedder.identity() == before


async def test_memories_are_embedded_again_by_the_model_that_has_come_to_answer(
    server: Server, embedder: EndpointEmbedder
) -> None:
    store = ReferenceStore()
    await store.put([memory("tide", id="a"), memory("ebb", id="b")])
    backfill = Backfill(store, Source(embedder), lambda _, error: None)
    await backfill.once()
    assert await store.embedded_count((await embedder.identity()).fingerprint) == (2, 2)
    await store.put([memory("moon", id="c")])
    server.answer = lambda texts: listed([[1.0, 2.0]] * len(texts))
    for _ in range(4):
        with suppress(EmbeddingUnavailable):
            await backfill.once()
    identity = await embedder.identity()
    assert identity.dimension == 2
    assert await store.embedded_count(identity.fingerprint) == (3, 3)


async def test_a_long_reply_is_read_beside_the_event_loop(
    server: Server, embedder: EndpointEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in: list[int] = []
    unit = endpoint.unit_vectors

    def seen(*args: Any, **more: Any) -> Any:
        read_in.append(threading.get_ident())
        return unit(*args, **more)

    monkeypatch.setattr(endpoint, "unit_vectors", seen)
    await embedder.embed_query("tide")
    server.answer = lambda texts: listed([[0.123456789] * 8_192] * len(texts))
    with suppress(EmbeddingUnavailable):
        await embedder.embed_query("tide")
    assert read_in[0] == threading.get_ident() != read_in[1]


@pytest.mark.parametrize(("status", "calls"), [(500, 2), (401, 1), (404, 1), (413, 1)])
async def test_an_error_status_is_unavailable_and_retried_only_if_it_may_pass(
    server: Server, embedder: EndpointEmbedder, status: int, calls: int
) -> None:
    server.status = [status, status]
    with pytest.raises(EmbeddingUnavailable, match=str(status)):
        await embedder.embed_query("tide")
    assert len(server.requests) == calls


async def test_nobody_listening_is_unavailable() -> None:
    embedder = EndpointEmbedder("http://127.0.0.1:9/v1", "k", "m", 5.0)
    try:
        with pytest.raises(EmbeddingUnavailable, match=r"127\.0\.0\.1:9"):
            await embedder.embed_query("tide")
    finally:
        await embedder.aclose()


@pytest.mark.parametrize(
    "url", ["", "nonsense", "ftp://host/v1", "http://", "http://[::1", "http://host:99999/v1"]
)
async def test_an_address_that_is_none_is_unavailable(url: str) -> None:
    embedder = EndpointEmbedder(url, "k", "m", 1.0)
    with pytest.raises(EmbeddingUnavailable):
        await embedder.embed_query("tide")
    await embedder.aclose()


async def test_a_key_for_no_header_is_unavailable_a_full_address_accepted(server: Server) -> None:
    embedder = EndpointEmbedder(server.url, "密钥", "m", 5.0)
    with pytest.raises(EmbeddingUnavailable):
        await embedder.embed_query("tide")
    await embedder.aclose()
    embedder = EndpointEmbedder(f" {server.url}/embeddings/ ", "k", "m", 5.0)
    assert len(await embedder.embed_query("tide")) == 3
    await embedder.aclose()


async def test_a_proxy_of_the_environment_is_not_used_on_this_machine(
    server: Server, embedder: EndpointEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert len(await embedder.embed_query("tide")) == 3


async def test_odd_and_empty_texts_are_sent_as_something_every_host_accepts(
    server: Server, embedder: EndpointEmbedder
) -> None:
    await embedder.embed_documents(["", " \0 ", "a\ud800b", "潮" * 100_000])
    ((empty, blank, odd, long),) = server.inputs
    assert (empty, blank, odd) == ("-", "-", "a?b")
    assert len(long) == 6_000


async def test_no_texts_need_no_call_and_a_closed_embedder_is_unavailable(
    server: Server, embedder: EndpointEmbedder
) -> None:
    assert await embedder.embed_documents([]) == []
    assert server.requests == []
    identity = await embedder.identity()
    assert await embedder.identity() == identity
    assert len(server.requests) == 1
    assert identity.model == "the-model"
    assert identity.dimension == 3
    assert identity.provider == server.url.replace("http://", "endpoint@").removesuffix("/v1")
    await embedder.embed_query("tide")
    await embedder.aclose()
    await embedder.aclose()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed_query("tide")


async def test_cancelling_a_call_cancels_it(server: Server, embedder: EndpointEmbedder) -> None:
    server.delay = 30.0
    call = asyncio.ensure_future(embedder.embed_query("tide"))
    await server.called.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
