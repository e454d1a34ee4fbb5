"""Further views go along wherever vectors go, and leave no byte behind."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.ports import Embedded, MemoryStore
from astrbot_plugin_tidemark.core.records.serialisation import NotARecord
from astrbot_plugin_tidemark.core.transfer.copying import held_by, make_hold
from astrbot_plugin_tidemark.core.transfer.export_file import ExportedMemory, line_of, read_line
from astrbot_plugin_tidemark.storage import open_store

from ...storage.memories import memory, vector
from .conftest import made

VIEWS = {"part 1": vector(0, 1), "part 2": vector(1, 1)}


async def viewed(backend: str, folder: Path) -> MemoryStore:
    return await open_store(backend, made(folder))


@pytest.mark.parametrize(("here", "there"), [("sqlite", "chroma"), ("chroma", "sqlite")])
async def test_a_move_takes_every_view_along(here: str, there: str, tmp_path: Path) -> None:
    source, target = await viewed(here, tmp_path / "a"), await viewed(there, tmp_path / "b")
    try:
        await source.put([memory("a"), memory("b")])
        await source.set_vectors("f:2", {"a": vector(1, 0), "b": vector(1, 0)}, {"a": VIEWS})
        for _ in range(2):
            await make_hold(target, held_by(source))
        found = await target.vectors(["a", "b"])
        assert list(found["a"].views) == list(VIEWS)
        assert found["b"].views == {}
        np.testing.assert_allclose(found["a"].views["part 2"], [0.7071, 0.7071], atol=1e-3)
        await source.set_vectors("f:2", {"a": vector(1, 0)})
        await make_hold(target, held_by(source))
        assert (await target.vectors(["a"]))["a"].views == {}
    finally:
        await source.close()
        await target.close()


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


def exported(views: object) -> bytes:
    """A line of a memory with its vector and these views."""
    line = json.loads(line_of(ExportedMemory(memory("a"), Embedded("f:2", vector(1, 0)))))
    line["vector"]["views"] = views
    return json.dumps(line).encode()


def test_a_line_holds_the_views_and_gives_them_back() -> None:
    units = {name: view / np.linalg.norm(view) for name, view in VIEWS.items()}
    entry = ExportedMemory(memory("a"), Embedded("f:2", vector(1, 0), units))
    back = read_line(line_of(entry).strip())
    assert list(back.vector.views) == list(VIEWS)
    np.testing.assert_allclose(back.vector.views["part 1"], [0, 1])


@pytest.mark.parametrize(
    "views",
    [
        [],
        "part 1",
        7,
        {"clause 99": base64.b64encode(vector(1, 0).tobytes()).decode()},
        {"part 1": 7},
        {"part 1": "not base64"},
        {"part 1": base64.b64encode(vector(1, 0, 0).tobytes()).decode()},
        {"part 1": base64.b64encode(np.zeros(2, np.float32).tobytes()).decode()},
    ],
)
def test_a_line_with_views_that_are_none_is_refused(views: object) -> None:
    with pytest.raises(NotARecord) as refused:
        read_line(exported(views))
    assert refused.value.field == "vector"


async def test_no_byte_of_a_purged_view_is_left_in_the_file(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    views = {name: chance.normal(size=64).astype(np.float32) for name in VIEWS}
    units = [(each / np.linalg.norm(each)).astype("<f2").tobytes() for each in views.values()]
    store = await viewed("sqlite", tmp_path)
    try:
        whole = chance.normal(size=64).astype(np.float32)
        ids = [f"m{number}" for number in range(60)]
        await store.put([memory(id) for id in ids])
        await store.set_vectors("f:64", dict.fromkeys(ids, whole))
        await store.set_vectors("f:64", {"m7": whole}, {"m7": views})
        await store.purge(["m7"])
        await store.wiped()
    finally:
        await store.close()
    assert not any(unit[:32] in bytes_in(tmp_path) for unit in units)
