"""Backups of one moment, their rotation, and going back to one whatever cuts it short."""

import asyncio
import json
import shutil
import sqlite3
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
from astrbot_plugin_tidemark.core.ports import Journal
from astrbot_plugin_tidemark.core.settings import BackupSettings
from astrbot_plugin_tidemark.core.transfer.backup import Backup, NoSuchBackup, Occasion
from astrbot_plugin_tidemark.core.transfer.custody import Safekeeping

from ...kit import FakeClock, until
from ...storage.memories import DAY, NOW, complete, memory, vector
from .conftest import everything, kept, names

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
HERE = Place("qq:FriendMessage:901", "c1", ANN.key)


async def say(journal: Journal, text: str = "hello") -> int:
    """A turn; its seq."""
    turn = NewTurn(HERE, Role.USER, Speaker("901", "Ann"), text, NOW)
    return (await journal.append(turn, lambda episode, turn: None)).turn.seq


async def made(keeping: Safekeeping, at: float = NOW) -> Backup:
    return await keeping.backups.make(Occasion.ASKED, at)


async def restored(folder: Path, backend: str, name: str) -> list[str]:
    """Go back to a backup; the texts of what is there then."""
    async with kept(folder, backend) as keeping:
        await keeping.backups.stage(name)
    async with kept(folder, backend) as keeping:
        return [each.text for each in await everything(keeping.store)]


async def test_going_back_brings_memories_vectors_and_turns_as_they_were(
    backend: str, tmp_path: Path
) -> None:
    async with kept(tmp_path, backend) as keeping:
        await keeping.store.put([complete("a"), memory("b", "tea"), memory("c", "oats")])
        await keeping.store.set_vectors("hashed:2", {"b": vector(3, 4)})
        seq = await say(keeping.journal)
        before = await everything(keeping.store)
        backup = await made(keeping)
        await keeping.store.purge(["a"])
        await keeping.store.put([memory("d", "rye")])
        await keeping.store.amend(["c"], lambda each: memory("c", "barley"))
        later = await say(keeping.journal, "later")
        await keeping.backups.stage(backup.name)
    async with kept(tmp_path, backend) as keeping:
        assert await everything(keeping.store) == before
        assert set(await keeping.store.vectors(["a", "b", "c", "d"])) == {"b"}
        assert await keeping.journal.turn(seq) is not None
        assert await keeping.journal.turn(later) is None
        assert await say(keeping.journal, "again") > later
        assert not [name for name in names(tmp_path) if name.startswith("restore")]


async def test_a_backup_is_of_one_moment_whatever_is_written_meanwhile(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        going = True

        async def busy() -> int:
            number = 0
            while going:
                number += 1
                await say(keeping.journal, f"turn {number}")
                await keeping.store.put([memory(f"m{number}", f"tea {number}")])
            return number

        working = asyncio.create_task(busy())
        backups = []
        for number in range(5):
            backups.append(await made(keeping, NOW + number))
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


async def test_a_backup_lists_what_it_is_and_holds_nothing_else(
    backend: str, tmp_path: Path
) -> None:
    async with kept(tmp_path, backend) as keeping:
        await keeping.store.put([memory("a", "tea")])
        backup = await made(keeping)
        assert await keeping.backups.every() == [backup]
    assert (backup.at, backup.occasion, backup.backend) == (NOW, Occasion.ASKED, backend)
    memories = "memories.db" if backend == "sqlite" else "memories.jsonl"
    assert names(tmp_path / "backups" / backup.name) == sorted(
        ["backup.json", "journal.db", memories]
    )
    assert names(tmp_path / "backups") == [backup.name]


async def test_a_clock_beyond_the_year_9999_stops_no_backup(tmp_path: Path) -> None:
    late = 253_402_300_800.0 + 400 * DAY
    async with kept(tmp_path, "sqlite") as keeping:
        first, second = await made(keeping, late), await made(keeping, late)
        assert first.at == late
        assert {each.name for each in await keeping.backups.every()} == {first.name, second.name}


async def test_a_backup_that_fails_leaves_nothing_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path) as keeping:
        await keeping.store.put([memory("a", "tea")])

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.backup.write_manifest", full)
        with pytest.raises(OSError, match="No space left"):
            await made(keeping)
        assert names(tmp_path / "backups") == []
        monkeypatch.undo()
        await made(keeping)


async def test_a_cancelled_backup_leaves_nothing(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        await keeping.store.put([memory(f"m{n}", "tea" * 100) for n in range(200)])
        task = asyncio.create_task(made(keeping))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if task.cancelled():
            assert names(tmp_path / "backups") == []
        assert await keeping.store.put([memory("later", "tea")]) == frozenset({"later"})


async def test_daily_backups_are_made_once_a_day_and_the_oldest_go(tmp_path: Path) -> None:
    settings = BackupSettings(keep=3)
    async with kept(tmp_path) as keeping:
        asked = await made(keeping, NOW - 100 * DAY)
        for day in range(6):
            for hour in (0.0, 0.4):
                await keeping.daily(NOW + (day + hour) * DAY, settings)
        every = await keeping.backups.every()
        assert [(NOW + 5 * DAY - each.at) / DAY for each in every[:3]] == [0, 1, 2]
        assert every[3:] == [asked]


async def test_switched_off_no_daily_backup_is_made(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        assert await keeping.daily(NOW, BackupSettings(enabled=False)) is None
        assert await keeping.backups.every() == []


async def test_a_clock_that_was_in_the_future_does_not_stop_daily_backups(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        await made(keeping, NOW + 400 * DAY)
        assert await keeping.daily(NOW, BackupSettings()) is not None


async def test_what_is_not_a_whole_backup_is_none(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        backup = await made(keeping)
        home = tmp_path / "backups"
        (home / ".20300101T000000Z.partial").mkdir()
        (home / "20300101T000000Z").mkdir()
        (home / "20300102T000000Z").mkdir()
        (home / "20300102T000000Z" / "backup.json").write_text('{"version": 1')
        (home / "20300103T000000Z").mkdir()
        manifest = json.loads((home / backup.name / "backup.json").read_text())
        newer = json.dumps(manifest | {"version": 99})
        (home / "20300103T000000Z" / "backup.json").write_text(newer)
        assert await keeping.backups.every() == [backup]
        with pytest.raises(NoSuchBackup):
            await keeping.backups.stage("20300101T000000Z")


@pytest.mark.parametrize("file", ["memories.db", "journal.db"])
async def test_a_damaged_backup_is_refused_and_changes_nothing(tmp_path: Path, file: str) -> None:
    async with kept(tmp_path) as keeping:
        await keeping.store.put([memory(f"m{n}", "tea" * 50) for n in range(100)])
        backup = await made(keeping)
        path = tmp_path / "backups" / backup.name / file
        content = bytearray(path.read_bytes())
        content[4096:12288] = b"\xff" * 8192
        path.write_bytes(content)
        with pytest.raises(StorageError) as caught:
            await keeping.backups.stage(backup.name)
        assert caught.value.fault is Fault.DAMAGED
    assert not [name for name in names(tmp_path) if name.startswith("restore")]
    assert await restored(tmp_path, "sqlite", (await _again(tmp_path)).name) == ["tea" * 50] * 100


async def _again(folder: Path) -> Backup:
    async with kept(folder) as keeping:
        return await made(keeping, NOW + 1)


async def test_an_incomplete_export_in_a_backup_is_refused(tmp_path: Path) -> None:
    async with kept(tmp_path, "ephemeral") as keeping:
        await keeping.store.put([memory("a", "tea"), memory("b", "oats")])
        backup = await made(keeping)
        file = tmp_path / "backups" / backup.name / "memories.jsonl"
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
        with pytest.raises(StorageError) as caught:
            await keeping.backups.stage(backup.name)
        assert caught.value.fault is Fault.DAMAGED


async def test_a_backup_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        backup = await made(keeping)
        file = tmp_path / "backups" / backup.name / "journal.db"
        with sqlite3.connect(file) as future:
            future.execute("INSERT INTO migration (name) VALUES ('time_travel')")
        future.close()
        before = file.read_bytes()
        with pytest.raises(SchemaTooNew):
            await keeping.backups.stage(backup.name)
        assert file.read_bytes() == before
    assert not [name for name in names(tmp_path) if name.startswith("restore")]


async def test_a_restoring_cut_short_before_its_one_step_changes_nothing(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeping:
        await keeping.store.put([memory("a", "tea")])
        backup = await made(keeping)
        await keeping.store.put([memory("b", "oats")])
        await keeping.backups.stage(backup.name)
    (tmp_path / "restore.ready").rename(tmp_path / "restore.partial")
    async with kept(tmp_path) as keeping:
        assert len(await everything(keeping.store)) == 2
        await keeping.backups.stage(backup.name)
    async with kept(tmp_path) as keeping:
        assert len(await everything(keeping.store)) == 1


@pytest.mark.parametrize("steps", range(5))
async def test_a_restoring_cut_short_after_it_is_finished_at_the_next_start(
    tmp_path: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path) as keeping:
        await keeping.store.put([memory("a", "tea")])
        first = await say(keeping.journal)
        backup = await made(keeping)
        await keeping.store.put([memory("b", "oats")])
        second = await say(keeping.journal)
        await keeping.backups.stage(backup.name)
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
            return real(path, *args, **options)  # pyright: ignore[reportCallIssue]

        return call

    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    monkeypatch.setattr(Path, "replace", counted(Path.replace))
    with pytest.raises(Killed):
        async with kept(tmp_path):
            pass
    monkeypatch.undo()
    async with kept(tmp_path) as keeping:
        assert [each.id for each in await everything(keeping.store)] == ["a"]
        assert await keeping.journal.turn(first) is not None
        assert await keeping.journal.turn(second) is None


@pytest.mark.parametrize("backend", ["chroma"])
async def test_filling_the_store_from_a_restored_export_may_be_cut_short(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path, backend) as keeping:
        await keeping.store.put([memory(f"m{n:03}", "tea") for n in range(250)])
        backup = await made(keeping)
        await keeping.store.put([memory("late", "oats")])
        await keeping.backups.stage(backup.name)

    async def broken(*_: object) -> None:
        raise StorageError("cut short")

    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.backup.drop_absent", broken)
    with pytest.raises(StorageError):
        async with kept(tmp_path, backend):
            pass
    monkeypatch.undo()
    async with kept(tmp_path, backend) as keeping:
        assert len(await everything(keeping.store)) == 250
    assert "restored.jsonl" not in names(tmp_path)


async def test_a_backup_of_another_backend_brings_that_backend_back(tmp_path: Path) -> None:
    async with kept(tmp_path, "sqlite") as keeping:
        await keeping.store.put([memory("a", "tea")])
        backup = await made(keeping)
    async with kept(tmp_path, "chroma") as keeping:
        assert await everything(keeping.store) == []
        await keeping.backups.stage(backup.name)
    async with kept(tmp_path, "chroma") as keeping:
        assert (keeping.backends.in_force, keeping.backends.agree) == ("sqlite", False)
        assert [each.id for each in await everything(keeping.store)] == ["a"]


async def test_a_daily_backup_that_fails_is_reported_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.custody.LOOK", 0.01)
    reports: list[str] = []

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with kept(tmp_path) as keeping:
        monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.backup.write_manifest", full)
        await keeping.start(
            FakeClock(NOW),
            BackupSettings,
            lambda place, error: reports.append(f"{place}: {error}"),
        )
        await until(lambda: len(reports) >= 2)
        assert set(reports) == {"backup: [Errno 28] No space left on device"}
        monkeypatch.undo()

        async def made_one() -> bool:
            return bool(await keeping.daily(NOW, BackupSettings()) or await keeping.backups.every())

        await until(made_one)
