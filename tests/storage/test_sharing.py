"""What waits at the same time shares a transaction or a snapshot, and no other's failure."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from sqlite3 import Connection
from threading import Event, get_ident
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.storage.connections import (
    MOST_SHARED,
    MOST_TOGETHER,
    Database,
    Queue,
    _ConnectionThread,
)
from astrbot_plugin_tidemark.storage.migrations import migrate

from .test_connections import first, held, insert_then_fail, names


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "data.db")
    await migrate(opened, [first])
    yield opened
    await opened.close()


async def put(database: Database, name: str, *, brief: bool = True) -> str:
    def insert(transaction: Connection) -> str:
        transaction.execute("INSERT INTO item (name) VALUES (?)", (name,))
        return name

    return await database.write(insert, brief=brief)


async def traced(database: Database) -> list[str]:
    """What the writer executes from now on."""
    statements: list[str] = []
    await database.maintain(lambda con: con.set_trace_callback(statements.append))
    return statements


async def test_those_who_wait_share_one_transaction(database: Database) -> None:
    statements = await traced(database)
    async with held(database, lambda _: None):
        writes = [asyncio.create_task(put(database, f"{n:02}")) for n in range(20)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*writes) == [f"{n:02}" for n in range(20)]
    assert statements.count("BEGIN IMMEDIATE") == 2
    assert len(await names(database)) == 20


async def test_a_transaction_is_shared_by_a_bounded_number(database: Database) -> None:
    statements = await traced(database)
    async with held(database, lambda _: None):
        writes = [asyncio.create_task(put(database, f"{n}")) for n in range(MOST_SHARED + 1)]
        await asyncio.sleep(0)
    await asyncio.gather(*writes)
    assert statements.count("BEGIN IMMEDIATE") == 3


async def test_nobody_who_is_alone_waits_for_company(database: Database) -> None:
    statements = await traced(database)
    await put(database, "a")
    assert statements.count("BEGIN IMMEDIATE") == 1
    assert await names(database) == ["a"]


async def test_who_fails_neither_commits_nor_breaks_another(database: Database) -> None:
    committed: list[str] = []

    def fail(transaction: Connection) -> str:
        insert_then_fail(transaction)
        return "never"

    def insert(name: str) -> "asyncio.Task[None]":
        def work(transaction: Connection) -> str:
            transaction.execute("INSERT INTO item (name) VALUES (?)", (name,))
            return name

        write = database.write(work, brief=True, on_commit=committed.append)
        return asyncio.ensure_future(write)

    async with held(database, lambda _: None):
        writes = [insert("x"), insert("y")]
        writes.insert(
            1, asyncio.ensure_future(database.write(fail, brief=True, on_commit=committed.append))
        )
        await asyncio.sleep(0)
    before, failed, after = await asyncio.gather(*writes, return_exceptions=True)
    assert (before, after) == ("x", "y")
    assert isinstance(failed, ZeroDivisionError)
    assert await names(database) == committed == ["x", "y"]


async def test_an_error_of_the_file_is_told_to_whom_it_befalls(database: Database) -> None:
    await put(database, "a")
    async with held(database, lambda _: None):
        writes = [asyncio.ensure_future(put(database, name)) for name in ("b", "a", "c")]
        await asyncio.sleep(0)
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(result) for result in results] == [str, StorageError, str]
    assert await names(database) == ["a", "b", "c"]


async def test_who_is_cancelled_in_the_queue_is_absent(database: Database) -> None:
    async with held(database, lambda _: None):
        writes = [asyncio.ensure_future(put(database, name)) for name in "abc"]
        await asyncio.sleep(0)
        writes[1].cancel()
        with pytest.raises(asyncio.CancelledError):
            await writes[1]
    await asyncio.gather(writes[0], writes[2])
    assert await names(database) == ["a", "c"]


@pytest.mark.parametrize("steps", range(8))
async def test_who_is_cancelled_is_whole_or_absent(database: Database, steps: int) -> None:
    committed: list[str] = []

    def insert(name: str) -> "asyncio.Task[str]":
        def work(transaction: Connection) -> str:
            transaction.execute("INSERT INTO item (name) VALUES (?)", (name,))
            return name

        write = database.write(work, brief=True, on_commit=committed.append)
        return asyncio.ensure_future(write)

    writes = [insert(name) for name in "abcd"]
    for _ in range(steps):
        await asyncio.sleep(0)
    writes[0].cancel()
    writes[2].cancel()
    await asyncio.wait(writes)
    assert await names(database) == committed
    assert {"b", "d"} <= set(committed)


async def test_long_work_keeps_its_place_and_transaction(database: Database) -> None:
    statements = await traced(database)
    async with held(database, lambda _: None):
        writes = [asyncio.ensure_future(put(database, name, brief=name != "c")) for name in "abcde"]
        await asyncio.sleep(0)
    await asyncio.gather(*writes)
    begun = "".join(
        "|" if text == "BEGIN IMMEDIATE" else text.split("'")[1]
        for text in statements
        if text == "BEGIN IMMEDIATE" or text.startswith("INSERT")
    )
    assert begun == "||ab|c|de"


async def test_every_on_commit_comes_before_the_next_transaction(database: Database) -> None:
    seen: list[str] = []
    async with held(database, lambda _: None):
        writes = [
            asyncio.ensure_future(
                database.write(
                    lambda _, n=n: seen.append(f"work {n}"),
                    brief=n < 2,
                    on_commit=lambda _, n=n: seen.append(f"told {n}"),
                )
            )
            for n in range(3)
        ]
        await asyncio.sleep(0)
    await asyncio.gather(*writes)
    assert seen == ["work 0", "work 1", "told 0", "told 1", "work 2", "told 2"]


async def test_closing_refuses_those_who_wait_and_keeps_what_runs(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db")
    await migrate(database, [first])
    async with held(database, lambda tx: tx.execute("INSERT INTO item (name) VALUES ('kept')")):
        late = asyncio.ensure_future(put(database, "late"))
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(database.close())
        with pytest.raises(StorageError, match="closed"):
            await late
    await closing
    reopened = await Database.open(tmp_path / "data.db")
    assert await names(reopened) == ["kept"]
    await reopened.close()


async def test_an_on_commit_that_raises_holds_up_nobody_else(database: Database) -> None:
    raised: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: raised.append(told))

    def broken(name: str) -> None:
        raise ZeroDivisionError

    async with held(database, lambda _: None):
        writes = [
            asyncio.ensure_future(
                database.write(lambda _: "a", brief=True, on_commit=broken if n == 0 else None)
            )
            for n in range(3)
        ]
        await asyncio.sleep(0)
    async with asyncio.timeout(10):
        assert await asyncio.gather(*writes) == ["a", "a", "a"]
    await put(database, "next")
    assert len(raised) == 1


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.fixture
async def readable(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "data.db", readers=2)
    await opened.write(lambda tx: tx.execute("CREATE TABLE said (text)").fetchall())
    yield opened
    await opened.close()


async def test_what_is_asked_for_at_once_is_read_in_its_order(readable: Database) -> None:
    order: list[int] = []

    def read(number: int) -> tuple[int, int]:
        order.append(number)
        return number, get_ident()

    reads = (readable.read(lambda _, number=number: read(number)) for number in range(8))
    told = await asyncio.gather(*reads)
    assert order == [number for number, _ in told] == list(range(8))
    assert len({thread for _, thread in told}) == 1


async def test_the_others_are_answered_where_one_fails(readable: Database) -> None:
    def failing(snapshot: Connection) -> int:
        return snapshot.execute("SELECT nothing FROM said").fetchone()

    def broken(snapshot: Connection) -> int:
        raise KeyError("broken")

    reads = (readable.read(work) for work in (len_of, failing, len_of, broken, len_of))
    told = await asyncio.gather(*reads, return_exceptions=True)
    assert [type(each) for each in told] == [int, StorageError, int, KeyError, int]


def len_of(snapshot: Connection) -> int:
    return snapshot.execute("SELECT count(*) FROM said").fetchone()[0]


async def test_the_others_are_answered_where_one_is_cancelled(readable: Database) -> None:
    started = Event()

    def endless(snapshot: Connection) -> None:
        started.set()
        snapshot.execute(ENDLESS).fetchall()

    before, slow, after = (
        asyncio.create_task(readable.read(work)) for work in (len_of, endless, len_of)
    )
    await asyncio.to_thread(started.wait, 10)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert (await before, await after) == (0, 0)


async def test_a_read_that_is_cancelled_before_it_began_never_begins(tmp_path: Path) -> None:
    readable = await Database.open(tmp_path / "data.db", readers=1)
    begun, release = Event(), Event()
    seen: list[str] = []

    def hold(_: Connection) -> None:
        begun.set()
        assert release.wait(10)

    holding = asyncio.create_task(readable.read(hold))
    await asyncio.to_thread(begun.wait, 10)
    waiting = asyncio.create_task(readable.read(lambda _: seen.append("begun")))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release.set()
    await holding
    await readable.close()
    assert seen == []


async def test_a_cancellation_after_the_end_interrupts_nobody(
    readable: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, interrupts = Queue._over, list[object]()
    task = asyncio.create_task(readable.read(len_of))

    def cancelled_then(*args: Any) -> None:
        over(*args)
        task.cancel()

    monkeypatch.setattr(Queue, "_over", cancelled_then)
    monkeypatch.setattr(_ConnectionThread, "interrupt", interrupts.append)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert interrupts == []


async def test_more_than_fit_together_are_all_answered(readable: Database) -> None:
    reads = [readable.read(len_of) for _ in range(3 * MOST_TOGETHER)]
    assert await asyncio.gather(*reads) == [0] * (3 * MOST_TOGETHER)


async def test_those_that_wait_when_it_is_closed_are_told_so(tmp_path: Path) -> None:
    readable = await Database.open(tmp_path / "data.db", readers=1)
    begun, release = Event(), Event()

    def hold(_: Connection) -> int:
        begun.set()
        assert release.wait(10)
        return 1

    holding = asyncio.create_task(readable.read(hold))
    await asyncio.to_thread(begun.wait, 10)
    waiting = asyncio.create_task(readable.read(len_of))
    await asyncio.sleep(0.01)
    closing = asyncio.create_task(readable.close())
    await asyncio.sleep(0)
    release.set()
    with pytest.raises(StorageError, match="closed"):
        await waiting
    await closing
    assert await holding == 1
