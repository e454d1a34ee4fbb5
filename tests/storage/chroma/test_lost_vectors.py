"""Files of vectors that a power failure or a bad disk took: they are made again."""

import asyncio
import os
import random
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, child, namespace

from ...strength import only_long
from ..memories import ANNA, memory, vector

HERE = frozenset({ANNA})
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
