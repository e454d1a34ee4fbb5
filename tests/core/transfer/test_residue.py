"""Files that keep what was deleted are written anew; what a killed process left is gone."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.sleeping import JobKind, Tell
from astrbot_plugin_tidemark.core.settings import BackupSettings
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import NOTE
from astrbot_plugin_tidemark.core.transfer.places import Places
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ...kit import FakeClock, files_with, until
from ...storage.memories import complete, memory, vector
from .conftest import everything, files, kept, names

SECRET = "Quokkaberg"
MOUNTED = Path(__file__).resolve().parents[2] / "mounted.py"
OPENED = """
import asyncio, runpy
runpy.run_path({mounted!r})
from pathlib import Path
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.storage.files import LocalFiles

async def main():
    data_folder = await DataFolder.open(LocalFiles(Path({folder!r})), "chroma")
    await data_folder.aclose()

asyncio.run(main())
"""


async def restarted(folder: Path) -> None:
    """Open and close it in a process that has never seen what was deleted."""
    script = OPENED.format(mounted=str(MOUNTED), folder=str(folder))
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", script)
    assert await process.wait() == 0


async def test_after_a_restart_no_byte_is_left_of_what_was_purged(tmp_path: Path) -> None:
    async with kept(tmp_path, "chroma") as data_folder:
        stay = [complete("a"), *(memory(f"m{n}", f"tea {n}") for n in range(30))]
        gone = [memory(f"s{n}", f"{SECRET} {n}", summary=SECRET) for n in range(30)]
        await data_folder.store.put([*stay, *gone])
        await data_folder.store.set_vectors(
            "hashed:2", {m.id: vector(3, 4) for m in [*stay, *gone]}
        )
        await data_folder.store.purge([each.id for each in gone])
        before = await everything(data_folder.store)
        assert await data_folder.traces.left(), "people are told so"
    await restarted(tmp_path)
    assert files_with(tmp_path, SECRET) == []
    assert not [name for name in names(tmp_path) if name.startswith("rewrite")]
    async with kept(tmp_path, "chroma") as data_folder:
        assert await everything(data_folder.store) == before == sorted(stay, key=lambda m: m.id)
        assert set(await data_folder.store.vectors([m.id for m in stay])) == {m.id for m in stay}
        assert not await data_folder.traces.left()


async def test_nothing_is_written_anew_where_none_is_needed(tmp_path: Path) -> None:
    async with kept(tmp_path, "chroma") as data_folder:
        await data_folder.store.put([memory("a", "tea")])
    before = names(tmp_path / "chroma")
    async with kept(tmp_path, "chroma") as data_folder:
        assert await data_folder.journal.note(NOTE) is None
    assert names(tmp_path / "chroma") == before
    async with kept(tmp_path, "sqlite") as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        await data_folder.store.purge(["a"])
        assert await data_folder.journal.note(NOTE) is None


async def test_where_it_fails_the_old_files_stay_and_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path, "chroma") as data_folder:
        await data_folder.store.put([memory("a", "tea"), memory("b", "oats")])
        await data_folder.store.purge(["b"])

    async def broken(*_: object) -> None:
        raise StorageError("the disk is full")

    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.data_folder.make_hold", broken)
    async with kept(tmp_path, "chroma") as data_folder:
        assert [each.id for each in await everything(data_folder.store)] == ["a"]
        assert await data_folder.journal.note(NOTE) == "chroma"
    monkeypatch.undo()
    async with kept(tmp_path, "chroma") as data_folder:
        assert [each.id for each in await everything(data_folder.store)] == ["a"]
        assert not await data_folder.journal.note(NOTE)


async def test_a_folder_that_was_ready_is_put_in_place_at_the_next_start(tmp_path: Path) -> None:
    async with kept(tmp_path, "chroma") as data_folder:
        await data_folder.store.put([memory("old", "tea")])
    (tmp_path / "rewrite.ready").mkdir()
    fresh = await files(tmp_path).store("chroma", tmp_path / "rewrite.ready")
    await fresh.put([memory("new", "tea")])
    await fresh.close()
    async with kept(tmp_path, "chroma") as data_folder:
        assert [each.id for each in await everything(data_folder.store)] == ["new"]


async def test_in_use_no_byte_is_left_soon_after_a_purge_and_recalls_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.data_folder.TRACES_PAUSE", 0.05)
    failures: list[BaseException] = []
    async with kept(tmp_path, "chroma") as data_folder:
        store = data_folder.store
        stay = [memory(f"m{n}", f"tea {n}") for n in range(20)]
        gone = [memory(f"s{n}", f"{SECRET} {n}", summary=SECRET) for n in range(20)]
        await store.put([*stay, *gone])
        await data_folder.start(
            FakeClock(0.0), BackupSettings, lambda _, error: failures.append(error)
        )
        await store.purge([each.id for each in gone])
        async with asyncio.timeout(60):
            while await data_folder.traces.left():
                assert await store.find(["m1"]) == [stay[1]], "answered, by the old or the new"
        assert files_with(tmp_path, SECRET) == []
        await store.put([memory("later", "oats")])
        assert len(await everything(store)) == 21
    assert failures == []


async def test_a_failed_exchange_is_tried_again_though_a_job_waits_for_its_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.data_folder.TRACES_PAUSE", 0.05)
    opened, failing = LocalFiles.store, [True]

    async def once_refused(own: LocalFiles, *where: Any) -> Any:
        if len(where) == 1 and failing:
            failing.clear()
            raise StorageError("the disk is full")
        return await opened(own, *where)

    async with kept(tmp_path, "chroma") as data_folder:
        store = data_folder.store
        await store.put([memory("a", "tea"), memory("b", "oats")])
        monkeypatch.setattr(LocalFiles, "store", once_refused)
        await data_folder.start(FakeClock(0.0), BackupSettings, lambda place, error: None)
        await store.purge(["b"])

        async def reading(tell: Tell) -> int:
            return len(await store.find(["a"]))

        async def written() -> bool:
            return not await data_folder.traces.left()

        await until(lambda: not store.readable.is_set())
        job = data_folder.jobs.start(JobKind.SIMULATION, reading)
        async with asyncio.timeout(60):
            assert await job.result() == 1
        await until(written)
        assert [each.id for each in await everything(store)] == ["a"]


CUT_SHORT = (
    "backups/.20250615T150640Z.partial/memories.db",
    "backups/.20250615T150640Z.partial/memories.jsonl.partial",
    "restore.partial/journal.db",
    "rewrite.partial/chroma/chroma.sqlite3",
    "exports/.memories-20250615T150640Z.jsonl.partial",
    "journal.before-salts.db.partial",
)


async def test_nothing_is_left_of_what_was_cut_short(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        backup = await data_folder.backups.make(Occasion.ASKED, 1.0)
        await data_folder.export(data_folder.places.new(1.0), 1.0, None)
    before = {folder: names(tmp_path / folder) for folder in (".", "backups", "exports")}
    for name in CUT_SHORT:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SECRET)
    async with kept(tmp_path) as data_folder:
        assert files_with(tmp_path, SECRET) == []
        assert await data_folder.backups.every() == [backup]
        assert (await data_folder.store.get("a")).text == "tea"
    assert {folder: names(tmp_path / folder) for folder in before} == before


async def test_exports_that_hold_something_of_a_person_are_named(tmp_path: Path) -> None:
    private = Scope(ScopeKind.PRIVATE, "qq", "901", "poet")
    group = Scope(ScopeKind.GROUP, "qq", "5000")
    other = Scope(ScopeKind.PRIVATE, "qq", "9011", "default")
    ann, ben = Speaker("901", "Ann"), Speaker("902", "Ben 901")
    exported = {
        "private": memory("a", "tea", scope=private.key),
        "group": memory("b", "tea", scope=group.key, speaker=ann),
        "others": memory("c", f"tea with {private.owner}", scope=other.key, speaker=ben),
    }
    places = Places(tmp_path)
    assert places.holding([private]) == []
    for number, one in enumerate(exported.values()):
        async with kept(tmp_path / one.id) as data_folder:
            await data_folder.store.put([one])
            await data_folder.export(places.new(float(number)), float(number), None)
    first, second, _ = sorted(file.name for file in places.exports.iterdir())
    assert places.holding([Scope(ScopeKind.PRIVATE, "qq", "901")]) == [first, second]
