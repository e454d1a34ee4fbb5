"""A file that vanished is no new beginning, and there is a way out of it."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from math import inf
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.settings import BackupSettings
from astrbot_plugin_tidemark.core.transfer.backup import NoSuchBackup, Occasion
from astrbot_plugin_tidemark.core.transfer.recovery import Recovery

from ...kit import FakeClock
from ...storage.memories import DAY, NOW, memory
from .conftest import everything, files, kept, names
from .test_backup import ANN, say

type Damage = Callable[[Path], None]


def vanished(file: Path) -> None:
    if file.is_dir():
        shutil.rmtree(file)
    else:
        file.unlink()


def emptied(file: Path) -> None:
    if file.is_dir():
        shutil.rmtree(file)
        file.mkdir()
    else:
        file.write_bytes(b"")


async def filled(folder: Path, backend: str = "sqlite", *, backup: bool = True) -> None:
    """A day of an installation, with a backup of it."""
    async with kept(folder, backend) as data_folder:
        await data_folder.store.put([memory("a", "tea"), memory("b", "oats")])
        await say(data_folder.journal)
        if backup:
            await data_folder.backups.make(Occasion.DAILY, NOW)


async def refusal(folder: Path, backend: str = "sqlite") -> StorageError:
    """Why the folder is not opened; and it is not the second time either."""
    for _ in range(2):
        with pytest.raises(StorageError) as told:
            async with kept(folder, backend):
                pass
    return told.value


async def ids(folder: Path, backend: str = "sqlite") -> list[str]:
    async with kept(folder, backend) as data_folder:
        return [each.id for each in await everything(data_folder.store)]


@pytest.mark.parametrize(
    ("backend", "file"), [("sqlite", "memories.db"), ("chroma", "chroma"), ("sqlite", "journal.db")]
)
@pytest.mark.parametrize("damage", [vanished, emptied])
async def test_a_missing_file_is_no_new_installation(
    backend: str, file: str, damage: Damage, tmp_path: Path
) -> None:
    await filled(tmp_path, backend)
    damage(tmp_path / file)
    before = names(tmp_path)
    told = await refusal(tmp_path, backend)
    assert (told.file, told.fault) == (file, Fault.LOST)
    assert names(tmp_path) == before
    assert len(names(tmp_path / "backups")) == 1


@pytest.mark.parametrize(("backend", "file"), [("sqlite", "memories.db"), ("chroma", "chroma")])
async def test_anothers_memories_are_refused(backend: str, file: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    await filled(ours, backend, backup=False)
    await filled(theirs, backend, backup=False)
    vanished(ours / file)
    (theirs / file).rename(ours / file)
    told = await refusal(ours, backend)
    assert (told.file, told.fault) == (file, Fault.APART)


async def test_files_from_before_they_named_each_other_are_adopted(tmp_path: Path) -> None:
    await filled(tmp_path)
    for file, statement in (
        ("memories.db", "DELETE FROM meta WHERE name = 'journal'"),
        ("journal.db", "DELETE FROM notes WHERE name = 'siblings'"),
    ):
        with closing(sqlite3.connect(tmp_path / file)) as database, database:
            assert database.execute(statement).rowcount == 1
    assert await ids(tmp_path) == ["a", "b"]
    vanished(tmp_path / "memories.db")
    assert (await refusal(tmp_path)).fault is Fault.LOST


async def test_memories_that_were_purged_are_not_lost_and_the_owner_stays(tmp_path: Path) -> None:
    await filled(tmp_path)
    async with kept(tmp_path) as data_folder:
        await data_folder.store.purge(["a", "b"])
    assert await ids(tmp_path) == []
    await filled(tmp_path, "chroma")
    async with kept(tmp_path, "chroma") as data_folder:
        await data_folder.store.purge(["a"])
    assert await ids(tmp_path, "chroma") == ["b"]


async def test_an_old_backend_that_was_given_up_is_not_missed(tmp_path: Path) -> None:
    await filled(tmp_path)
    async with kept(tmp_path, "sqlite") as data_folder:
        await data_folder.start(FakeClock(NOW), BackupSettings, lambda place, error: None)
        await data_folder.migration.begin("chroma", 0.0)
        await data_folder.migration.done()
        await data_folder.migration.confirm()
    assert await ids(tmp_path, "chroma") == ["a", "b"]
    assert await ids(tmp_path, "sqlite") == []


# The way out


@pytest.mark.parametrize(("backend", "file"), [("sqlite", "memories.db"), ("chroma", "chroma")])
async def test_lost_memories_come_back_alone(backend: str, file: str, tmp_path: Path) -> None:
    await filled(tmp_path, backend)
    async with kept(tmp_path, backend) as data_folder:
        seq = await say(data_folder.journal, "said since")
    vanished(tmp_path / file)
    await refusal(tmp_path, backend)
    backup = await Recovery(files(tmp_path), backend).bring_back("", NOW + DAY)
    assert backup.memories == 2
    assert await ids(tmp_path, backend) == ["a", "b"]
    async with kept(tmp_path, backend) as data_folder:
        turn = await data_folder.journal.turn(seq)
    assert turn.text == "said since"


async def test_a_lost_journal_comes_back_and_the_newer_memories_stay(tmp_path: Path) -> None:
    await filled(tmp_path)
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("since", "rye")])
    vanished(tmp_path / "journal.db")
    await refusal(tmp_path)
    await Recovery(files(tmp_path), "sqlite").bring_back("", NOW + DAY)
    assert await ids(tmp_path) == ["a", "b", "since"]
    async with kept(tmp_path) as data_folder:
        assert await data_folder.journal.scopes() == {ANN.key}


async def test_what_is_replaced_is_kept_as_a_backup(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    await filled(ours)
    async with kept(theirs) as data_folder:
        await data_folder.store.put([memory("theirs", "rye")])
    shutil.copyfile(theirs / "memories.db", ours / "memories.db")
    await refusal(ours)
    await Recovery(files(ours), "sqlite").bring_back("", NOW + DAY)
    assert await ids(ours) == ["a", "b"]
    async with kept(ours) as data_folder:
        aside, daily = await data_folder.backups.every()
    assert (aside.occasion, daily.occasion) == (Occasion.RESTORE, Occasion.DAILY)
    copied = tmp_path / "copied"
    copied.mkdir()
    shutil.copyfile(ours / "backups" / aside.name / "memories.db", copied / "memories.db")
    shutil.copyfile(theirs / "journal.db", copied / "journal.db")
    assert await ids(copied) == ["theirs"]


async def test_memories_of_others_in_chroma_are_never_written_over(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    await filled(ours, "chroma")
    await filled(theirs, "chroma")
    vanished(ours / "chroma")
    shutil.move(theirs / "chroma", ours / "chroma")
    with pytest.raises(StorageError) as told:
        await Recovery(files(ours), "chroma").bring_back("", NOW + DAY)
    assert told.value.fault is Fault.APART
    shutil.move(ours / "chroma", theirs / "chroma")
    assert await ids(theirs, "chroma") == ["a", "b"]
    assert names(ours) == ["backups", "erasures.json", "journal.db", "tidemark.lock"]


async def test_damaged_memories_come_from_the_newest_sound_backup(tmp_path: Path) -> None:
    await filled(tmp_path)
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("c", "rye")])
        newest = await data_folder.backups.make(Occasion.ASKED, NOW + DAY)
    for damaged in (tmp_path, tmp_path / "backups" / newest.name):
        (damaged / "memories.db").write_bytes((b"SQLite format 3\0" + b"\x93" * 4080) * 8)
    await refusal(tmp_path)
    backup = await Recovery(files(tmp_path), "sqlite").bring_back("", NOW + 2 * DAY)
    assert backup.at == NOW
    assert await ids(tmp_path) == ["a", "b"]


async def test_a_backup_without_memories_brings_none_back(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.backups.make(Occasion.DAILY, NOW)
    recovery = Recovery(files(tmp_path), "sqlite")
    assert await recovery.backups() == []
    with pytest.raises(NoSuchBackup):
        await recovery.bring_back("", NOW)


async def test_who_was_erased_since_the_backup_is_erased_again(tmp_path: Path) -> None:
    """The journal that stays has erased them already; the memories that come back have not."""
    async with kept(tmp_path) as data_folder:
        old = await say(data_folder.journal)
        await data_folder.store.put([memory("a", "tea", scope=ANN.key)])
        await data_folder.backups.make(Occasion.DAILY, NOW)
        work = await data_folder.journal.begin_erasure({ANN.owner: Consent()})
        await data_folder.journal.finish(work.id)
        newer = await say(data_folder.journal, "said since")
    vanished(tmp_path / "memories.db")
    await Recovery(files(tmp_path), "sqlite").bring_back("", NOW + DAY)
    async with kept(tmp_path) as data_folder:
        [again] = await data_folder.journal.due(
            inf, kinds=frozenset({WorkKind.ERASE}), limit=9, skip=frozenset()
        )
    assert (again.payload["after"], again.payload["until"]) == (0, old)
    assert newer > old


@pytest.mark.parametrize("file", ["memories.db", "journal.db"])
async def test_going_on_with_what_is_there_is_a_new_beginning(file: str, tmp_path: Path) -> None:
    await filled(tmp_path)
    vanished(tmp_path / file)
    await refusal(tmp_path)
    await Recovery(files(tmp_path), "sqlite").go_on()
    assert await ids(tmp_path) == ([] if file == "memories.db" else ["a", "b"])


@pytest.mark.parametrize(("note", "text"), [("backend", "{"), ("siblings", "[1]")])
async def test_going_on_mends_a_damaged_note(tmp_path: Path, note: str, text: str) -> None:
    await filled(tmp_path)
    async with kept(tmp_path) as data_folder:
        await data_folder.journal.set_note(note, text)
    assert (await refusal(tmp_path)).fault is Fault.DAMAGED
    await Recovery(files(tmp_path), "sqlite").go_on()
    assert await ids(tmp_path) == ["a", "b"]


async def test_eight_days_after_a_loss_the_last_full_backup_is_still_there(tmp_path: Path) -> None:
    await filled(tmp_path)
    vanished(tmp_path / "memories.db")
    await Recovery(files(tmp_path), "sqlite").go_on()
    settings = BackupSettings(keep=7, keep_weekly=0, keep_monthly=0)
    async with kept(tmp_path) as data_folder:
        for day in range(1, 30):
            await data_folder.daily(NOW + day * DAY, settings)
        every = await data_folder.backups.every()
        assert len(every) == 8
        assert (every[-1].at, every[-1].memories) == (NOW, 2)


async def test_what_was_deleted_on_purpose_keeps_no_backup_from_expiring(tmp_path: Path) -> None:
    await filled(tmp_path)
    settings = BackupSettings(keep=2, keep_weekly=0, keep_monthly=0)
    async with kept(tmp_path) as data_folder:
        await data_folder.store.purge(["a", "b"])
    async with kept(tmp_path) as data_folder:
        for day in range(1, 4):
            await data_folder.daily(NOW + day * DAY, settings)
        assert [each.memories for each in await data_folder.backups.every()] == [0, 0]
