"""The connection discipline that both SQLite files rely on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import aiosqlite
import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.errors import SchemaTooNew, StorageError
from astrbot_plugin_tidemark.storage.connections import Database, uninterrupted
from astrbot_plugin_tidemark.storage.migrations import migrate


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "data.db", readers=2)
    await migrate(opened, [first])
    yield opened
    await opened.close()


async def first(transaction: aiosqlite.Connection) -> None:
    await transaction.execute("CREATE TABLE item (name TEXT UNIQUE)")


async def second(transaction: aiosqlite.Connection) -> None:
    await transaction.execute("ALTER TABLE item ADD COLUMN size INTEGER")


async def broken(transaction: aiosqlite.Connection) -> None:
    await transaction.execute("DROP TABLE item")
    await transaction.execute("SELECT nonsense")


async def insert(database: Database, name: str) -> None:
    async with database.write() as transaction:
        await transaction.execute("INSERT INTO item (name) VALUES (?)", (name,))


async def insert_then_fail(database: Database) -> None:
    async with database.write() as transaction:
        await transaction.execute("INSERT INTO item (name) VALUES ('a')")
        raise ZeroDivisionError


async def names(database: Database) -> list[str]:
    async with database.read() as snapshot:
        rows = await snapshot.execute_fetchall("SELECT name FROM item ORDER BY name")
    return [name for (name,) in rows]


async def test_what_is_written_is_read(database: Database) -> None:
    await insert(database, "a")
    assert await names(database) == ["a"]


async def test_a_block_that_raises_leaves_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        await insert_then_fail(database)
    assert await names(database) == []
    await insert(database, "b")
    assert await names(database) == ["b"]


async def test_a_reader_sees_one_state_during_its_whole_block(database: Database) -> None:
    async with database.read() as snapshot:
        before = list(await snapshot.execute_fetchall("SELECT count(*) FROM item"))
        await insert(database, "a")
        after = list(await snapshot.execute_fetchall("SELECT count(*) FROM item"))
    assert before == after == [(0,)]


async def test_a_reader_does_not_wait_for_an_open_write(database: Database) -> None:
    async with database.write() as transaction:
        await transaction.execute("INSERT INTO item (name) VALUES ('a')")
        assert await names(database) == []
    assert await names(database) == ["a"]


async def test_readers_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError, match="read-only"):
        async with database.read() as snapshot:
            await snapshot.execute("INSERT INTO item (name) VALUES ('a')")


async def test_writers_take_turns(database: Database) -> None:
    await asyncio.gather(*(insert(database, f"{n:02}") for n in range(50)))
    assert len(await names(database)) == 50


@pytest.mark.parametrize("steps", range(12))
async def test_a_cancelled_write_is_whole_or_absent(database: Database, steps: int) -> None:
    committed: list[bool] = []

    async def pair() -> None:
        async with database.write(on_commit=lambda: committed.append(True)) as transaction:
            await transaction.execute("INSERT INTO item (name) VALUES ('a')")
            await transaction.execute("INSERT INTO item (name) VALUES ('b')")

    task = asyncio.create_task(pair())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert await names(database) == (["a", "b"] if committed else [])
    await insert(database, "c")


async def test_a_cancelled_read_frees_its_connection(database: Database) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    started = asyncio.Event()

    async def search() -> None:
        async with database.read() as snapshot:
            started.set()
            await snapshot.execute_fetchall(endless)

    for _ in range(3):
        task = asyncio.create_task(search())
        await started.wait()
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        started.clear()
    assert await names(database) == []


async def test_a_cancellation_waits_for_an_uninterrupted_step() -> None:
    steps: list[str] = []

    async def step() -> None:
        await asyncio.sleep(0.01)
        steps.append("done")

    task = asyncio.create_task(uninterrupted(step()))
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
        async with database.read():
            pass
    with pytest.raises(StorageError, match="closed"):
        async with database.write():
            pass


async def test_closing_waits_for_a_running_write(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db")
    await migrate(database, [first])
    async with asyncio.TaskGroup() as tasks, database.write() as transaction:
        tasks.create_task(database.close())
        await asyncio.sleep(0)
        await transaction.execute("INSERT INTO item (name) VALUES ('a')")
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


async def test_a_locked_file_is_reported(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.write() as transaction:
        await transaction.execute("INSERT INTO item (name) VALUES ('a')")
        monkeypatch.setattr("astrbot_plugin_tidemark.storage.connections.BUSY_SECONDS", 0.01)
        other = await Database.open(database.path)
        with pytest.raises(StorageError, match="locked by another program"):
            await insert(other, "b")
        await other.close()
    assert await names(database) == ["a"]


async def test_a_full_disk_is_reported_and_leaves_nothing(database: Database) -> None:
    async with database.write() as transaction:
        [(pages,)] = await transaction.execute_fetchall("PRAGMA page_count")
        await transaction.execute_fetchall(f"PRAGMA max_page_count={pages + 2}")
    with pytest.raises(StorageError, match="disk is full"):
        await insert(database, "x" * 100_000)
    assert await names(database) == []


async def test_steps_run_once_and_in_order(database: Database) -> None:
    assert await migrate(database, [first, second]) == ("second",)
    assert await migrate(database, [first, second]) == ()


async def test_a_copy_is_made_before_the_first_pending_step(database: Database) -> None:
    await insert(database, "kept")
    await migrate(database, [first, second])
    copy = sqlite3.connect(database.path.with_name("data.before-second.db"))
    assert copy.execute("SELECT * FROM item").fetchall() == [("kept",)]
    copy.close()


async def test_a_new_file_needs_no_copy(database: Database) -> None:
    assert [p.name for p in database.path.parent.glob("*before*")] == []


async def test_a_failing_step_changes_nothing(database: Database) -> None:
    await insert(database, "kept")
    with pytest.raises(StorageError):
        await migrate(database, [first, broken])
    assert await names(database) == ["kept"]
    assert await migrate(database, [first]) == ()


async def test_a_newer_schema_is_refused_untouched(database: Database) -> None:
    await migrate(database, [first, second])
    with pytest.raises(SchemaTooNew, match="second"):
        await migrate(database, [first])
    assert await migrate(database, [first, second]) == ()
