"""No byte of what was deleted is left, in any backend, nor in backups made afterwards."""

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, to_bin
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.privacy.erasure import ErasureDelayed
from astrbot_plugin_tidemark.core.queue.worker import Report
from astrbot_plugin_tidemark.core.settings import BackupSettings, Settings
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.foreign.rows import Skip
from astrbot_plugin_tidemark.core.transfer.import_plan import MovePlan
from astrbot_plugin_tidemark.core.transfer.moving_in import MoveRequest
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ...kit import files_with
from ...rig import Rig
from ...samples import DAY, memory
from .conftest import everything, kept, names, rigged

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")
SECRET = "Quokkaberg"


def besides_chroma(folder: Path) -> list[str]:
    """Files that hold the secret; what Chroma's folder keeps goes at a start, see traces."""
    return [file for file in files_with(folder, SECRET) if not file.startswith("chroma")]


async def converse(rig: Rig) -> list[Memory]:
    """A talk of Ann's that holds the secret, indexed and embedded, and one of Ben's."""
    await rig.exchange(BEN, "I keep bees in Hameln", "noted")
    await rig.exchange(ANN, f"I live in {SECRET} near the mill", "a fine place")
    await rig.exchange(ANN, f"what is the weather in {SECRET}?", "cold")
    await rig.settle()
    await rig.keep(f"Ann lives in {SECRET}", ANN, id="fact", cues=(f"where is {SECRET}",))
    await rig.embedded()
    return [memory for memory in await rig.memories() if memory.scope == ANN.key]


async def wiped(rig: Rig) -> None:
    """What is otherwise so soon after a deletion."""
    await rig.store.wiped()
    await rig.journal.wiped()


def _raised(place: str, error: BaseException) -> None:
    raise AssertionError(place) from error


async def moved(
    rig: Rig, data_folder: DataFolder, to: str = "chroma", report: Report = _raised
) -> None:
    """Move everything to the other backend."""
    await data_folder.start(rig.clock, lambda: Settings().backup, report)
    assert await data_folder.migration.begin(to, 0.0) is None
    await data_folder.migration.done()


def in_bin(now: float) -> object:
    return lambda memory: to_bin(memory, now=now, reason="test", policy=BinPolicy(30))


async def test_forgetting_a_person_leaves_no_byte(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        assert await converse(rig)
        await rig.engine.eraser.erase(ANN)
        await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        assert files_with(tmp_path, SECRET) == []
        assert await rig.texts(BEN, "bees")
    assert files_with(tmp_path, SECRET) == []


@pytest.mark.parametrize("by_hand", [True, False])
async def test_purging_by_hand_or_by_the_bin_leaves_no_byte(tmp_path: Path, by_hand: bool) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        ids = [memory.id for memory in await converse(rig)]
        await rig.store.amend(ids, in_bin(rig.clock.at))
        if by_hand:
            await rig.engine.curation.purge(ids, by="admin")
        else:
            rig.clock.at += 31 * DAY
            await rig.sleep(patience=20.0)
            assert [memory for memory in await rig.memories() if memory.scope == ANN.key] == []
        await wiped(rig)
        await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        assert files_with(tmp_path, SECRET) == []
    assert files_with(tmp_path, SECRET) == []


async def test_an_older_backup_keeps_it_until_it_goes(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        before = await data_folder.backups.make(Occasion.DAILY, rig.clock.at)
        await rig.engine.eraser.erase(ANN)
        assert {name.split("/")[1] for name in files_with(tmp_path, SECRET)} == {before.name}
        rig.clock.at += 1
        await data_folder.backups.make(Occasion.DAILY, rig.clock.at)
        one = BackupSettings(keep=1, keep_weekly=0, keep_monthly=0)
        assert await data_folder.backups.rotate(one) == 1
        assert files_with(tmp_path, SECRET) == []


async def test_going_back_to_an_older_backup_erases_again(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        before = await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        rig.clock.at += 10
        await rig.engine.eraser.erase(ANN)
        rig.clock.at += 10
        after = await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        assert [each.forgotten for each in await data_folder.backups.every()] == [0, 1]
        await data_folder.backups.stage(before.name)
    async with rigged(tmp_path) as (rig, data_folder):
        await rig.settle()
        assert {memory.scope for memory in await everything(data_folder.store)} == {BEN.key}
        await data_folder.backups.delete([before])
        assert files_with(tmp_path, SECRET) == []
        assert await data_folder.backups.every() == [after]


async def test_what_is_said_after_an_erasure_outlives_going_back(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        await rig.engine.eraser.erase(ANN)
        rig.clock.at += 10
        await rig.keep("Ann is back", ANN, id="back")
        backup = await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        await data_folder.backups.stage(backup.name)
    async with rigged(tmp_path) as (rig, data_folder):
        await rig.settle()
        assert (await data_folder.store.get("back")).text == "Ann is back"


async def test_moving_on_leaves_no_byte_in_the_old_backend(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        await moved(rig, data_folder)
        assert await data_folder.migration.confirm()
        assert not (tmp_path / "memories.db").exists()
        await rig.engine.eraser.erase(ANN)
        assert besides_chroma(tmp_path) == []


async def test_what_is_kept_no_longer_than_wanted_leaves_no_byte(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        await rig.engine.consents.change(ANN, lambda consent: replace(consent, keep_days=7.0))
        rig.clock.at += 8 * DAY
        assert (await rig.expire()).binned > 0
        rig.clock.at += 31 * DAY
        await rig.sleep(patience=20.0)
        await wiped(rig)
        await data_folder.backups.make(Occasion.DAILY, rig.clock.at)
        assert files_with(tmp_path, SECRET) == []
    assert files_with(tmp_path, SECRET) == []


async def test_forgetting_a_person_in_a_chroma_folder_leaves_no_byte_soon_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.core.transfer.data_folder.TRACES_PAUSE", 0.05)
    async with rigged(tmp_path, "chroma") as (rig, data_folder):
        await converse(rig)
        await rig.engine.eraser.erase(ANN)
        assert await data_folder.traces.left(), "and the answer says so"
        await data_folder.start(rig.clock, lambda: Settings().backup, _raised)
        async with asyncio.timeout(90):
            while await data_folder.traces.left():
                assert await rig.store.find(["fact"]) == []
        assert files_with(tmp_path, SECRET) == []
        assert {memory.scope for memory in await rig.memories()} == {BEN.key}


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(("old", "new"), [("sqlite", "chroma"), ("chroma", "sqlite")])
async def test_forgetting_a_person_takes_the_backend_that_a_move_has_left(
    restarted: bool, old: str, new: str, tmp_path: Path
) -> None:
    left = "memories.db" if old == "sqlite" else "chroma"
    async with rigged(tmp_path, old) as (rig, data_folder):
        await converse(rig)
        await moved(rig, data_folder, new)
        assert [name for name in files_with(tmp_path, SECRET) if name.startswith(left)]
        if not restarted:
            await rig.engine.eraser.erase(ANN)
    if restarted:
        async with rigged(tmp_path, new) as (rig, data_folder):
            await data_folder.start(rig.clock, lambda: Settings().backup, _raised)
            await rig.engine.eraser.erase(ANN)
    assert not [name for name in names(tmp_path) if name.startswith(left)]


async def test_an_old_backend_that_cannot_be_deleted_delays_an_erasure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[str] = []
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        await moved(rig, data_folder, report=lambda place, error: reports.append(place))

        tried: list[str] = []
        caller, postpone = asyncio.current_task(), rig.journal.postpone

        async def refused(_: LocalFiles, backend: str) -> None:
            tried.append(backend)
            raise OSError(f"{backend} is held")

        async def slowly(*work: int, **until: Any) -> None:
            """The worker, halted until it is postponed, does not try again at once."""
            before = len(tried)
            if asyncio.current_task() is caller:
                await asyncio.sleep(0.3)
                assert len(tried) == before
            await postpone(*work, **until)

        monkeypatch.setattr(LocalFiles, "discard", refused)
        monkeypatch.setattr(rig.journal, "postpone", slowly)
        with pytest.raises(ErasureDelayed, match="sqlite is held"):
            await rig.engine.eraser.erase(ANN)
        assert "migration" in reports
        monkeypatch.undo()
        rig.clock.at += 3_600
        rig.engine.worker.wake()
        await rig.settle()
        assert besides_chroma(tmp_path) == []


async def test_purging_one_memory_takes_the_old_backend_too(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        ids = [memory.id for memory in await converse(rig)]
        await moved(rig, data_folder)
        await rig.store.amend(ids, in_bin(rig.clock.at))
        await rig.engine.curation.purge(ids, by="admin")
        await wiped(rig)
        assert besides_chroma(tmp_path) == []


async def exported(data_folder: DataFolder, rig: Rig, name: str = "all.jsonl") -> Path:
    """An export of everything, as an admin makes one."""
    file = data_folder.places.exports / name
    file.parent.mkdir(exist_ok=True)
    await data_folder.export(file, rig.clock.at, None)
    return file


async def brought_in(rig: Rig, data_folder: DataFolder, file: Path) -> MovePlan:
    """What came of the file."""
    asked, paused = MoveRequest(file, file.name), rig.engine.consents.pause
    return await data_folder.moving_in.run(asked, paused, rig.clock.at, "boss")


async def test_an_import_of_an_older_export_brings_nobody_back(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        hers = {memory.id for memory in await converse(rig)}
        file = await exported(data_folder, rig)
        await rig.engine.eraser.erase(ANN)
        rig.clock.at -= 400 * DAY
        await rig.store.purge([memory.id for memory in await rig.memories()])
        told = await brought_in(rig, data_folder, file)
        assert told.skipped == {Skip.FORGOTTEN: len(hers)}
        assert told.new > 0 < len(hers)
        assert {memory.scope for memory in await rig.memories()} == {BEN.key}
        again = await brought_in(rig, data_folder, file)
        assert (again.skipped, again.new) == (told.skipped, 0)


async def test_who_came_back_is_exported_and_imported_like_anybody(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        old = await exported(data_folder, rig, "old.jsonl")
        await rig.engine.eraser.erase(ANN)
        rig.clock.at -= 400 * DAY
        back = await rig.keep("Ann is back", ANN, id="back")
        new = await exported(data_folder, rig, "new.jsonl")
        await rig.store.purge([back.id])
        assert (await brought_in(rig, data_folder, old)).skipped[Skip.FORGOTTEN] > 0
        told = await brought_in(rig, data_folder, new)
        assert (told.skipped, told.new) == ({}, 1)
        assert await rig.store.get("back") == back
        await rig.engine.eraser.erase(ANN)
        assert (await brought_in(rig, data_folder, new)).skipped == {Skip.FORGOTTEN: 1}


async def test_an_export_made_while_an_erasure_waits_brings_nobody_back(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        await rig.engine.stop()
        work = await rig.engine.consents.forget(ANN)
        file = await exported(data_folder, rig)
        await rig.engine.eraser.work(work)
        assert (await brought_in(rig, data_folder, file)).skipped[Skip.FORGOTTEN] > 0
        assert {memory.scope for memory in await rig.memories()} == {BEN.key}


async def test_what_others_quote_of_the_erased_is_not_imported_either(tmp_path: Path) -> None:
    group = Scope(ScopeKind.GROUP, "qq", "5000", "default")
    async with rigged(tmp_path) as (rig, data_folder):
        hers = memory(f"my {SECRET}\n↳ a fine place", id="h", scope=group.key, kind=Kind.EVIDENCE)
        hers = replace(hers, speaker=Speaker("901", "Ann"), origin=Origin(turns=(5,)))
        his = memory("my goats", id="b", scope=group.key, kind=Kind.EVIDENCE)
        cues = (f"my {SECRET}", "a fine place", "goats!")
        his = replace(his, speaker=Speaker("902", "Ben"), origin=Origin(turns=(6,)), cues=cues)
        both = memory(f"goats in {SECRET}", id="x", scope=group.key, origin=Origin(turns=(5, 6)))
        await rig.store.put([hers, his, both])
        file = await exported(data_folder, rig)
        await rig.engine.eraser.erase(ANN)
        await rig.store.purge(["h", "b", "x"])
        told = await brought_in(rig, data_folder, file)
        assert (told.skipped, told.new) == ({Skip.FORGOTTEN: 2}, 1)
        assert (await rig.store.get("b")).cues == ("goats!",)


async def test_whom_one_erased_it_holds_back_from_anothers_file(tmp_path: Path) -> None:
    async with rigged(tmp_path / "one") as (rig, data_folder):
        await converse(rig)
        await rig.engine.eraser.erase(BEN)
        file = await exported(data_folder, rig)
    async with rigged(tmp_path / "two") as (rig, data_folder):
        assert (await brought_in(rig, data_folder, file)).skipped == {}
        assert await rig.memories()
        await rig.engine.eraser.erase(ANN)
        told = await brought_in(rig, data_folder, file)
        assert (told.skipped[Skip.FORGOTTEN] > 0, told.new) == (True, 0)


async def erased_again(folder: Path) -> set[str]:
    """Open the folder, let the worker finish; the scopes of what is left."""
    async with rigged(folder) as (rig, data_folder):
        await rig.settle()
        await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        return {memory.scope for memory in await everything(data_folder.store)}


async def test_going_back_erases_again_as_often_as_one_does(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        before = await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        rig.clock.at -= 400 * DAY
        await rig.engine.eraser.erase(ANN)
        assert await data_folder.backups.stage(before.name) == 1
    assert await erased_again(tmp_path) == {BEN.key}
    async with rigged(tmp_path) as (rig, data_folder):
        assert await data_folder.backups.stage(before.name) == 1
    assert await erased_again(tmp_path) == {BEN.key}


async def test_files_put_back_by_hand_bring_nobody_back(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await converse(rig)
        before = await data_folder.backups.make(Occasion.ASKED, rig.clock.at)
        await rig.engine.eraser.erase(ANN)
    for name in ("journal.db", "memories.db"):
        for log in (f"{name}-wal", f"{name}-shm"):
            (tmp_path / log).unlink(missing_ok=True)
        shutil.copyfile(tmp_path / "backups" / before.name / name, tmp_path / name)
    assert await erased_again(tmp_path) == {BEN.key}


async def test_a_lost_file_of_erasures_is_written_anew_from_the_journal(tmp_path: Path) -> None:
    async with rigged(tmp_path) as (rig, data_folder):
        await rig.engine.eraser.erase(ANN)
        known = await data_folder.journal.ledger()
    (tmp_path / "erasures.json").write_text('{"key": "')
    async with kept(tmp_path, "sqlite") as data_folder:
        assert await data_folder.journal.ledger() == known
    written = json.loads((tmp_path / "erasures.json").read_text("utf-8"))
    assert written["numbers"] == dict(known.numbers)


async def test_nobody_can_read_who_was_erased(tmp_path: Path) -> None:
    person = Scope(ScopeKind.PRIVATE, "telegram", "a-very-rare-id", "default")
    async with rigged(tmp_path) as (rig, data_folder):
        await rig.exchange(person, "I keep bees", "noted")
        await rig.settle()
        await rig.engine.eraser.erase(person)
        assert (await data_folder.journal.ledger()).erased_since(("telegram", "a-very-rare-id"), 0)
        assert files_with(tmp_path, "a-very-rare-id") == []
    assert files_with(tmp_path, "a-very-rare-id") == []
