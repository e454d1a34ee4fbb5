"""A server: several bots share it, it may be the wrong one, and it may go away for a while."""

import asyncio
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK, free_port
from astrbot_plugin_tidemark.storage.chroma import ChromaStore

from ...kit import until
from ..memories import ANNA, memory, vector

HERE = frozenset({ANNA})


@contextmanager
def answering(status: int, body: str) -> Iterator[ChromaServer]:
    """A web server that gives the same answer to everything."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            return

    with HTTPServer((LOOPBACK, 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield ChromaServer(LOOPBACK, server.server_port)
        finally:
            server.shutdown()
            thread.join()


async def refused(folder: Path, server: ChromaServer) -> StorageError:
    with pytest.raises(StorageError) as caught:
        await ChromaStore.open(folder, server)
    assert f"{server.host}:{server.port}" in str(caught.value)
    return caught.value


async def test_nobody_at_the_address_and_somebody_who_never_answers(tmp_path: Path) -> None:
    server = ChromaServer(LOOPBACK, free_port())
    assert (await refused(tmp_path, server)).fault is Fault.UNREACHABLE
    with socket.create_server((LOOPBACK, 0)) as silent:
        server = ChromaServer(LOOPBACK, silent.getsockname()[1], timeout_seconds=0.2)
        assert (await refused(tmp_path, server)).fault is Fault.UNREACHABLE


@pytest.mark.parametrize(
    ("status", "body", "fault"),
    [
        (401, "", Fault.REFUSED),
        (403, "{}", Fault.REFUSED),
        (404, "not found", Fault.FOREIGN),
        (410, '{"error": "The v1 API is gone"}', Fault.FOREIGN),
        (200, "<html>welcome</html>", Fault.FOREIGN),
        (200, "{}", Fault.FOREIGN),
        (200, '"0.6.3"', Fault.FOREIGN),
        (200, '"2.0.0"', Fault.FOREIGN),
        (503, "", Fault.UNREACHABLE),
    ],
)
async def test_the_wrong_server_or_the_wrong_token(
    tmp_path: Path, status: int, body: str, fault: Fault
) -> None:
    with answering(status, body) as server:
        assert (await refused(tmp_path, server)).fault is fault


@pytest.mark.parametrize("named", [{"tenant": "nobody"}, {"database": "nothing"}])
async def test_a_tenant_or_database_that_is_not_there(
    tmp_path: Path, chroma_server: ServerProcess, named: dict[str, str]
) -> None:
    server = replace(chroma_server.address("bot"), **named)
    assert (await refused(tmp_path, server)).fault is Fault.REFUSED


def test_a_token_is_sent_and_not_shown() -> None:
    server = ChromaServer(LOOPBACK, token="hunter2")
    assert server.headers()["Authorization"] == "Bearer hunter2"
    assert server.headers()["X-Chroma-Token"] == "hunter2"
    assert "hunter2" not in repr(server)
    assert ChromaServer(LOOPBACK).headers() == {}


async def test_bots_on_one_server_keep_apart(tmp_path: Path, chroma_server: ServerProcess) -> None:
    names = [uuid.uuid4().hex, uuid.uuid4().hex]
    stores = [await ChromaStore.open(tmp_path, chroma_server.address(name)) for name in names]
    for number, store in enumerate(stores):
        await store.put([memory("same id", f"tea of bot{number}")])
        await store.set_vectors("f", {"same id": vector(1, number)})
    for number, store in enumerate(stores):
        assert [m.text async for m in store.iterate(Filter())] == [f"tea of bot{number}"]
        assert await store.search_text(f"bot{1 - number}", HERE) == []
    await stores[0].purge(["same id"])
    assert await stores[1].count(Filter()) == 1
    for store in stores:
        await store.close()


async def test_a_bot_keeps_its_given_name(tmp_path: Path, chroma_server: ServerProcess) -> None:
    for expected in (0, 1):
        store = await ChromaStore.open(tmp_path, chroma_server.address(""))
        assert await store.count(Filter()) == expected
        await store.put([memory("a")])
        await store.close()


@pytest.fixture
def mortal_server(quick_folder: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(quick_folder / "server")
    server.start()
    yield server
    server.kill()


async def test_a_server_that_comes_back_is_used_again(
    quick_folder: Path, mortal_server: ServerProcess
) -> None:
    store = await ChromaStore.open(quick_folder, mortal_server.address("bot"))
    store.breaker.rest_seconds = 600.0
    await store.put([memory("a", "tea")])
    mortal_server.kill()
    for _ in range(6):
        with pytest.raises(StorageError) as caught:
            await store.find(["a"])
        assert caught.value.fault is Fault.UNREACHABLE
    with pytest.raises(StorageError):
        await store.check()
    await asyncio.to_thread(mortal_server.start)
    with pytest.raises(StorageError, match="left alone"):
        await store.find(["a"])
    await store.check()
    assert await store.find(["a"]) == [memory("a", "tea")]
    await store.put([memory("b", "tea")])
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["a", "b"]
    await store.close()


async def test_killed_under_load_it_loses_nothing_that_was_acknowledged(
    quick_folder: Path, mortal_server: ServerProcess
) -> None:
    store = await ChromaStore.open(quick_folder, mortal_server.address("bot"))
    store.breaker.rest_seconds = 0.1
    ids, acknowledged = [f"{n:03}" for n in range(60)], set[str]()
    interrupted = 0

    async def work(mine: list[str]) -> None:
        nonlocal interrupted
        for id in mine:
            while True:
                try:
                    await store.put([memory(id, "tea")])
                    await store.set_vectors("f", {id: vector(1, 0)})
                    acknowledged.add(id)
                    break
                except StorageError:
                    interrupted += 1
                    await asyncio.sleep(0.05)

    workers = [asyncio.create_task(work(ids[start::3])) for start in range(3)]
    for some in (10, 30):
        await until(lambda some=some: len(acknowledged) >= some, seconds=60.0)
        await asyncio.to_thread(mortal_server.kill)
        await asyncio.sleep(0.1)
        await asyncio.to_thread(mortal_server.start)
    await asyncio.gather(*workers)
    assert interrupted > 0
    assert [m.id async for m in store.iterate(Filter())] == ids
    assert {hit.id for hit in await store.search_text("tea", HERE, limit=99)} == set(ids)
    near = await store.search_vector(vector(1, 0), "f", HERE, limit=99)
    assert [hit.id for hit in near] == ids
    assert await store.embedded_count("f") == (60, 60)
    await store.close()
