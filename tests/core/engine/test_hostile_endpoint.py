"""An embedding endpoint in its bad ways: a chat goes on by words, nothing wrong is stored, the
failure is told, and all is well again once the endpoint is."""

import asyncio
import itertools
import json
import math
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.endpoints.embedding import EndpointEmbedder
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.recall.trace import Leg, LegReport, LegState
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings

from ...kit import place, until
from ...rig import Rig, open_rig
from ...samples import ANNS
from ...strength import strength

FACT, NEWS = "The hives stand behind the old chapel", "The chapel opens at nine"
QUESTION = "Where are the hives behind the chapel?"
TIMEOUT = 0.3
MEGABYTE = 2**20

type Reply = Callable[["Request"], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """What was asked for, how many times before, and where to write the reply."""

    texts: list[str]
    number: int
    writer: asyncio.StreamWriter

    async def send(self, body: bytes, *head: str, status: int = 200) -> None:
        lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", "Connection: close"]
        self.writer.write("\r\n".join([*lines, *head, "", ""]).encode() + body)
        await self.writer.drain()

    async def tell(self, rows: list[Any], numbers: list[Any] | None = None) -> None:
        order = range(len(rows)) if numbers is None else numbers
        data = [{"index": i, "embedding": row} for i, row in zip(order, rows, strict=True)]
        await self.send(json.dumps({"data": data}).encode(), "Content-Type: application/json")

    @property
    def right(self) -> list[list[float]]:
        return [[math.cos(len(text)), math.sin(len(text)), 0.5] for text in self.texts]


def telling(rows: Callable[[Request], list[Any]]) -> Reply:
    return lambda request: request.tell(rows(request))


def sending(body: bytes, *head: str, status: int = 200) -> Reply:
    return lambda request: request.send(body, *head, status=status)


def each(row: Any) -> Reply:
    return telling(lambda request: [row] * len(request.texts))


async def well(request: Request) -> None:
    await request.tell(request.right)


async def misnumbered(request: Request) -> None:
    await request.tell(request.right, [1] * len(request.texts))


async def silent(request: Request) -> None:
    await asyncio.sleep(60.0)


async def closing(request: Request) -> None:
    request.writer.close()


async def dripping(request: Request) -> None:
    request.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(600):
        request.writer.write(b" ")
        await request.writer.drain()
        await asyncio.sleep(0.1)


async def breaking_off(request: Request) -> None:
    request.writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"data": [')
    await request.writer.drain()
    request.writer.close()


async def endless_head(request: Request) -> None:
    request.writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        request.writer.write(f"X-{number}: {'x' * 100}\r\n".encode())
        await request.writer.drain()


async def no_http(request: Request) -> None:
    request.writer.write(b"\x00\xffSSH-2.0-OpenSSH_9.6\r\n" * 10)
    await request.writer.drain()


def packed(body: bytes, times: int = 1) -> bytes:
    packing = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    return b"".join([*(packing.compress(body) for _ in range(times)), packing.flush()])


BOMB = packed(b" " * MEGABYTE, 32)

BAD: Mapping[str, Reply] = {
    "a dimension that changes between calls": telling(
        lambda request: [[1.0] * (4 + request.number)] * len(request.texts)
    ),
    "rows of several dimensions": telling(
        lambda request: [[1.0] * (n + 1) for n, _ in enumerate([*request.texts, ""])]
    ),
    "NaN": each([1.0, math.nan, 0.0]),
    "infinity": each([1.0, math.inf, 0.0]),
    "a number beyond all numbers": sending(
        b'{"data": [{"index": 0, "embedding": [1, 2, 1' + b"0" * 5_000 + b"]}]}"
    ),
    "zero vectors": each([0.0, 0.0, 0.0]),
    "vectors of nothing": each([]),
    "null vectors": each(None),
    "strings": each(["a", "b", "c"]),
    "vectors in vectors": each([[1.0], [2.0], [3.0]]),
    "no vectors": telling(lambda request: []),
    "too few vectors": telling(lambda request: request.right[1:]),
    "too many vectors": telling(lambda request: [*request.right, [1.0, 0.0, 0.0]]),
    "wrong numbers": misnumbered,
    "null": sending(b"null"),
    "no body": sending(b""),
    "HTML": sending(b"<html><title>Log in</title></html>", "Content-Type: text/html"),
    "no UTF-8": sending(b'{"data": [{"embedding": ["\xff\xfe\xc3("]}]}'),
    "brackets a hundred thousand deep": sending(b"[" * 100_000),
    "a huge body": sending(b"[" + b"0.5," * (2 * MEGABYTE) + b"1]"),
    "a gzip bomb": sending(BOMB, "Content-Encoding: gzip"),
    "no gzip": sending(b"not packed", "Content-Encoding: gzip"),
    "401": sending(b'{"error": "no"}', status=401),
    "429": sending(b"{}", "Retry-After: 86400", status=429),
    "500": sending(b"oh no", status=500),
    "a redirect to itself": sending(b"", "Location: /v1/embeddings", status=307),
    "a redirect to nobody": sending(b"", "Location: http://127.0.0.1:9/", status=308),
    "no answer": silent,
    "a slow drip": dripping,
    "a closed connection": closing,
    "half a reply": breaking_off,
    "a head without end": endless_head,
    "another protocol": no_http,
}


REASONS = {
    "a huge body": "longer than 4194304 bytes",
    "a gzip bomb": "longer than 4194304 bytes",
    "401": "401",
    "zero vectors": "zero vector",
    "no answer": "did not answer within 0.3 s",
}


@dataclass
class Endpoint:
    """A server that replies as it is told."""

    reply: Reply = well
    url: str = ""
    numbers: Iterator[int] = field(default_factory=itertools.count)

    answers: list[asyncio.Task[None]] = field(default_factory=list)

    def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.answers.append(asyncio.ensure_future(self._answer(reader, writer)))

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            texts = json.loads(await reader.readexactly(length))["input"]
            await self.reply(Request(texts, next(self.numbers), writer))
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@dataclass(frozen=True)
class Source:
    embedder: EndpointEmbedder
    settled: bool = True

    async def choose(self) -> EndpointEmbedder:
        return self.embedder


@pytest.fixture
async def endpoint() -> AsyncIterator[Endpoint]:
    made = Endpoint()
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    yield made
    server.close()
    for answer in made.answers:
        answer.cancel()
    await asyncio.gather(*made.answers, return_exceptions=True)


@pytest.fixture
async def rig(tmp_path: Path, endpoint: Endpoint) -> AsyncIterator[Rig]:
    made = await open_rig(tmp_path, Settings(recall=RecallSettings(deadline_ms=10_000)))
    embedder = EndpointEmbedder(endpoint.url, "the-key", "the-model", TIMEOUT)
    made.engine = MemoryEngine(replace(made.engine.parts, embedders=Source(embedder)))
    made.engine.backfill.pause = 0.02
    made.engine.start()
    yield made
    await made.engine.close()
    await embedder.aclose()


async def embedded(rig: Rig, *ids: str) -> Mapping[str, Any]:

    async def found() -> Mapping[str, Any]:
        known = await rig.store.vectors(ids)
        return known if len(known) == len(ids) else {}

    rig.engine.backfill.wake()
    return await until(found, seconds=20.0)


async def asked(rig: Rig) -> LegReport:
    """How the search by meaning went in a turn that was answered all the same."""
    recalled = await rig.engine.recalls.recall(
        RecallRequest(ANNS, QUESTION, None, place=place(ANNS))
    )
    assert FACT in [memory.text for memory in recalled.memories]
    [report] = [each for each in recalled.trace.legs if each.leg is Leg.SEMANTIC]
    return report


@pytest.mark.parametrize("way", list(BAD)[:: strength(2, 1)])
async def test_whatever_an_endpoint_replies_a_chat_goes_on_and_nothing_wrong_is_kept(
    rig: Rig, endpoint: Endpoint, way: str
) -> None:
    fact = await rig.keep(FACT, ANNS, id="fact")
    before = (await embedded(rig, fact.id))[fact.id]
    assert (await asked(rig)).state is LegState.OK

    endpoint.reply = BAD[way]
    news = await rig.keep(NEWS, ANNS, id="news")
    rig.engine.backfill.wake()
    report = await asked(rig)
    assert report.state is LegState.FAILED
    assert report.problem.startswith("EmbeddingUnavailable")
    assert REASONS.get(way, endpoint.url) in report.problem
    await until(lambda: "embedding" in rig.engine.incidents.snapshot(), seconds=20.0)
    told = rig.engine.incidents.snapshot()
    assert "EmbeddingUnavailable" in told["embedding"].text
    assert "EmbeddingUnavailable" in told["semantic leg"].text
    assert "the-key" not in str(told)
    stored = await rig.store.vectors([fact.id, news.id])
    assert stored.keys() == {fact.id}
    assert stored[fact.id].fingerprint == before.fingerprint
    assert np.array_equal(stored[fact.id].vector, before.vector)

    endpoint.reply = well
    after = await embedded(rig, fact.id, news.id)
    assert {each.fingerprint for each in after.values()} == {before.fingerprint}
    assert np.array_equal(after[fact.id].vector, before.vector)
    assert (await asked(rig)).state is LegState.OK


async def test_a_reply_that_comes_packed_unasked_is_read(rig: Rig, endpoint: Endpoint) -> None:
    async def pack(request: Request) -> None:
        data = [{"embedding": row} for row in request.right]
        await request.send(packed(json.dumps({"data": data}).encode()), "Content-Encoding: gzip")

    endpoint.reply = pack
    fact = await rig.keep(FACT, ANNS, id="fact")
    assert await embedded(rig, fact.id)
    assert (await asked(rig)).state is LegState.OK
