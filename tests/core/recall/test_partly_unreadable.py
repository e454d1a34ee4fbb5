"""A store of which one part cannot be read: the others answer, and the trace names what did not."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Kind, Origin
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.trace import Leg, LegState, Recalled
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, namespace
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.storage.sqlite.store import FILE

from ...deciding import showing
from ...kit import FakeEmbedder
from ...samples import memory
from ...storage.damage import without
from .test_pipeline import QUESTION, embedded, hives

SAID = "the hives of the chapel face south"


def failed(recalled: Recalled) -> set[Leg]:
    return {report.leg for report in recalled.trace.legs if report.state is LegState.FAILED}


def told(recalled: Recalled) -> set[str]:
    return {each.id for each in recalled.memories}


async def filled(store: MemoryStore, embedder: FakeEmbedder) -> None:
    raw = memory(SAID, id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(5,)))
    await embedded(store, embedder, *map(hives, range(4)), raw)


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """Filled, and opened anew: nothing of it has been read."""
    store = await SqliteStore.open(tmp_path)
    await filled(store, FakeEmbedder())
    await store.close()
    store = await SqliteStore.open(tmp_path)
    yield store
    await store.close()


async def test_a_silent_store_is_an_outage(sqlite: SqliteStore, tmp_path: Path) -> None:
    with without(tmp_path / FILE, "memory"), pytest.raises(StorageError):
        await recall(QUESTION, showing(sqlite, FakeEmbedder()))


async def test_spoilt_pages_of_vectors_leave_what_is_found_by_words(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    store = await SqliteStore.open(tmp_path)
    await filled(store, embedder)
    await store.close()
    spoil(tmp_path / FILE, "vector")
    store = await SqliteStore.open(tmp_path)
    partly = await recall(QUESTION, showing(store, embedder))
    assert failed(partly) == {Leg.SEMANTIC, Leg.PROSPECTIVE}
    assert told(partly)
    assert "damaged" in next(r.problem for r in partly.trace.legs if r.leg is Leg.SEMANTIC)
    await store.close()


def spoil(file: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with closing(connect(file)) as made:
        [(root,)] = made.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,))
        [(size,)] = made.execute("PRAGMA page_size")
    content = bytearray(file.read_bytes())
    content[(root - 1) * size : root * size] = b"\xa5" * size
    file.write_bytes(content)


async def test_vectors_of_a_chroma_folder_that_break_while_it_is_open_leave_words_and_heal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for how in ("SEARCHED", "UNSEARCHED"):
        often = {"batch_size": 2, "sync_threshold": 4}
        monkeypatch.setattr(namespace, how, getattr(namespace, how) | often)
    embedder = FakeEmbedder()
    store = await ChromaStore.open(tmp_path)
    await filled(store, embedder)
    await store.close()
    store = await ChromaStore.open(tmp_path)
    # Looked at once and found whole; what breaks later is noticed when it is read.
    fingerprint = (await embedder.identity()).fingerprint
    [label] = store._namespace._vectors
    assert not store._namespace.vectors_lost(label)
    store._client.api.process.kill()
    for folder in (tmp_path / "chroma").iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    partly = None
    for _ in range(40):
        try:
            partly = await recall(QUESTION, showing(store, embedder))
        except StorageError:
            await asyncio.sleep(0.5)
            continue
        if told(partly):
            break
    assert partly is not None
    assert told(partly)
    await store.unreadable()
    assert await store.embedded_count(fingerprint) == (0, 5)
    lost = {each.id: each.text for each in await store.unembedded(fingerprint)}
    vectors = await embedder.embed_documents(list(lost.values()))
    await store.set_vectors(fingerprint, dict(zip(lost, vectors, strict=True)))
    assert not failed(await recall(QUESTION, showing(store, embedder)))
    await store.close()
