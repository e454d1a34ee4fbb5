"""Files of vectors that a power failure took: nothing fails for it, and they are made again."""

import shutil
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, namespace

from ..memories import ANNA, memory, vector

HERE = frozenset({ANNA})
KEPT_AT = {"batch_size": 2, "sync_threshold": 4}
"""Few enough for Chroma to write them to files of their own."""

VECTORS = {f"m{n}": vector(1, n) for n in range(6)}


@pytest.fixture
async def bereft(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose database is as it was, and whose files of vectors are not there."""
    for how in ("_SEARCHED", "_UNSEARCHED"):
        monkeypatch.setattr(namespace, how, getattr(namespace, how) | KEPT_AT)
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(id, f"tea {id}") for id in VECTORS])
    await store.set_vectors("f", VECTORS)
    await store.close()
    lost = [each for each in (quick_folder / "chroma").iterdir() if each.is_dir()]
    assert any((each / "index_metadata.pickle").is_file() for each in lost)
    for each in lost:
        shutil.rmtree(each)
    return quick_folder


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
