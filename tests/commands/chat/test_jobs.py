"""Long work by command: it goes on in the background, is seen, given up, and told of later."""

import asyncio
import json
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.actions import imports, keeping
from astrbot_plugin_tidemark.core.embedding.backfill import BATCH
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.transfer import moving_in
from astrbot_plugin_tidemark.core.transfer.backup import Backups
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore

from ...kit import until
from ..command_rig import BEN
from ..safe import BOSS, Office

EVERYTHING = Filter(status=None)


class Gate:
    """Lets memories into the store one page after the other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go = asyncio.Semaphore(0)
        put = SqliteStore.put

        async def waiting(store: SqliteStore, memories: list[Memory]) -> frozenset[str]:
            await self.go.acquire()
            return await put(store, memories)

        monkeypatch.setattr(SqliteStore, "put", waiting)
        monkeypatch.setattr(moving_in, "PAGE", 1)
        monkeypatch.setattr(imports, "QUICK", 0.05)


def bees(place: Office, count: int) -> None:
    folder = place.data_folder.places.imports
    folder.mkdir(parents=True, exist_ok=True)
    whose = {"user_id": "901", "platform": "qq"}
    rows = [json.dumps({"text": f"Ann keeps {n} bees", **whose}) for n in range(count)]
    (folder / "old.jsonl").write_text("\n".join(rows) + "\n", "utf-8")


async def kept(place: Office) -> int:
    return await place.data_folder.store.count(EVERYTHING)


async def over(place: Office) -> None:
    while any(job.running for job in place.data_folder.jobs.every()):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_an_import_goes_on_in_the_background_and_tells_what_came(
    place: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    bees(place, 3)
    answer = await place.ask("import", "old.jsonl")
    assert answer.startswith("It goes on in the background: import old.jsonl")
    assert "Another import is under way" in await place.ask("import", "old.jsonl")
    gate.go.release()

    async def one_done() -> bool:
        return "1 done so far" in await place.ask("jobs")

    await until(one_done)
    for _ in range(2):
        gate.go.release()
    await over(place)
    told = await place.ask("jobs")
    assert "Long work under way: 0" in told
    assert "3 new memories, 0 known before" in told
    assert await kept(place) == 3


async def test_a_cancelled_import_keeps_whole_memories_and_goes_on_with_its_batch(
    place: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    bees(place, 3)
    id = (await place.ask("import", "old.jsonl")).split("(")[1][:6]
    answer = await place.ask("jobs", f"cancel {id.upper()}")
    assert "To go on: /memory import old.jsonl" in answer
    gate.go.release()
    await over(place)
    assert await kept(place) == 1
    assert "cut short; import it again to go on" in await place.ask("imports")
    for _ in range(2):
        gate.go.release()
    monkeypatch.setattr(imports, "QUICK", 60.0)
    assert "New memories taken in: 2" in await place.ask("import", "old.jsonl")
    assert (await place.ask("imports")).count("old.jsonl") == 1


async def test_what_a_restart_cut_says_so(place: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    Gate(monkeypatch)
    monkeypatch.setattr("astrbot_plugin_tidemark.core.queue.job_list.ENDING", 0.05)
    bees(place, 2)
    await place.ask("import", "old.jsonl")
    await place.reopen()
    told = await place.ask("jobs")
    assert "import old.jsonl · interrupted by a restart" in told
    assert "To go on where it stopped: /memory import old.jsonl" in told


async def test_a_cancelled_backup_goes_away(place: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    await place.rig.remember("Ann keeps bees")
    monkeypatch.setattr(keeping, "QUICK", 0.0)
    id = (await place.ask("backup")).split("(")[1][:6]
    await place.ask("jobs", f"cancel {id}")
    await over(place)
    assert await place.ask("backup", "list") == "There is no backup yet."
    assert [*place.folder.glob("backups/*")] == []


async def test_a_sleep_is_a_job_and_ends_where_it_is_when_cancelled(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.rig.remember("Ben sails", of=BEN)
    await place.ask("sleep")
    told = await place.ask("jobs")
    assert "sleep · putting memories in order" in told
    assert "Ann (901)" in told
    assert "Ending: putting memories in order" in await place.ask("jobs", "cancel sleep")
    assert await place.rig.engine.journal.sleeping() == []
    told = await place.ask("jobs")
    assert "Long work under way: 0" in told
    assert "sleep · putting memories in order · cancelled" in told
    assert "What has been decided stands" in told
    assert "Started" in await place.ask("sleep")
    assert "cancelled" not in await place.ask("jobs")


async def test_vectors_are_a_job_that_waits_when_it_is_cancelled(place: Office) -> None:
    for number in range(2 * BATCH + 2):
        await place.rig.remember(f"Ann keeps {number} bees")
    backfill = place.rig.engine.backfill
    assert await backfill.once()
    assert f"({BATCH} of {2 * BATCH + 2})" in await place.ask("jobs")
    await place.ask("jobs", "cancel embedding")
    assert not await backfill.once()
    told = await place.ask("jobs")
    assert "cancelled" in told
    assert "It goes on at the next start" in told


async def test_a_move_is_a_job(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    assert await place.ask("jobs") == "No long work is under way, and none has been done lately."
    await place.confirm("storage", "migrate chroma")
    assert "migration · move to the storage chroma" in await place.ask("jobs")
    await place.data_folder.migration.done()
    assert "/memory storage confirm deletes them" in await place.ask("jobs")
    await place.ask("storage", "confirm")


async def test_a_move_that_is_given_up_is_told_as_cancelled(place: Office) -> None:
    """Bug: it went from the list, and the page announced it as done."""
    await place.rig.remember("Ann keeps bees")
    for cancel in (("jobs", "cancel migration"), ("storage", "cancel")):
        await place.confirm("storage", "migrate chroma")
        await place.ask(*cancel)
        told = await place.ask("jobs")
        assert told.count("move to the storage chroma · cancelled") == 1
        assert "The copies are deleted" in told


async def test_who_asked_is_forgotten_with_them(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.ask("backup")
    assert "Ann (901)" in await place.ask("jobs")
    await place.confirm("forget-me")
    assert "Ann (901)" not in await place.ask("jobs")
    note = await place.data_folder.journal.note("jobs")
    assert note is not None
    assert [job["by"] for job in json.loads(note)] == [""]


async def test_only_admins_see_and_cancel_and_a_chinese_one_in_chinese(place: Office) -> None:
    assert "admins only" in await place.rig.ask("jobs", by=BEN)
    assert (await place.ask("jobs", "cancel")).startswith("Usage")
    assert "No such work" in await place.ask("jobs", "cancel nothing")
    await place.ask("backup")
    told = await place.rig.ask("jobs", by=replace(BOSS, language="zh"))
    assert "备份 · 完成" in told
    scope = Scope(ScopeKind.PRIVATE, "qq", "901", "default").key
    assert scope not in told


async def test_a_backup_that_failed_later_is_told_as_one_that_failed_at_once(
    place: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        await asyncio.sleep(0.05)
        raise StorageError("less than 32 MB are free", file="chroma", fault=Fault.FULL)

    monkeypatch.setattr(Backups, "make", fails)
    monkeypatch.setattr(keeping, "QUICK", 0.0)
    assert (await place.ask("backup")).startswith("It goes on in the background: backup")
    await over(place)
    why = "The disk is full and chroma cannot grow; what is stored is still there."
    assert (await place.ask("jobs")).splitlines()[2] == why
    await place.reopen()
    told = await place.rig.ask("jobs", by=replace(BOSS, language="zh"))
    assert "备份 · 失败" in told
    assert "磁盘已满，chroma 写不进去" in told
