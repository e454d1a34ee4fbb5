"""Moving all memories to another backend while they are used, and the store that is switched."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.errors import OUTAGES, Fault, StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter, Journal, MemoryStore
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.core.transfer.migration import (
    NOTE,
    Migration,
    MigrationStage,
    Move,
    NotMoved,
)
from astrbot_plugin_tidemark.core.transfer.ownership import Backends
from astrbot_plugin_tidemark.core.transfer.switchable_store import SwitchingStore
from astrbot_plugin_tidemark.storage import open_journal
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ...kit import until
from ...rig import open_rig
from ...samples import ANNS
from ...storage.memories import ANNA, BEN, NOW, complete, memory, vector
from .conftest import everything, names


class OtherStore(ReferenceStore):
    """Outlives being closed, as a file does. Fails at the put with number `fail_at`."""

    def __init__(self) -> None:
        super().__init__()
        self.puts = 0
        self.fail_at = 0
        self.gate: asyncio.Event | None = None
        self.reached = asyncio.Event()
        self.forgets = False

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        self.puts += 1
        self.reached.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.puts == self.fail_at:
            raise StorageError("the disk is full")
        return await super().put(memories[1:] if self.forgets else memories)

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class OtherBackends(LocalFiles):
    """SQLite in the folder; every other backend is in memory."""

    others: dict[str, OtherStore] = field(default_factory=dict[str, OtherStore])

    async def store(self, backend: str, folder: Path | None = None) -> MemoryStore:
        if backend == "sqlite":
            return await SqliteStore.open(self.folder)
        return self.others.setdefault(backend, OtherStore())

    async def discard(self, backend: str) -> None:
        if backend in self.others:
            del self.others[backend]
        else:
            await LocalFiles.discard(self, backend)


@dataclass
class MigrationRig:
    """What a migration works on."""

    files: OtherBackends
    store: SwitchingStore
    journal: Journal
    backends: Backends
    migration: Migration
    reports: list[str]

    @property
    def other(self) -> OtherStore:
        return self.files.others.setdefault("second", OtherStore())

    async def halted(self) -> OtherStore:
        """Where to, of a move that is begun and waits until `gate` is set."""
        other = self.other
        other.gate = asyncio.Event()
        assert await self.migration.begin("second", 0.0) is None
        await other.reached.wait()
        return other

    async def moved(self) -> Move:
        assert await self.migration.begin("second", 0.0) is None
        return await self.finished()

    async def finished(self) -> Move:
        await self.migration.done()
        assert self.migration.move is not None
        return self.migration.move


@asynccontextmanager
async def migration_rig(
    folder: Path, others: dict[str, OtherStore] | None = None, chosen: str = "sqlite"
) -> AsyncIterator[MigrationRig]:
    owned = OtherBackends(folder, others={} if others is None else others)
    journal = await open_journal(folder)
    backends = await Backends.read(journal, chosen)
    store = SwitchingStore(await owned.store(backends.in_force))
    reports: list[str] = []
    migration = Migration(
        owned, store, journal, backends, lambda place, error: reports.append(f"{place}: {error}")
    )
    await migration.resume()
    try:
        yield MigrationRig(owned, store, journal, backends, migration, reports)
    finally:
        await migration.aclose()
        await store.close()
        await journal.close()


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[MigrationRig]:
    async with migration_rig(tmp_path) as made:
        yield made


async def test_everything_is_in_the_other_backend_with_its_vector(rig: MigrationRig) -> None:
    every = [complete("a"), *(memory(f"m{n:03}", "tea") for n in range(450))]
    await rig.store.put(every)
    await rig.store.set_vectors("hashed:2", {"m001": vector(3, 4)})
    move = await rig.moved()
    assert move == Move("sqlite", "second", 0.0, MigrationStage.SWITCHED, 451, 451)
    assert rig.store.store is rig.other
    assert await everything(rig.other) == sorted(every, key=lambda each: each.id)
    assert set(await rig.other.vectors([each.id for each in every])) == {"m001"}
    assert rig.reports == []


async def test_writes_meanwhile_are_refused_and_reads_are_not(rig: MigrationRig) -> None:
    await rig.store.put([memory(f"m{n}", "tea") for n in range(5)])
    other = await rig.halted()
    with pytest.raises(StorageError, match="being moved"):
        await rig.store.put([memory("new", "oats")])
    assert len(await everything(rig.store)) == 5
    other.gate.set()
    assert (await rig.finished()).stage is MigrationStage.SWITCHED
    assert await rig.store.put([memory("new", "oats")]) == frozenset({"new"})
    assert len(await everything(rig.other)) == 6


async def test_what_is_said_meanwhile_is_on_record_at_once_and_remembered_afterwards(
    rig: MigrationRig, tmp_path: Path
) -> None:
    talk = await open_rig(tmp_path, Settings(), store=rig.store, journal=rig.journal)
    talk.engine.start()
    await talk.say(ANNS, "I keep bees in the garden")
    await talk.settle()
    other = await rig.halted()
    seq = await talk.say(ANNS, "I have a boat on the lake")
    await until(lambda: any("being moved" in report for report in talk.reports))
    assert (turn := await rig.journal.turn(seq)) is not None
    assert turn.text == "I have a boat on the lake"
    assert (await talk.ask(ANNS, "bees in the garden")).memories
    other.gate.set()
    assert (await rig.finished()).stage is MigrationStage.SWITCHED
    await talk.settle()
    assert {each.text for each in await everything(rig.other)} >= {
        "I keep bees in the garden",
        "I have a boat on the lake",
    }
    await talk.engine.finish()


async def test_what_the_other_backend_held_before_and_should_not_is_gone(rig: MigrationRig) -> None:
    await rig.store.put([memory("a", "tea"), memory("b", "oats")])
    await rig.other.put([memory("old", "rye"), memory("b", "other", scope=BEN)])
    traced: list[str] = []

    async def traces() -> None:
        traced.append(rig.backends.in_force)

    rig.store.before_purge = traces
    await rig.moved()
    assert await everything(rig.other) == [memory("a", "tea"), memory("b", "oats")]
    # A backend that only marks what it deletes is to be written anew.
    assert traced == ["second"]


async def test_a_failure_leaves_everything_as_it_was_and_says_why(rig: MigrationRig) -> None:
    await rig.store.put([memory("a", "tea")])
    rig.other.fail_at = 1
    move = await rig.moved()
    assert (move.stage, move.problem) == (MigrationStage.FAILED, "StorageError: the disk is full")
    assert isinstance(rig.store.store, SqliteStore)
    assert rig.backends.in_force == "sqlite"
    assert (await rig.store.get("a")).text == "tea"
    assert rig.reports == ["migration: the disk is full"]
    # Nobody would forget anything in a copy that is not in force.
    assert rig.files.others == {}
    assert (await rig.moved()).stage is MigrationStage.SWITCHED


async def test_a_backend_that_keeps_something_else_is_never_put_in_force(rig: MigrationRig) -> None:
    await rig.store.put([memory("a", "tea"), memory("b", "oats")])
    rig.other.forgets = True
    move = await rig.moved()
    assert move.stage is MigrationStage.FAILED
    assert "differ" in move.problem
    assert isinstance(rig.store.store, SqliteStore)


async def test_the_copy_of_a_failed_move_goes_at_the_next_start(tmp_path: Path) -> None:
    others = {"second": OtherStore()}
    await others["second"].put([memory("a", "tea")])
    async with migration_rig(tmp_path) as rig:
        await rig.journal.set_note(NOTE, _failed("second"))
    async with migration_rig(tmp_path, others) as rig:
        assert rig.files.others == {}
        assert rig.migration.move.stage is MigrationStage.FAILED


def _failed(target: str) -> str:
    return json.dumps(asdict(Move("sqlite", target, 0.0, MigrationStage.FAILED, problem="full")))


async def test_after_a_restart_the_other_backend_is_in_force(tmp_path: Path) -> None:
    async with migration_rig(tmp_path) as rig:
        await rig.store.put([memory("a", "tea")])
        await rig.moved()
        others = rig.files.others
    async with migration_rig(tmp_path, others) as rig:
        assert rig.store.store is rig.other
        assert (rig.backends.in_force, rig.backends.agree) == ("second", False)
        assert (await rig.store.get("a")).text == "tea"
    async with migration_rig(tmp_path, others, chosen="second") as rig:
        assert rig.backends.agree
    async with migration_rig(tmp_path, others, chosen="sqlite") as rig:
        assert rig.backends.in_force == "sqlite"


async def test_a_move_that_a_restart_cut_short_goes_on(tmp_path: Path) -> None:
    async with migration_rig(tmp_path) as rig:
        await rig.store.put([memory(f"m{n:03}", "tea") for n in range(450)])
        other = rig.other
        assert await rig.migration.begin("second", 0.0) is None
        await other.reached.wait()
        other.gate = asyncio.Event()
        others = rig.files.others
    other.gate = None
    copied = len(await everything(other))
    assert copied < 450
    async with migration_rig(tmp_path, others) as rig:
        assert (await rig.finished()).stage is MigrationStage.SWITCHED
        assert len(await everything(other)) == 450


async def test_a_crash_between_switching_and_noting_it_is_a_switch(tmp_path: Path) -> None:
    async with migration_rig(tmp_path) as rig:
        await rig.store.put([memory("a", "tea")])
        other = await rig.halted()
        await rig.migration.aclose()
        other.gate = None
        await other.put([memory("a", "tea")])
        await rig.backends.switch("second")
        others = rig.files.others
    async with migration_rig(tmp_path, others) as rig:
        move = rig.migration.move
        assert (move.stage, rig.store.store) == (MigrationStage.SWITCHED, other)


async def test_the_old_backend_is_kept_until_confirmed(rig: MigrationRig, tmp_path: Path) -> None:
    await rig.store.put([memory("a", "tea")])
    await rig.moved()
    assert "memories.db" in names(tmp_path)
    assert await rig.migration.begin("other", 0.0) is NotMoved.UNCONFIRMED
    assert isinstance(await rig.migration.confirm(), Move)
    assert not [name for name in names(tmp_path) if name.startswith("memories.db")]
    assert await rig.migration.confirm() is NotMoved.NOTHING
    assert (await rig.store.get("a")).text == "tea"


async def test_a_move_is_begun_once_confirmed_when_finished_and_not_cancelled_then(
    rig: MigrationRig,
) -> None:
    await rig.store.put([memory("a", "tea")])
    assert await rig.migration.begin("sqlite", 0.0) is NotMoved.SAME
    assert rig.migration.move is None
    other = await rig.halted()
    assert await rig.migration.begin("second", 0.0) is NotMoved.RUNNING
    assert await rig.migration.confirm() is NotMoved.RUNNING
    other.gate.set()
    await rig.finished()
    assert await rig.migration.cancel() is NotMoved.UNCONFIRMED
    assert rig.store.store is other


async def test_a_cancelled_move_leaves_no_copy(rig: MigrationRig) -> None:
    await rig.store.put([memory("a", "tea")])
    await rig.halted()
    assert isinstance(await rig.migration.cancel(), Move)
    assert rig.files.others == {}
    assert rig.migration.move is None
    assert isinstance(rig.store.store, SqliteStore)
    assert await rig.migration.cancel() is NotMoved.NOTHING


@pytest.mark.parametrize("damaged", ["{", "[]", "3", '{"source": "a"}', '{"stage": "gone"}'])
async def test_a_damaged_note_of_a_move_stops_no_opening(tmp_path: Path, damaged: str) -> None:
    async with migration_rig(tmp_path) as first:
        await first.store.put([memory("a", "tea")])
        await first.journal.set_note("migration", damaged)
    async with migration_rig(tmp_path) as again:
        assert again.reports == ["migration: the note 'migration' in journal.db is damaged"]
        assert again.migration.move is None
        assert [each.id for each in await everything(again.store)] == ["a"]


async def test_a_damaged_note_of_the_backend_is_told(rig: MigrationRig) -> None:
    for damaged in ("{", "[]", "3", "true"):
        await rig.journal.set_note("backend", damaged)
        with pytest.raises(StorageError, match="'backend' in") as told:
            await Backends.read(rig.journal, "sqlite")
        assert (told.value.file, told.value.fault) == ("journal.db", Fault.DAMAGED)


@pytest.mark.parametrize("store", [ReferenceStore, SqliteStore, ChromaStore])
def test_a_store_does_itself_whatever_a_store_does(store: type) -> None:
    wanted = {name for name, _ in inspect.getmembers(MemoryStore, inspect.isfunction)}
    wanted -= {"get", "iterate", "planned"}  # The port itself answers them, from what is found.
    assert {name for name in wanted if not name.startswith("_")} <= vars(store).keys()
    assert all(callable(getattr(SwitchingStore(ReferenceStore()), name)) for name in wanted)


@pytest.mark.parametrize("cancelled", [False, True])
async def test_stillness_waits_for_writes_that_have_begun(cancelled: bool) -> None:
    slow = OtherStore()
    slow.gate = asyncio.Event()
    store = SwitchingStore(slow)
    writing = asyncio.create_task(store.put([memory("a", "tea")]))
    await slow.reached.wait()
    entered = asyncio.Event()

    async def hold() -> int:
        async with store.pause_writes():
            entered.set()
            return await store.count(Filter())

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    assert not entered.is_set()
    if cancelled:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
    slow.gate.set()
    assert await writing == frozenset({"a"})
    assert await store.put([memory("b", "oats")]) == frozenset({"b"})
    assert entered.is_set() is not cancelled


async def test_writes_wait_while_it_is_still_and_reads_do_not() -> None:
    store = SwitchingStore(ReferenceStore())
    await store.put([memory("a", "tea")])
    async with store.pause_writes():
        writing = asyncio.create_task(store.purge(["a"]))
        await asyncio.sleep(0.01)
        assert not writing.done()
        assert (await store.get("a")).text == "tea"
        assert [hit.id for hit in await store.search_text("tea", frozenset({ANNA}))] == ["a"]
    assert await writing == frozenset({"a"})


async def test_a_write_that_waited_goes_to_the_store_that_is_in_force_then() -> None:
    first, second = ReferenceStore(), ReferenceStore()
    store = SwitchingStore(first)
    async with store.pause_writes():
        writing = asyncio.create_task(store.put([memory("a", "tea")]))
        await asyncio.sleep(0.01)
        store.put_in_force(second)
    await writing
    assert await first.count(Filter()) == 0
    assert [each.id for each in await store.find(["a"])] == ["a"]
    assert await second.count(Filter()) == 1


async def test_every_write_is_refused_while_the_memories_are_moved_and_no_read_is() -> None:
    store = SwitchingStore(ReferenceStore())
    await store.put([memory("a", "tea")])
    async with store.refuse_writes("chroma"):
        for write in (
            store.put([memory("b", "oats")]),
            store.amend(["a"], lambda each: each),
            store.set_vectors("x:2", {"a": vector(1, 0)}),
            store.purge(["a"]),
            store.decay(NOW, Tmd(TmdParameters()).plan, BinPolicy(30)),
            store.check(),
        ):
            with pytest.raises(StorageError) as told:
                await write
            assert told.value.fault in OUTAGES
        assert [each.id for each in await store.find(["a", "b"])] == ["a"]
    await store.check()
    assert await store.put([memory("b", "oats")]) == frozenset({"b"})
