"""The connection discipline that both SQLite files rely on."""

import asyncio
import gc
import sqlite3
import subprocess
import sys
import threading
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from sqlite3 import Connection
from threading import Event

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.errors import SchemaTooNew, StorageError
from astrbot_plugin_tidemark.core.records.background import uninterrupted
from astrbot_plugin_tidemark.storage.connections import Database, Work
from astrbot_plugin_tidemark.storage.migrations import migrate

ROOT = Path(__file__).resolve().parents[2]


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "data.db", readers=2)
    await migrate(opened, [first])
    yield opened
    await opened.close()


def first(transaction: Connection) -> None:
    transaction.execute("CREATE TABLE item (name TEXT UNIQUE)")


def second(transaction: Connection) -> None:
    transaction.execute("ALTER TABLE item ADD COLUMN size INTEGER")


def broken(transaction: Connection) -> None:
    transaction.execute("DROP TABLE item")
    transaction.execute("SELECT nonsense")


def put_a(transaction: Connection) -> None:
    transaction.execute("INSERT INTO item (name) VALUES ('a')")


def count(connection: Connection) -> int:
    return connection.execute("SELECT count(*) FROM item").fetchone()[0]


def waiting(started: Event, release: Event, work: Work[None]) -> Work[None]:
    """`work`, then neither committed nor rolled back until it is released."""

    def run(connection: Connection) -> None:
        work(connection)
        started.set()
        assert release.wait(10)

    return run


@asynccontextmanager
async def held(database: Database, work: Work[None]) -> AsyncIterator[None]:
    """A write that has done `work` and stays open during the block."""
    started, release = Event(), Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(database.write(waiting(started, release, work)))
        assert await asyncio.to_thread(started.wait, 10)
        try:
            yield
        finally:
            release.set()


async def insert(database: Database, name: str) -> None:
    await database.write(lambda tx: tx.execute("INSERT INTO item (name) VALUES (?)", (name,)))


def insert_then_fail(transaction: Connection) -> None:
    put_a(transaction)
    raise ZeroDivisionError


async def names(database: Database) -> list[str]:
    rows = await database.read(
        lambda con: con.execute("SELECT name FROM item ORDER BY name").fetchall()
    )
    return [name for (name,) in rows]


async def test_what_is_written_is_read_and_readers_cannot_write(database: Database) -> None:
    await insert(database, "a")
    assert await names(database) == ["a"]
    with pytest.raises(StorageError, match="read-only"):
        await database.read(put_a)


async def test_a_block_that_raises_leaves_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        await database.write(insert_then_fail)
    assert await names(database) == []
    await insert(database, "b")
    assert await names(database) == ["b"]


async def test_a_reader_sees_one_state_during_its_whole_work(database: Database) -> None:
    started, release = Event(), Event()
    counts: list[int] = []

    def twice(snapshot: Connection) -> None:
        counts.append(count(snapshot))
        started.set()
        assert release.wait(10)
        counts.append(count(snapshot))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(database.read(twice))
        assert await asyncio.to_thread(started.wait, 10)
        await insert(database, "a")
        release.set()
    assert counts == [0, 0]


async def test_a_reader_does_not_wait_for_an_open_write(database: Database) -> None:
    async with held(database, put_a):
        assert await names(database) == []
    assert await names(database) == ["a"]


async def test_writers_take_turns(database: Database) -> None:
    await asyncio.gather(*(insert(database, f"{n:02}") for n in range(50)))
    assert len(await names(database)) == 50


@pytest.mark.parametrize("steps", range(12))
async def test_a_cancelled_write_is_whole_or_absent(database: Database, steps: int) -> None:
    committed: list[bool] = []

    def pair(transaction: Connection) -> None:
        put_a(transaction)
        transaction.execute("INSERT INTO item (name) VALUES ('b')")

    task = asyncio.create_task(database.write(pair, on_commit=lambda _: committed.append(True)))
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert await names(database) == (["a", "b"] if committed else [])
    await insert(database, "c")


async def test_a_cancelled_write_runs_to_its_end_first(database: Database) -> None:
    started, release = Event(), Event()
    committed: list[None] = []
    task = asyncio.create_task(
        database.write(waiting(started, release, put_a), on_commit=committed.append)
    )
    await asyncio.to_thread(started.wait, 10)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert committed == [None]
    assert await names(database) == ["a"]


async def test_a_write_cancelled_in_the_queue_is_absent(database: Database) -> None:
    async with held(database, lambda _: None):
        task = asyncio.create_task(insert(database, "a"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
    assert await names(database) == []


async def test_on_commit_is_given_what_the_work_returned(database: Database) -> None:
    seen: list[int] = []
    assert await database.write(count, on_commit=seen.append) == 0
    with pytest.raises(ZeroDivisionError):
        await database.write(insert_then_fail, on_commit=lambda _: seen.append(1))
    assert seen == [0]


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.mark.parametrize("pause", [0.0, 0.02, None], ids=["at once", "within", "before it"])
async def test_a_cancelled_read_frees_its_connection(
    database: Database, pause: float | None
) -> None:
    for _ in range(3):
        started, release = Event(), Event()

        def search(snapshot: Connection, started: Event = started, go: Event = release) -> None:
            started.set()
            assert go.wait(10)
            snapshot.execute(ENDLESS).fetchall()

        task = asyncio.create_task(database.read(search))
        await asyncio.to_thread(started.wait, 10)
        if pause is not None:
            release.set()
            await asyncio.sleep(pause)
        task.cancel()
        await asyncio.sleep(0)
        release.set()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await names(database) == []


async def test_a_cancellation_waits_for_an_uninterrupted_step() -> None:
    steps: list[str] = []

    async def step() -> None:
        await asyncio.sleep(0.01)
        steps.append("done")

    task = asyncio.create_task(uninterrupted(asyncio.ensure_future(step())))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert steps == ["done"]


async def test_a_closed_database_refuses_work(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db")
    await database.close()
    await database.close()
    with pytest.raises(StorageError, match="closed"):
        await database.read(count)
    with pytest.raises(StorageError, match="closed"):
        await database.write(count)


async def test_nothing_that_is_closed_or_never_opened_leaves_a_thread(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db")
    await asyncio.gather(database.write(first), *(database.read(lambda _: None) for _ in range(9)))
    assert ours()
    await database.close()
    assert ours() == []
    with pytest.raises(StorageError):
        await Database.open(tmp_path / "missing" / "data.db")
    assert ours() == []


async def test_a_process_ends_though_a_database_was_left_open(tmp_path: Path) -> None:
    script = f"""if True:
        import asyncio, runpy
        from pathlib import Path
        runpy.run_path({str(ROOT / "tests" / "mounted.py")!r})
        from astrbot_plugin_tidemark.storage.connections import Database

        async def main():
            database = await Database.open(Path({str(tmp_path / "data.db")!r}))
            await database.read(lambda snapshot: None)
            await database.write(lambda transaction: None)

        asyncio.run(main())
    """
    command = [sys.executable, "-W", "error", "-c", script]
    ended = await asyncio.to_thread(subprocess.run, command, timeout=60, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")


def ours() -> list[str]:
    return [thread.name for thread in threading.enumerate() if "data.db" in thread.name]


async def test_closing_waits_for_a_running_write(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db")
    await migrate(database, [first])
    async with asyncio.TaskGroup() as tasks, held(database, put_a):
        closing = tasks.create_task(database.close())
        await asyncio.sleep(0)
        assert not closing.done()
    reopened = await Database.open(tmp_path / "data.db")
    assert await names(reopened) == ["a"]
    await reopened.close()


@pytest.mark.parametrize(
    "content", [b"not a database, surely", b"SQLite format 3\x00" + b"\x07" * 84]
)
async def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "data.db"
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"data\.db"):
        await Database.open(path)
    assert path.read_bytes() == content


async def test_a_database_of_another_program_is_left_untouched(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.close()
    content = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        await Database.open(path)
    assert path.read_bytes() == content


async def test_a_locked_file_is_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async with held(database, put_a):
        monkeypatch.setattr("astrbot_plugin_tidemark.storage.connections.BUSY_SECONDS", 0.01)
        other = await Database.open(database.path)
        with pytest.raises(StorageError, match="locked by another program"):
            await insert(other, "b")
        await other.close()
    assert await names(database) == ["a"]


def leave_room(transaction: Connection, pages: int) -> None:
    [used] = transaction.execute("PRAGMA page_count").fetchone()
    transaction.execute(f"PRAGMA max_page_count={used + pages}").fetchall()


async def test_a_full_disk_is_reported_and_leaves_nothing(database: Database) -> None:
    await database.write(lambda tx: leave_room(tx, 2))
    with pytest.raises(StorageError, match="disk is full"):
        await insert(database, "x" * 100_000)
    assert await names(database) == []


async def test_steps_run_once_and_a_newer_schema_is_refused(database: Database) -> None:
    assert await migrate(database, [first, second]) == ("second",)
    assert await migrate(database, [first, second]) == ()
    await migrate(database, [first, second])
    with pytest.raises(SchemaTooNew, match="second"):
        await migrate(database, [first])
    assert await migrate(database, [first, second]) == ()


async def test_an_old_file_is_copied_before_the_first_step(database: Database) -> None:
    assert [p.name for p in database.path.parent.glob("*before*")] == []
    await insert(database, "kept")
    await migrate(database, [first, second])
    copy = sqlite3.connect(database.path.with_name("data.before-second.db"))
    assert copy.execute("SELECT * FROM item").fetchall() == [("kept",)]
    copy.close()


async def test_a_failing_step_changes_nothing(database: Database) -> None:
    await insert(database, "kept")
    with pytest.raises(StorageError):
        await migrate(database, [first, broken])
    assert await names(database) == ["kept"]
    assert await migrate(database, [first]) == ()


async def test_a_cancelled_wait_is_no_garbage_that_only_a_collection_ends() -> None:
    step: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hasten() -> None:
        if not step.done():
            step.set_result(None)

    waited, told = weakref.ref(hasten), asyncio.create_task(uninterrupted(step, hasten=hasten))
    await asyncio.sleep(0)
    gc.collect()
    gc.disable()
    try:
        told.cancel()
        with pytest.raises(asyncio.CancelledError):
            await told
        del hasten, told
        await asyncio.sleep(0)
        assert waited() is None
    finally:
        gc.enable()
