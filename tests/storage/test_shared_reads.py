"""Reads that are asked for at the same time share a snapshot, and no other's failure."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from sqlite3 import Connection
from threading import Event, get_ident
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.storage.connections import (
    MOST_TOGETHER,
    Database,
    Queue,
    _ConnectionThread,
)

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "data.db", readers=2)
    await opened.write(lambda tx: tx.execute("CREATE TABLE said (text)").fetchall())
    yield opened
    await opened.close()


async def test_what_is_asked_for_at_once_is_read_in_its_order(database: Database) -> None:
    order: list[int] = []

    def read(number: int) -> tuple[int, int]:
        order.append(number)
        return number, get_ident()

    reads = (database.read(lambda _, number=number: read(number)) for number in range(8))
    told = await asyncio.gather(*reads)
    assert order == [number for number, _ in told] == list(range(8))
    assert len({thread for _, thread in told}) == 1


async def test_the_others_are_answered_where_one_fails(database: Database) -> None:
    def failing(snapshot: Connection) -> int:
        return snapshot.execute("SELECT nothing FROM said").fetchone()

    def broken(snapshot: Connection) -> int:
        raise KeyError("broken")

    reads = (database.read(work) for work in (len_of, failing, len_of, broken, len_of))
    told = await asyncio.gather(*reads, return_exceptions=True)
    assert [type(each) for each in told] == [int, StorageError, int, KeyError, int]


def len_of(snapshot: Connection) -> int:
    return snapshot.execute("SELECT count(*) FROM said").fetchone()[0]


async def test_the_others_are_answered_where_one_is_cancelled(database: Database) -> None:
    started = Event()

    def endless(snapshot: Connection) -> None:
        started.set()
        snapshot.execute(ENDLESS).fetchall()

    before, slow, after = (
        asyncio.create_task(database.read(work)) for work in (len_of, endless, len_of)
    )
    await asyncio.to_thread(started.wait, 10)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert (await before, await after) == (0, 0)


async def test_a_read_that_is_cancelled_before_it_began_never_begins(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db", readers=1)
    begun, release = Event(), Event()
    seen: list[str] = []

    def hold(_: Connection) -> None:
        begun.set()
        assert release.wait(10)

    holding = asyncio.create_task(database.read(hold))
    await asyncio.to_thread(begun.wait, 10)
    waiting = asyncio.create_task(database.read(lambda _: seen.append("begun")))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release.set()
    await holding
    await database.close()
    assert seen == []


async def test_a_cancellation_after_the_end_interrupts_nobody(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, interrupts = Queue._over, list[object]()
    task = asyncio.create_task(database.read(len_of))

    def cancelled_then(*args: Any) -> None:
        over(*args)
        task.cancel()

    monkeypatch.setattr(Queue, "_over", cancelled_then)
    monkeypatch.setattr(_ConnectionThread, "interrupt", interrupts.append)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert interrupts == []


async def test_more_than_fit_together_are_all_answered(database: Database) -> None:
    reads = [database.read(len_of) for _ in range(3 * MOST_TOGETHER)]
    assert await asyncio.gather(*reads) == [0] * (3 * MOST_TOGETHER)


async def test_those_that_wait_when_it_is_closed_are_told_so(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "data.db", readers=1)
    begun, release = Event(), Event()

    def hold(_: Connection) -> int:
        begun.set()
        assert release.wait(10)
        return 1

    holding = asyncio.create_task(database.read(hold))
    await asyncio.to_thread(begun.wait, 10)
    waiting = asyncio.create_task(database.read(len_of))
    await asyncio.sleep(0.01)
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    release.set()
    with pytest.raises(StorageError, match="closed"):
        await waiting
    await closing
    assert await holding == 1
