"""What goes wrong on the way to a server does no harm."""

import asyncio
import shutil
import ssl
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, DecayPlan
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, client
from astrbot_plugin_tidemark.storage.chroma.client import PAGE

from ..memories import ANNA, DAY, NOW, memory, vector
from .network_proxy import Proxy, proxied

HERE = frozenset({ANNA})
MANY = PAGE + 50
LONG = "潮水" * 3_000
FAR = f"group/test/{'很长的群名' * 40}/*"
PLAN = DecayPlan(cycle=DAY, fades_below=1e9, spent_below=-1e9, reason="tide", keep_current=False)


@pytest.fixture
def proxy(chroma_server: ServerProcess) -> Iterator[Proxy]:
    with proxied(chroma_server.port) as opened:
        yield opened


@pytest.fixture
async def store(tmp_path: Path, proxy: Proxy) -> AsyncIterator[ChromaStore]:
    opened = await ChromaStore.open(tmp_path, through(proxy))
    yield opened
    await opened.close()


def through(proxy: Proxy, **named: object) -> ChromaServer:
    """A name of its own on the server behind the proxy."""
    server = ChromaServer(LOOPBACK, proxy.port, installation=uuid.uuid4().hex)
    return replace(server, **named)


def many(count: int) -> list[Memory]:
    return [memory(f"{n:04}", f"tea {n}") for n in range(count)]


async def test_a_scope_of_several_requests_is_whole(tmp_path: Path, proxy: Proxy) -> None:
    server = through(proxy)
    store = await ChromaStore.open(tmp_path, server)
    memories = many(MANY)
    await store.put([*memories, memory("far", LONG, scope=FAR)])
    await store.set_vectors("f", {each.id: vector(1, n) for n, each in enumerate(memories)})
    await store.close()
    store = await ChromaStore.open(tmp_path, server)
    assert await store.count(Filter()) == MANY + 1
    assert [each.id async for each in store.iterate(Filter(scopes=HERE))] == [
        each.id for each in memories
    ]
    assert len(await store.search_text("tea", HERE, limit=PAGE + 9)) == PAGE + 9
    near = await store.search_vector(vector(1, 0), "f", HERE, limit=3)
    assert [hit.id for hit in near] == ["0000", "0001", "0002"]
    assert (await store.decay(NOW + 3 * DAY, PLAN, BinPolicy(7))).weakened == MANY + 1
    [far] = await store.find(["far"])
    assert (far.scope, far.text) == (FAR, LONG)
    assert len(await store.page(Filter(scopes=HERE), limit=PAGE + 5)) == PAGE + 5
    gone = await store.purge([each.id for each in memories])
    assert len(gone) == MANY
    assert await store.count(Filter()) == 1
    await store.close()


async def test_a_network_that_drops_and_delays_loses_and_doubles_nothing(
    store: ChromaStore, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSE_SECONDS", 0.02)
    store.breaker.rest_seconds = 0.05
    proxy.drop_every, proxy.busy_every, proxy.delay = 23, 11, 0.002
    for each in many(12):
        while True:
            try:
                await store.put([each])
                await store.set_vectors("f", {each.id: vector(1, 0)})
                break
            except StorageError:
                await asyncio.sleep(0.02)
    proxy.drop_every = proxy.busy_every = 0
    assert [each.id async for each in store.iterate(Filter())] == [f"{n:04}" for n in range(12)]
    assert await store.embedded_count("f") == (12, 12)
    assert (await store.decay(NOW + 3 * DAY, PLAN, BinPolicy(7))).weakened == 12


async def test_reads_go_on_over_a_network_that_drops_some(
    store: ChromaStore, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSE_SECONDS", 0.02)
    await store.put(many(3))
    proxy.drop_every = 3
    for _ in range(12):
        assert len(await store.find(["0000", "0002"])) == 2
    proxy.drop_every = 0


@pytest.mark.parametrize("status", [429, 503])
async def test_a_server_that_asks_for_a_rest_is_given_it_and_nothing_is_lost_or_doubled(
    store: ChromaStore, proxy: Proxy, status: int
) -> None:
    proxy.busy_status, proxy.retry_after, proxy.busy_every = status, 1, 9
    for each in many(4):
        await store.put([each])
    proxy.busy_every = 0
    assert [each.id async for each in store.iterate(Filter())] == [f"{n:04}" for n in range(4)]
    assert proxy.early == 0


async def test_a_read_does_not_wait_for_a_long_rest(store: ChromaStore, proxy: Proxy) -> None:
    await store.put(many(1))
    proxy.retry_after, proxy.busy_every = 30, 1
    with pytest.raises(StorageError):
        await store.find(["0000"])
    proxy.busy_every = 0
    with pytest.raises(StorageError, match="left alone"):
        await store.find(["0000"])
    assert proxy.early == 0


async def test_a_token_a_tenant_and_a_database_of_its_own(
    tmp_path: Path, chroma_server: ServerProcess
) -> None:
    tenant, api = uuid.uuid4().hex, f"http://{LOOPBACK}:{chroma_server.port}/api/v2/tenants"
    async with httpx.AsyncClient() as session:
        (await session.post(api, json={"name": tenant})).raise_for_status()
        (await session.post(f"{api}/{tenant}/databases", json={"name": "bots"})).raise_for_status()
    with proxied(chroma_server.port, token="hunter2") as proxy:
        server = through(proxy, tenant=tenant, database="bots", token="hunter2")
        store = await ChromaStore.open(tmp_path, server)
        await store.put([memory("a")])
        assert await store.count(Filter()) == 1
        await store.close()
        with pytest.raises(StorageError):
            await ChromaStore.open(tmp_path, replace(server, token="other"))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_a_server_behind_tls_is_used_if_its_authority_is_known(
    tmp_path: Path, chroma_server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = await asyncio.create_subprocess_exec(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=localhost", "-addext", f"subjectAltName=IP:{LOOPBACK}"),
        *("-keyout", str(key), "-out", str(certificate)),
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert await made.wait() == 0
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with proxied(chroma_server.port, tls=context) as proxy:
        server = through(proxy, ssl=True)
        with pytest.raises(StorageError) as refused:
            await ChromaStore.open(tmp_path, server)
        assert refused.value.fault is Fault.UNREACHABLE
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        store = await ChromaStore.open(tmp_path, server)
        await store.put([memory("a")])
        assert await store.count(Filter()) == 1
        await store.close()
