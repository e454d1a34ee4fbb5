"""The folder of embedded Chroma: what lies there, what is refused, and vectors that were lost."""

import asyncio
import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Awaitable, Callable
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
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, child, namespace
from astrbot_plugin_tidemark.storage.chroma.namespace import FORMAT
from chromadb.config import Settings

from ...strength import only_long
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


KEPT_AT = {"batch_size": 2, "sync_threshold": 4}
"""Few enough for Chroma to write them to files of their own."""

VECTORS = {f"m{n}": vector(1, n) for n in range(6)}


@pytest.fixture
async def filled(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A closed folder whose indexes are in files of their own."""
    for how in ("SEARCHED", "UNSEARCHED"):
        monkeypatch.setattr(namespace, how, getattr(namespace, how) | KEPT_AT)
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(id, f"tea {id}") for id in VECTORS])
    await store.set_vectors("f", VECTORS)
    await store.close()
    return quick_folder


@pytest.fixture
def bereft(filled: Path) -> Path:
    """A folder whose database is as it was, and whose files of vectors are not there."""
    lost = [each for each in (filled / "chroma").iterdir() if each.is_dir()]
    assert any((each / "index_metadata.pickle").is_file() for each in lost)
    for each in lost:
        shutil.rmtree(each)
    return filled


async def test_lost_vectors_hide_no_memory_and_are_made_again(bereft: Path) -> None:
    store = await ChromaStore.open(bereft)
    # Their records still say that they are there.
    assert await store.embedded_count("f") == (6, 6)
    assert await store.search_vector(vector(1, 3), "f", HERE) == []
    assert len(await store.search_text("tea", HERE)) == 6
    assert await store.unreadable() == []
    assert await store.vectors(list(VECTORS)) == {}
    assert await store.embedded_count("f") == (0, 6)
    half = dict(list(VECTORS.items())[:3])
    await store.set_vectors("f", half)
    await store.close()
    store = await ChromaStore.open(bereft)
    assert {each.id for each in await store.unembedded("f")} == VECTORS.keys() - half
    await store.set_vectors("f", VECTORS)
    [nearest, *_] = await store.search_vector(vector(1, 3), "f", HERE)
    assert nearest.id == "m3"
    assert (await store.vectors(list(VECTORS))).keys() == VECTORS.keys()
    await store.close()


async def test_whoever_reads_lost_vectors_is_told_of_none_and_others_stay(bereft: Path) -> None:
    store = await ChromaStore.open(bereft)
    await store.put([memory("ben", "milk", scope="qq/private/ben")])
    await store.set_vectors("f", {"ben": vector(0, 1)})
    assert (await store.vectors(["m1", "ben"])).keys() == {"ben"}
    # Waits for what is done behind the answer.
    await store.unreadable()
    assert await store.embedded_count("f") == (1, 7)
    await store.close()


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("index_metadata.pickle", 0),
        ("index_metadata.pickle", 100),
        ("header.bin", 0),
        ("data_level0.bin", 300),
        ("length.bin", 0),
        ("link_lists.bin", None),
    ],
)
async def test_a_torn_index_hides_no_record(filled: Path, name: str, left: int | None) -> None:
    torn = [each / name for each in (filled / "chroma").glob("*/") if (each / name).is_file()]
    # The one of the scopes' names has no vector in a file yet.
    assert len(torn) in (2, 3)
    for each in torn:
        if left is None:
            each.unlink()
        else:
            os.truncate(each, left)
    store = await ChromaStore.open(filled)
    assert {each.id async for each in store.iterate(Filter())} == VECTORS.keys()
    assert await store.vectors(list(VECTORS)) == {}
    await store.put([memory("m9", "tea m9")])
    await store.set_vectors("f", VECTORS | {"m9": vector(0, 1)})
    [nearest, *_] = await store.search_vector(vector(1, 3), "f", HERE)
    assert nearest.id == "m3"
    await store.close()


def spoilt(raw: bytes, how: str) -> bytes:
    match how:
        case "zeros":
            return bytes(len(raw))
        case "half zeros":
            return raw[: len(raw) // 2] + bytes(len(raw) - len(raw) // 2)
        case "ones":
            return b"\xff" * len(raw)
        case _:
            return random.Random(how).randbytes(len(raw))


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("index_metadata.pickle", "zeros"),
        ("header.bin", "noise"),
        ("data_level0.bin", "zeros"),
        ("link_lists.bin", "ones"),
        pytest.param("header.bin", "zeros", marks=only_long),
        pytest.param("header.bin", "half zeros", marks=only_long),
        pytest.param("data_level0.bin", "noise", marks=only_long),
        pytest.param("link_lists.bin", "zeros", marks=only_long),
        ("length.bin", "noise"),
    ],
)
async def test_wrong_bytes_in_an_index_end_no_memory(filled: Path, name: str, how: str) -> None:
    for each in (filled / "chroma").glob(f"*/{name}"):
        each.write_bytes(spoilt(each.read_bytes(), how))
    store = await ChromaStore.open(filled)
    new = memory("m9", "tea m9")
    async with asyncio.timeout(60.0):
        await until_it_answers(lambda: store.put([new]))
        while missing := await until_it_answers(lambda: store.unembedded("f")):
            again = {each.id: (VECTORS | {"m9": vector(0, 1)})[each.id] for each in missing}
            await until_it_answers(lambda again=again: store.set_vectors("f", again))
            # Whoever reads them finds that they are lost.
            await until_it_answers(lambda: store.vectors(list(VECTORS)))
    assert {each.id async for each in store.iterate(Filter())} == {*VECTORS, "m9"}
    found = await store.search_vector(vector(1, 3), "f", HERE)
    assert found[0].id == "m3"
    assert {each.id for each in found} == {*VECTORS, "m9"}
    assert (await store.vectors([*VECTORS, "m9"])).keys() == {*VECTORS, "m9"}
    await store.close()


async def until_it_answers[T](call: Callable[[], Awaitable[T]]) -> T:
    """Chroma may crash over wrong bytes, and is started again."""
    while True:
        try:
            return await call()
        except StorageError as error:
            if error.fault is not Fault.UNREACHABLE:
                raise
            await asyncio.sleep(0.1)


async def test_whole_indexes_are_kept(filled: Path) -> None:
    before = {each.name: each.stat().st_ino for each in (filled / "chroma").glob("*/header.bin")}
    store = await ChromaStore.open(filled)
    assert (await store.vectors(list(VECTORS))).keys() == VECTORS.keys()
    await store.close()
    after = {each.name: each.stat().st_ino for each in (filled / "chroma").glob("*/header.bin")}
    assert before
    assert before == after


async def test_grown_indexes_are_kept(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every index of more than a thousand vectors was taken for torn, and made again at each start:
    Chroma had room for more elements than there are, which is not in the files.
    """
    for how in ("SEARCHED", "UNSEARCHED"):
        grown = getattr(namespace, how) | {"batch_size": 50, "sync_threshold": 50}
        monkeypatch.setattr(namespace, how, grown)
    many = {f"m{n}": vector(1, n) for n in range(450)}
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(id, f"tea {id}") for id in many])
    await store.set_vectors("f", many)
    await store.purge(list(many)[:50])
    await store.close()
    pickles = (quick_folder / "chroma").glob("*/index_metadata.pickle")
    headers = [each.with_name("header.bin") for each in pickles]
    told = [child.INDEX_HEADER.unpack(each.read_bytes()) for each in headers]
    # Each has more room than its file: the format, an offset, room, elements, bytes of each.
    assert len(told) == 2
    for (_, _, room, filled, size, *_), header in zip(told, headers, strict=True):
        stored = header.with_name("data_level0.bin").stat().st_size
        assert filled * size <= stored < room * size
    child.drop_torn_indexes(str(quick_folder / "chroma"))
    assert [each for each in headers if each.is_file()] == headers
    store = await ChromaStore.open(quick_folder)
    assert len(await store.vectors(list(many))) == 400
    assert await store.embedded_count("f") == (400, 400)
    await store.close()
