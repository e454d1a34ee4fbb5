"""Export and import between stores of every backend."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.transfer import export_file
from astrbot_plugin_tidemark.core.transfer.export_file import Header, export
from astrbot_plugin_tidemark.core.transfer.foreign.rows import NotASource, Skip, SourceProblem
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ...storage.memories import ANNA, BEN, DAY, NOW, complete, memory, populations, vector
from .conftest import everything, made, names, taken

HEADER = Header(NOW, "journal")
any_text = st.text(st.characters(exclude_categories=()), max_size=20)


async def new(backend: str, folder: Path) -> MemoryStore:
    return await open_store(backend, made(folder))


async def exported(folder: Path, memories: Sequence[Memory]) -> Path:
    """A file with these memories."""
    store = ReferenceStore()
    await store.put(memories)
    await export(store, folder / "file.jsonl", HEADER)
    return folder / "file.jsonl"


def damaged(file: Path, number: int, line: bytes) -> None:
    """Replace one line, counted from 1."""
    every = file.read_bytes().splitlines(keepends=True)
    every[number - 1] = line + b"\n"
    file.write_bytes(b"".join(every))


async def test_what_is_exported_is_the_same_in_any_store(backend: str, tmp_path: Path) -> None:
    before, after = await new("sqlite", tmp_path / "a"), await new(backend, tmp_path / "b")
    await before.put([complete("a"), memory("b", "tea"), memory("c", "half \ud83d")])
    assert await export(before, tmp_path / "x.jsonl", HEADER) == 3
    told = await taken(after, tmp_path / "x.jsonl")
    assert (told.new, told.skipped) == (3, {})
    assert await everything(after) == await everything(before)
    await before.close()
    await after.close()


@given(populations, any_text, st.floats(0, 400))
async def test_an_import_is_equal_idempotent_and_brings_no_burst_of_decay(
    population: list[Memory], text: str, days: float
) -> None:
    plan, bin_policy = Tmd(TmdParameters()).plan, BinPolicy(30)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = ReferenceStore()
        after = await new("sqlite", folder)
        await before.put([*population, memory("odd", text)])
        await export(before, folder / "x.jsonl", HEADER)
        await taken(after, folder / "x.jsonl")
        assert await everything(after) == await everything(before)
        again = await taken(after, folder / "x.jsonl")
        assert (again.new, again.known) == (0, len(population) + 1)
        now = NOW + days * DAY
        assert await after.decay(now, plan, bin_policy) == await before.decay(now, plan, bin_policy)
        assert await everything(after) == await everything(before)
        await after.close()


async def test_vectors_go_along_only_when_asked(backend: str, tmp_path: Path) -> None:
    before, after = ReferenceStore(), await new(backend, tmp_path / "b")
    await before.put([memory("a", "tea"), memory("b", "oats")])
    await before.set_vectors("hashed:2", {"a": vector(3, 4)})
    await export(before, tmp_path / "x.jsonl", HEADER)
    await taken(after, tmp_path / "x.jsonl")
    assert await after.vectors(["a", "b"]) == {}
    await export(before, tmp_path / "y.jsonl", HEADER, vectors=True)
    await taken(after, tmp_path / "y.jsonl")
    found = await after.vectors(["a", "b"])
    assert set(found) == {"a"}
    np.testing.assert_allclose(found["a"].vector, [0.6, 0.8], atol=1e-3)
    assert [hit.id for hit in await after.search_vector(vector(3, 4), "hashed:2", {ANNA})] == ["a"]
    await after.close()


async def test_only_the_scopes_asked_for_are_exported(tmp_path: Path) -> None:
    store = ReferenceStore()
    await store.put([memory("a", "tea"), memory("b", "oats", scope=BEN)])
    await export(store, tmp_path / "x.jsonl", replace(HEADER, scopes=(BEN,)))
    other = ReferenceStore()
    await taken(other, tmp_path / "x.jsonl")
    assert [each.id for each in await everything(other)] == ["b"]


async def test_a_known_memory_or_one_of_other_words_stays_as_it_is(tmp_path: Path) -> None:
    file = await exported(tmp_path, [memory("a", "tea")])
    store = ReferenceStore()
    grown = memory("a", "tea", importance=0.9)
    await store.put([grown])
    assert (await taken(store, file)).known == 1
    assert await everything(store) == [grown]
    before, after = ReferenceStore(), ReferenceStore()
    await before.put([memory("a", "tea")])
    await before.set_vectors("hashed:2", {"a": vector(3, 4)})
    await export(before, tmp_path / "x.jsonl", HEADER, vectors=True)
    await after.put([memory("a", "coffee by now")])
    await taken(after, tmp_path / "x.jsonl")
    assert await after.vectors(["a"]) == {}


async def test_lines_that_do_not_fit_are_counted_and_the_rest_is_taken(tmp_path: Path) -> None:
    file = await exported(tmp_path, [memory(f"m{n:02}", "tea") for n in range(30)])
    for number in range(3, 17):
        damaged(file, number, b'{"memory": {"id": 5}}')
    line = export_file.line_of(export_file.ExportedMemory(memory("m15", "tea"))).strip()
    damaged(file, 17, line[:-1] + b',"vector":{"fingerprint":"x:2","float32":"!"}}')
    damaged(file, 18, b"x" * (3 * export_file.LONGEST_LINE))
    store = ReferenceStore()
    told = await taken(store, file)
    assert (told.new, told.skipped) == (14, {Skip.BROKEN: 16})
    assert [each.id for each in await everything(store)][:2] == ["m00", "m17"]


async def test_broken_or_foreign_files_give_what_is_whole_or_nothing(tmp_path: Path) -> None:
    file = await exported(tmp_path, [memory(f"m{n}", "tea") for n in range(5)])
    file.write_bytes(file.read_bytes()[:-700])
    store = ReferenceStore()
    told = await taken(store, file)
    assert told.skipped[Skip.CUT] == 1
    assert 0 < told.new < 5
    assert len(await everything(store)) == told.new
    (tmp_path / "x.jsonl").write_text('{"memories": 5}\n')
    store = ReferenceStore()
    with pytest.raises(NotASource) as caught:
        await taken(store, tmp_path / "x.jsonl")
    assert caught.value.problem is SourceProblem.FOREIGN
    assert await everything(store) == []


async def test_an_export_that_fails_leaves_the_older_file_and_nothing_else(tmp_path: Path) -> None:
    file = await exported(tmp_path, [memory("a", "tea")])
    before = file.read_bytes()
    store = await new("sqlite", tmp_path / "other")
    await store.put([memory("b", "oats")])

    class Broken(Exception):
        pass

    async def vectors(ids: Sequence[str]) -> dict[str, object]:
        raise Broken

    store.vectors = vectors
    with pytest.raises(Broken):
        await export(store, file, HEADER, vectors=True)
    assert file.read_bytes() == before
    assert names(tmp_path) == ["file.jsonl", "other"]
    await store.close()


async def test_an_empty_export_is_whole_and_one_that_lacks_lines_is_not(tmp_path: Path) -> None:
    file = await exported(tmp_path, [])
    told = await taken(ReferenceStore(), file)
    assert (told.new, told.skipped) == (0, {})
    file = await exported(tmp_path, [memory(f"m{n}", "tea") for n in range(5)])
    every = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(every[:2] + every[4:]))
    told = await taken(ReferenceStore(), file)
    assert (told.new, told.skipped) == (3, {Skip.CUT: 1})
