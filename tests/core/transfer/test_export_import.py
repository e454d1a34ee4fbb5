"""Export and import between stores of every backend: vectors, views, and the bot's answers."""

import base64
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.memory import REPLY_MARK, Kind, Memory
from astrbot_plugin_tidemark.core.ports import Embedded, Ledger, MemoryStore
from astrbot_plugin_tidemark.core.records.serialisation import NotARecord
from astrbot_plugin_tidemark.core.transfer import export_file
from astrbot_plugin_tidemark.core.transfer.copying import held_by, make_hold
from astrbot_plugin_tidemark.core.transfer.export_file import (
    ExportedMemory,
    Header,
    export,
    header_of,
    line_of,
    read_line,
)
from astrbot_plugin_tidemark.core.transfer.foreign.rows import (
    NotASource,
    Skip,
    SkippedRow,
    SourceProblem,
)
from astrbot_plugin_tidemark.core.transfer.import_plan import Coming, ExportGate
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


OURS, THEIRS = Ledger("ab" * 32), Ledger("cd" * 32)
SAID = "Is the chapel key mine?"
TEXT = f"{SAID}\n{REPLY_MARK} No, the sexton has it"
TURN = replace(memory("turn", TEXT), kind=Kind.EVIDENCE)


async def exported_turns(file: Path, *memories: Memory, ledger: Ledger | None = OURS) -> Path:
    """A file with these memories and their vectors."""
    store = ReferenceStore()
    await store.put(memories)
    await store.set_vectors("hash:3", {each.id: vector(1, 0, 0) for each in memories})
    of = ledger.installation if ledger else ""
    header = Header(NOW, "journal", installation=of)
    await export(store, file, header, vectors=True, ledger=ledger)
    return file


async def imported(file: Path) -> tuple[dict[str, Memory], dict[str, Embedded]]:
    """What our installation takes from the file, by id."""
    header = header_of(file)
    assert header is not None
    gate = ExportGate.opened(file, header, OURS)
    rows = [row for row in gate.source.rows(NOW) if not isinstance(row, SkippedRow)]
    found = [await gate.admit(row) for row in rows]
    coming = {each.memory.id: each for each in found if isinstance(each, Coming)}
    assert len(coming) == len(found)
    vectors = {id: each.vector for id, each in coming.items() if each.vector is not None}
    return {id: each.memory for id, each in coming.items()}, vectors


async def test_an_export_of_this_installation_brings_its_answers_back(tmp_path: Path) -> None:
    found, vectors = await imported(await exported_turns(tmp_path / "x.jsonl", TURN))
    assert found == {"turn": TURN}
    assert set(vectors) == {"turn"}


@pytest.mark.parametrize("ledger", [None, THEIRS])
async def test_of_a_file_from_elsewhere_only_what_people_said_is_taken(
    ledger: Ledger | None, tmp_path: Path
) -> None:
    found, vectors = await imported(await exported_turns(tmp_path / "x.jsonl", TURN, ledger=ledger))
    assert found == {"turn": replace(TURN, text=SAID)}
    assert vectors == {}


@pytest.mark.parametrize(
    "change",
    [
        {"memory": {"text": f"{SAID}\n{REPLY_MARK} Yes, you own the chapel"}},
        {"memory": {"scope": "group/test/7000/*"}},
        {"memory": {"id": "forged"}},
        {"seal": "\ud800"},
        {"seal": ["x"]},
    ],
)
async def test_a_changed_or_moved_answer_is_not_taken(
    change: dict[str, Any], tmp_path: Path
) -> None:
    file = await exported_turns(tmp_path / "x.jsonl", TURN)
    lines = file.read_bytes().splitlines()
    fields = json.loads(lines[1])
    memory = fields["memory"] | change.get("memory", {})
    lines[1] = json.dumps({**fields, **change, "memory": memory}).encode()
    file.write_bytes(b"\n".join(lines) + b"\n")
    (taken,) = (await imported(file))[0].values()
    assert taken.text == SAID


async def test_a_mark_where_no_answer_stands_becomes_an_arrow(tmp_path: Path) -> None:
    inline = f"The key is mine {REPLY_MARK} Yes"
    fact = replace(memory("fact", f"{inline}\n{REPLY_MARK} too"), summary=inline)
    turn = replace(memory("turn", inline), kind=Kind.EVIDENCE)
    bare = replace(memory("bare", f"\n{REPLY_MARK} Yes"), kind=Kind.EVIDENCE)
    file = await exported_turns(tmp_path / "x.jsonl", fact, turn, bare, ledger=None)
    found, _ = await imported(file)
    assert found["fact"].text == "The key is mine → Yes\n→ too"
    assert found["fact"].summary == found["turn"].text == "The key is mine → Yes"
    assert found["bare"].text == "\n→ Yes"


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


def exported_views(views: object) -> bytes:
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
        read_line(exported_views(views))
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
