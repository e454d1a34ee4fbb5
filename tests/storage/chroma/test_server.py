"""A server: shared by bots, each name one process's, never the wrong one, gone for a while."""

import asyncio
import os
import shutil
import signal
import socket
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import chromadb
import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.recovery import Recovery
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK, free_port
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, index
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ...kit import until
from ..lease_user import LASTED, PLAN
from ..memories import ANNA, memory, vector, with_status
from ..others import Start
from .network_proxy import Proxy, proxied

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


HOUR = 3_600


@pytest.fixture
def proxy(chroma_server: ServerProcess) -> Iterator[Proxy]:
    with proxied(chroma_server.port) as opened:
        yield opened


def test_a_second_machine_is_refused_and_takes_over_when_the_first_was_killed(
    quick_folder: Path, chroma_server: ServerProcess, start: Start
) -> None:
    name, port = uuid.uuid4().hex, chroma_server.port
    first = start(quick_folder / "one", "chroma", port, name)
    assert (first.opened, first.ask("put a")) == ("open", "a")
    second = start(quick_folder / "two", "chroma", port, name)
    assert second.opened.startswith("held")
    assert second.opened.endswith(f"PID {first.process.pid}")
    first.kill()
    # From the same folder at once: nobody else can have been there.
    again = start(quick_folder / "one", "chroma", port, name)
    assert (again.opened, again.ask("ids")) == ("open", "a=6")
    assert again.ask("end") == "ended"
    # One that has ended leaves it to whoever comes.
    assert start(quick_folder / "one", "chroma", port, name).opened == "open"


def test_a_cut_network_and_clocks_apart(quick_folder: Path, proxy: Proxy, start: Start) -> None:
    name = uuid.uuid4().hex
    copy = quick_folder / "copy"
    first = start(quick_folder / "one", "chroma", proxy.port, name, HOUR)
    assert first.ask("put a") == "a"
    assert first.ask("decay 3600") == "1"
    proxy.cut = True
    # The same installation, copied to another machine with another clock.
    shutil.copytree(quick_folder / "one", copy)
    second = start(copy, "chroma", proxy.behind, name, -HOUR)
    assert second.opened == "open"
    assert second.ask("put b") == "b"
    assert second.ask("decay -3600") == "0"
    assert second.ask("decay 3600") == "1"
    proxy.cut = False
    while (told := first.ask("put late")).startswith("unreachable"):
        time.sleep(0.2)
    assert told.startswith("held")
    assert first.ask("decay 7200").startswith("held")
    latest = int((LASTED + HOUR) / PLAN.cycle)
    assert second.ask("ids") == f"a={6 - latest} b={6 - latest}"


def test_one_that_stood_still_for_longer_than_its_term_writes_nothing_after_it(
    quick_folder: Path, chroma_server: ServerProcess, start: Start
) -> None:
    name, port = uuid.uuid4().hex, chroma_server.port
    first = start(quick_folder / "one", "chroma", port, name)
    assert first.ask("put a") == "a"
    os.kill(first.process.pid, signal.SIGSTOP)
    copy = quick_folder / "copy"
    shutil.copytree(quick_folder / "one", copy)
    second = start(copy, "chroma", port, name)
    assert second.opened == "open"
    os.kill(first.process.pid, signal.SIGCONT)
    assert first.ask("put late").startswith("held")
    assert second.ask("ids") == "a=6"


async def opened(folder: Path, server: ChromaServer) -> DataFolder:
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    return await DataFolder.open(LocalFiles(folder, server=server), "chroma")


async def filled(folder: Path, server: ChromaServer) -> None:
    data_folder = await opened(folder, server)
    await data_folder.store.put([memory("a", "tea")])
    await data_folder.aclose()


async def test_an_emptied_server_is_refused_until_somebody_decides(
    tmp_path: Path, chroma_server: ServerProcess
) -> None:
    server = chroma_server.address(uuid.uuid4().hex)
    await filled(tmp_path, server)
    client = chromadb.HttpClient(server.host, server.port)
    for collection in client.list_collections():
        if (collection.metadata or {}).get("installation") == server.installation:
            client.delete_collection(collection.name)
    for _ in range(2):
        with pytest.raises(StorageError) as told:
            await opened(tmp_path, server)
        assert (told.value.file, told.value.fault) == ("chroma-server", Fault.LOST)
    await Recovery(LocalFiles(tmp_path, server=server), "chroma").go_on()
    await (await opened(tmp_path, server)).aclose()


async def test_a_name_on_the_server_that_another_bot_has_is_refused(
    tmp_path: Path, chroma_server: ServerProcess
) -> None:
    server = chroma_server.address(uuid.uuid4().hex)
    await filled(tmp_path / "theirs", server)
    with pytest.raises(StorageError) as told:
        await opened(tmp_path / "ours", server)
    assert told.value.fault is Fault.APART
    await filled(tmp_path / "theirs", server)


MANY = 120


@pytest_asyncio.fixture
async def cold(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ChromaStore]:
    """Freshly opened, with memories in one scope."""
    monkeypatch.setattr(index, "INDEXED", 4)
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(f"{n:03}", f"tea {n}") for n in range(MANY)])
    await store.close()
    store = await ChromaStore.open(quick_folder)
    yield store
    await store.close()


async def test_writes_do_not_wait_for_it_and_are_in_it(cold: ChromaStore) -> None:
    searching = asyncio.create_task(cold.search_text("tea", HERE, limit=MANY + 9))
    await asyncio.sleep(0)
    await cold.put([memory("new", "tea")])
    await cold.amend(["000", "060", "119"], lambda each: with_status(each, Status.BINNED))
    await cold.purge(["001", "061", "118"])
    assert not searching.done()
    left = {f"{n:03}" for n in range(MANY)} - {"000", "001", "060", "061", "118", "119"}
    assert {hit.id for hit in await searching} == left | {"new"}
    assert await cold.indexed(HERE) == {ANNA: len(left) + 1}


async def test_one_who_gives_up_leaves_it_to_the_next(cold: ChromaStore) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await cold.search_text("tea", HERE)
    both = await asyncio.gather(*(cold.search_text("tea", HERE, limit=MANY) for _ in range(2)))
    assert [len(found) for found in both] == [MANY, MANY]


async def test_a_store_is_closed_while_an_index_is_made(cold: ChromaStore) -> None:
    searching = asyncio.create_task(cold.search_text("tea", HERE))
    await asyncio.sleep(0)
    await cold.close()
    assert isinstance((await asyncio.gather(searching, return_exceptions=True))[0], BaseException)
