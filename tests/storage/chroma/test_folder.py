"""The folder of embedded Chroma: what lies there, and what is refused and left as it is."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import chromadb
import pytest
from astrbot_plugin_tidemark.core.model.errors import (
    Fault,
    MemoryNotFound,
    SchemaTooNew,
    StorageError,
)
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.namespace import FORMAT
from chromadb.config import Settings

from ..memories import ANNA, BEN, memory, vector, with_status

HERE = frozenset({ANNA})


def beside(folder: Path) -> Any:
    """Another program's client of the same folder."""
    return chromadb.PersistentClient(
        str(folder / "chroma"), settings=Settings(anonymized_telemetry=False)
    )


async def refused(folder: Path) -> StorageError:
    with pytest.raises(StorageError) as caught:
        await ChromaStore.open(folder)
    return caught.value


async def test_memories_and_vectors_outlive_their_process(quick_folder: Path) -> None:
    store = await ChromaStore.open(quick_folder)
    await store.put([memory("a", "tea"), memory("b", "milk", scope=BEN)])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.close()
    store = await ChromaStore.open(quick_folder)
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["a"]
    assert [hit.id for hit in await store.search_vector(vector(1, 0), "f", HERE)] == ["a"]
    assert await store.embedded_count("f") == (1, 2)
    await store.close()


async def test_other_peoples_collections_are_left_alone(quick_folder: Path) -> None:
    client = beside(quick_folder)
    theirs = client.create_collection("recipes", embedding_function=None)
    theirs.add(ids=["x"], embeddings=[[1.0, 2.0]])
    store = await ChromaStore.open(quick_folder)
    await store.put([memory("a")])
    await store.purge(["a"])
    assert await store.scopes() == {}
    await store.close()
    assert theirs.count() == 1
    client.close()


def records_of(client: Any) -> Any:
    """The collection of the records."""
    [found] = [each for each in client.list_collections() if each.metadata["role"] == "records"]
    return found


async def test_a_collection_of_others_is_refused_and_a_closed_store(quick_folder: Path) -> None:
    store = await ChromaStore.open(quick_folder)
    await store.close()
    client = beside(quick_folder)
    records_of(client).modify(metadata={"program": "other", "role": "records"})
    with pytest.raises(StorageError, match="somebody else") as caught:
        await ChromaStore.open(quick_folder)
    assert caught.value.fault is Fault.FOREIGN
    client.close()
    await store.close()
    with pytest.raises(StorageError, match="closed"):
        await store.get("a")
    with pytest.raises(StorageError, match="closed"):
        await store.put([memory("a")])


async def test_a_collection_of_a_newer_format_is_refused(quick_folder: Path) -> None:
    store = await ChromaStore.open(quick_folder)
    await store.put([memory("a")])
    await store.close()
    client = beside(quick_folder)
    collection = records_of(client)
    collection.modify(metadata={**collection.metadata, "format": FORMAT + 1})
    with pytest.raises(SchemaTooNew, match="newer version"):
        await ChromaStore.open(quick_folder)
    assert collection.count() == 1
    client.close()


@pytest.mark.parametrize("broken", [{"body": "{"}, {"body": "[]"}, {"body": "no JSON"}])
async def test_a_record_that_cannot_be_read_is_set_aside_and_can_be_purged(
    quick_folder: Path, store: ChromaStore, broken: dict[str, str]
) -> None:
    await store.put([memory("a")])
    client = beside(quick_folder)
    records_of(client).update(ids=["a"], metadatas=[broken], embeddings=[[1.0]])
    with pytest.raises(MemoryNotFound):
        await store.get("a")
    assert [record.id for record in await store.unreadable()] == ["a"]
    assert await store.purge(["a"]) == {"a"}
    assert await store.count(Filter(status=None)) == 0
    client.close()


async def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chroma").write_text("mine")
    assert (await refused(tmp_path)).fault is Fault.FOREIGN
    assert (tmp_path / "chroma").read_text() == "mine"


async def test_a_file_that_is_no_database_is_refused_each_time(tmp_path: Path) -> None:
    file = tmp_path / "chroma" / "chroma.sqlite3"
    file.parent.mkdir()
    file.write_bytes(b"not a database" * 100)
    assert {(await refused(tmp_path)).fault for _ in range(2)} == {Fault.FOREIGN}
    assert file.read_bytes() == b"not a database" * 100


async def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "chroma" / "chroma.sqlite3"
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipe (name)")
    before = file.read_bytes()
    assert (await refused(tmp_path)).fault is Fault.FOREIGN
    assert file.read_bytes() == before


async def test_a_truncated_folder_is_refused_until_mended(quick_folder: Path) -> None:
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(f"{n}", "tea " * 200) for n in range(50)])
    await store.close()
    file = quick_folder / "chroma" / "chroma.sqlite3"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    assert (await refused(quick_folder)).fault is Fault.DAMAGED
    file.write_bytes(whole)
    store = await ChromaStore.open(quick_folder)
    assert await store.count(Filter()) == 50
    await store.close()


async def test_without_the_package_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    error = await refused(tmp_path)
    assert error.fault is Fault.MISSING
    assert "pip install" in str(error)
    assert os.listdir(tmp_path) == []


async def test_a_program_without_a_python_of_its_own_is_not_started_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As PyInstaller makes them: their path would start the bot a second time."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "must not run"))
    error = await refused(tmp_path)
    assert "without a Python of its own" in str(error)
    assert "SQLite" in str(error)


async def test_the_archive_keeps_the_text_and_drops_the_vector(store: ChromaStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.amend(["a"], lambda m: with_status(m, Status.ARCHIVED))
    assert await store.vectors(["a"]) == {}
    assert (await store.get("a")).text == "tea"
    await store.amend(["a"], lambda m: with_status(m, Status.LIVE))
    assert [m.id for m in await store.unembedded("f")] == ["a"]


async def test_an_empty_scope_leaves_no_collection(quick_folder: Path, store: ChromaStore) -> None:
    await store.put([memory("a", scope=BEN), memory("b")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.purge(["a"])
    client = beside(quick_folder)
    roles = sorted(each.metadata["role"] for each in client.list_collections())
    assert roles == ["records", "scopes"]
    client.close()


async def test_vectors_of_a_former_embedder_go(quick_folder: Path, store: ChromaStore) -> None:
    await store.put([memory("a"), memory("b")])
    await store.set_vectors("old", {"a": vector(1, 0), "b": vector(1, 0)})
    await store.set_vectors("new", {"a": vector(1, 0, 0)})
    assert [hit.id for hit in await store.search_vector(vector(1, 0), "old", HERE)] == ["b"]
    await store.set_vectors("new", {"b": vector(1, 0, 0)})
    client = beside(quick_folder)
    kept = {each.metadata["fingerprint"] for each in client.list_collections()}
    assert kept == {"", "new"}
    client.close()


async def test_what_the_system_refuses_is_told_as_the_system_does(quick_folder: Path) -> None:
    (quick_folder / "chroma" / "tidemark.lock").mkdir(parents=True)
    error = await refused(quick_folder)
    assert error.fault is Fault.UNREADABLE
    assert "irectory" in str(error)
