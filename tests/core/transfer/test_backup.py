"""Backups of one moment, their rotation, and going back to one whatever cuts it short."""

import asyncio
import json
import shutil
import sqlite3
import threading
from importlib import import_module
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Place,
    Role,
    Scope,
    ScopeKind,
    Speaker,
)
from astrbot_plugin_tidemark.core.model.errors import Fault, SchemaTooNew, StorageError
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.ports import Journal
from astrbot_plugin_tidemark.core.settings import BackupSettings
from astrbot_plugin_tidemark.core.transfer.backup import Backup, NoSuchBackup, Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder

from ...kit import FakeClock, until
from ...storage.memories import DAY, NOW, complete, memory, vector, with_status
from .conftest import everything, kept, names

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
HERE = Place("qq:FriendMessage:901", "c1", ANN.key)


async def say(journal: Journal, text: str = "hello") -> int:
    """A turn; its seq."""
    turn = NewTurn(HERE, Role.USER, Speaker("901", "Ann"), text, NOW)
    return (await journal.append(turn, lambda episode, turn: None)).turn.seq


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


async def made(data_folder: DataFolder, at: float = NOW) -> Backup:
    return await data_folder.backups.make(Occasion.ASKED, at)


async def refused(data_folder: DataFolder, backup: Backup) -> StorageError:
    """Why a backup is not gone back to; nothing is prepared then."""
    with pytest.raises(StorageError) as caught:
        await data_folder.backups.stage(backup.name)
    assert not [name for name in names(data_folder.files.folder) if name.startswith("restore")]
    return caught.value


async def restored(folder: Path, backend: str, name: str) -> list[str]:
    """Go back to a backup; the texts of what is there then."""
    async with kept(folder, backend) as data_folder:
        await data_folder.backups.stage(name)
    async with kept(folder, backend) as data_folder:
        return [each.text for each in await everything(data_folder.store)]


async def test_going_back_brings_everything_as_it_was(backend: str, tmp_path: Path) -> None:
    async with kept(tmp_path, backend) as data_folder:
        await data_folder.store.put([complete("a"), memory("b", "tea"), memory("c", "oats")])
        await data_folder.store.put([with_status(memory("q", "bees"), Status.QUARANTINED)])
        await data_folder.store.set_vectors("hashed:2", {"b": vector(3, 4)})
        seq = await say(data_folder.journal)
        before = await everything(data_folder.store)
        backup = await made(data_folder)
        await data_folder.store.purge(["a"])
        await data_folder.store.put([memory("d", "rye")])
        await data_folder.store.amend(["c"], lambda each: memory("c", "barley"))
        later = await say(data_folder.journal, "later")
        await data_folder.backups.stage(backup.name)
    async with kept(tmp_path, backend) as data_folder:
        assert await everything(data_folder.store) == before
        assert set(await data_folder.store.vectors(["a", "b", "c", "d"])) == {"b"}
        assert await data_folder.journal.turn(seq) is not None
        assert await data_folder.journal.turn(later) is None
        assert await say(data_folder.journal, "again") > later
        assert not [name for name in names(tmp_path) if name.startswith("restore")]


async def test_a_backup_is_of_one_moment_whatever_is_written_meanwhile(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        going = True

        async def busy() -> int:
            number = 0
            while going:
                number += 1
                await say(data_folder.journal, f"turn {number}")
                await data_folder.store.put([memory(f"m{number}", f"tea {number}")])
            return number

        working = asyncio.create_task(busy())
        backups = []
        for number in range(5):
            backups.append(await made(data_folder, NOW + number))
            await asyncio.sleep(0.01)
        going = False
        written = await working
    counts = []
    for backup in backups:
        folder = tmp_path / "backups" / backup.name
        memories, turns = (
            sqlite3.connect(folder / file).execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for file, table in (("memories.db", "memory"), ("journal.db", "turns"))
        )
        assert memories in (turns, turns - 1)
        counts.append(memories)
    assert counts == sorted(counts)
    assert counts[-1] <= written


async def test_a_backup_holds_what_it_lists_and_no_more(backend: str, tmp_path: Path) -> None:
    async with kept(tmp_path, backend) as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        backup = await made(data_folder)
        assert await data_folder.backups.every() == [backup]
    assert (backup.at, backup.occasion, backup.backend) == (NOW, Occasion.ASKED, backend)
    memories = "memories.db" if backend == "sqlite" else "memories.jsonl"
    assert names(tmp_path / "backups" / backup.name) == sorted(
        ["backup.json", "journal.db", memories]
    )
    assert names(tmp_path / "backups") == [backup.name]


async def test_a_clock_beyond_the_year_9999_stops_no_backup(tmp_path: Path) -> None:
    late = 253_402_300_800.0 + 400 * DAY
    async with kept(tmp_path, "sqlite") as data_folder:
        first, second = await made(data_folder, late), await made(data_folder, late)
        assert first.at == late
        assert {each.name for each in await data_folder.backups.every()} == {
            first.name,
            second.name,
        }


async def test_a_backup_that_fails_leaves_nothing_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("a", "tea")])

        monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.backup.put_text", full)
        with pytest.raises(OSError, match="No space left"):
            await made(data_folder)
        assert names(tmp_path / "backups") == []
        monkeypatch.undo()
        await made(data_folder)


@pytest.mark.parametrize("step", ["backup._emptied", "backup.publish", "backup._read"])
async def test_a_backup_cancelled_in_a_step_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    module, name = step.split(".")
    whole = getattr(import_module(f"astrbot_plugin_tidemark.core.transfer.{module}"), name)

    def slowly(*given: Path) -> object:
        did = whole(*given)
        begun.set()
        go_on.wait(20.0)
        return did

    async with kept(tmp_path) as data_folder:
        monkeypatch.setattr(f"astrbot_plugin_tidemark.core.transfer.{step}", slowly)
        task = asyncio.create_task(made(data_folder))
        await asyncio.to_thread(begun.wait, 20.0)
        for _ in range(2):
            # An end of the process cancels again what is already being cancelled.
            task.cancel()
            await asyncio.sleep(0.01)
        go_on.set()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        assert [each.name for each in (tmp_path / "backups").iterdir()] == []


async def test_daily_backups_are_made_once_a_day_and_the_oldest_go(tmp_path: Path) -> None:
    settings = BackupSettings(keep=3)
    async with kept(tmp_path) as data_folder:
        asked = await made(data_folder, NOW - 100 * DAY)
        for day in range(6):
            for hour in (0.0, 0.4):
                await data_folder.daily(NOW + (day + hour) * DAY, settings)
        every = await data_folder.backups.every()
        assert [(NOW + 5 * DAY - each.at) / DAY for each in every[:3]] == [0, 1, 2]
        assert every[3:] == [asked]


async def test_no_daily_backup_is_made_where_off_but_with_a_clock_set_back(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        assert await data_folder.daily(NOW, BackupSettings(enabled=False)) is None
        assert await data_folder.backups.every() == []
    async with kept(tmp_path) as data_folder:
        await made(data_folder, NOW + 400 * DAY)
        assert await data_folder.daily(NOW, BackupSettings()) is not None


async def test_what_is_not_a_whole_backup_is_none(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        backup = await made(data_folder)
        home = tmp_path / "backups"
        (home / ".20300101T000000Z.partial").mkdir()
        (home / "20300101T000000Z").mkdir()
        (home / "20300102T000000Z").mkdir()
        (home / "20300102T000000Z" / "backup.json").write_text('{"version": 1')
        (home / "20300103T000000Z").mkdir()
        manifest = json.loads((home / backup.name / "backup.json").read_text())
        newer = json.dumps(manifest | {"version": 99})
        (home / "20300103T000000Z" / "backup.json").write_text(newer)
        assert await data_folder.backups.every() == [backup]
        with pytest.raises(NoSuchBackup):
            await data_folder.backups.stage("20300101T000000Z")


@pytest.mark.parametrize("file", ["memories.db", "journal.db"])
async def test_a_damaged_backup_is_refused_and_changes_nothing(tmp_path: Path, file: str) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory(f"m{n}", "tea" * 50) for n in range(100)])
        backup = await made(data_folder)
        path = tmp_path / "backups" / backup.name / file
        content = bytearray(path.read_bytes())
        content[4096:12288] = b"\xff" * 8192
        path.write_bytes(content)
        assert (await refused(data_folder, backup)).fault is Fault.DAMAGED
        again = await made(data_folder, NOW + 1)
    assert await restored(tmp_path, "sqlite", again.name) == ["tea" * 50] * 100


async def test_an_incomplete_export_in_a_backup_is_refused(tmp_path: Path) -> None:
    async with kept(tmp_path, "chroma") as data_folder:
        await data_folder.store.put([memory("a", "tea"), memory("b", "oats")])
        backup = await made(data_folder)
        file = tmp_path / "backups" / backup.name / "memories.jsonl"
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
        assert (await refused(data_folder, backup)).fault is Fault.DAMAGED


async def test_a_backup_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        backup = await made(data_folder)
        file = tmp_path / "backups" / backup.name / "journal.db"
        with sqlite3.connect(file) as future:
            future.execute("INSERT INTO migration (name) VALUES ('time_travel')")
        future.close()
        before = file.read_bytes()
        assert isinstance(await refused(data_folder, backup), SchemaTooNew)
        assert file.read_bytes() == before


async def test_a_restoring_cut_short_before_its_one_step_changes_nothing(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        backup = await made(data_folder)
        await data_folder.store.put([memory("b", "oats")])
        await data_folder.backups.stage(backup.name)
    (tmp_path / "restore.ready").rename(tmp_path / "restore.partial")
    async with kept(tmp_path) as data_folder:
        assert len(await everything(data_folder.store)) == 2
        await data_folder.backups.stage(backup.name)
    async with kept(tmp_path) as data_folder:
        assert len(await everything(data_folder.store)) == 1


@pytest.mark.parametrize("steps", range(5))
async def test_a_restoring_cut_short_after_it_is_finished_at_the_next_start(
    tmp_path: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        first = await say(data_folder.journal)
        backup = await made(data_folder)
        await data_folder.store.put([memory("b", "oats")])
        second = await say(data_folder.journal)
        await data_folder.backups.stage(backup.name)
        # A process that was killed leaves its logs behind.
        for file in ("journal.db-wal", "memories.db-wal"):
            shutil.copy(tmp_path / file, tmp_path / f"{file}.kept")
    for file in ("journal.db-wal", "memories.db-wal"):
        (tmp_path / f"{file}.kept").rename(tmp_path / file)

    class Killed(BaseException):
        pass

    left = [steps]

    def counted(real: object) -> object:
        def call(path: Path, *args: object, **options: object) -> object:
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            return real(path, *args, **options)

        return call

    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    monkeypatch.setattr(Path, "replace", counted(Path.replace))
    with pytest.raises(Killed):
        async with kept(tmp_path):
            pass
    monkeypatch.undo()
    async with kept(tmp_path) as data_folder:
        assert [each.id for each in await everything(data_folder.store)] == ["a"]
        assert await data_folder.journal.turn(first) is not None
        assert await data_folder.journal.turn(second) is None


@pytest.mark.parametrize("backend", ["chroma"])
async def test_filling_the_store_from_a_restored_export_may_be_cut_short(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path, backend) as data_folder:
        await data_folder.store.put([memory(f"m{n:03}", "tea") for n in range(250)])
        backup = await made(data_folder)
        await data_folder.store.put([memory("late", "oats")])
        await data_folder.backups.stage(backup.name)

    async def broken(*_: object) -> None:
        raise StorageError("cut short")

    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.copying.drop_absent", broken)
    with pytest.raises(StorageError):
        async with kept(tmp_path, backend):
            pass
    monkeypatch.undo()
    async with kept(tmp_path, backend) as data_folder:
        assert len(await everything(data_folder.store)) == 250
    assert "restored.jsonl" not in names(tmp_path)


async def test_a_backup_of_another_backend_brings_that_backend_back(tmp_path: Path) -> None:
    async with kept(tmp_path, "sqlite") as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        backup = await made(data_folder)
    async with kept(tmp_path, "chroma") as data_folder:
        assert await everything(data_folder.store) == []
        await data_folder.backups.stage(backup.name)
    async with kept(tmp_path, "chroma") as data_folder:
        assert (data_folder.backends.in_force, data_folder.backends.agree) == ("sqlite", False)
        assert [each.id for each in await everything(data_folder.store)] == ["a"]


async def test_a_daily_backup_that_fails_is_reported_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.data_folder.LOOK", 0.01)
    reports: list[str] = []

    async with kept(tmp_path) as data_folder:
        monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.backup.put_text", full)
        await data_folder.start(
            FakeClock(NOW), BackupSettings, lambda place, error: reports.append(f"{place}: {error}")
        )
        await until(lambda: len(reports) >= 2)
        assert set(reports) == {"backup: [Errno 28] No space left on device"}
        monkeypatch.undo()

        async def made_one() -> bool:
            return bool(
                await data_folder.daily(NOW, BackupSettings()) or await data_folder.backups.every()
            )

        await until(made_one)
