"""After a deletion no byte of what was deleted is left in the folder, whatever is in the way."""

import asyncio
import logging
import random
import shutil
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection, OperationalError, connect

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Injected
from astrbot_plugin_tidemark.core.ports import Erasure, Extraction, Journal, Recollection, WorkKind
from astrbot_plugin_tidemark.storage import open_journal, snapshot
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.snapshot import drop_copies, wipe
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say

from ..kit import until
from .memories import BEN, memory, vector

SECRET = b"zanzibar"
BOTH = frozenset({"ann", BEN})
NONE: frozenset[int] = frozenset()


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "data.db", readers=1)
    await opened.write(lambda tx: tx.execute("CREATE TABLE item (key INTEGER PRIMARY KEY, body)"))
    yield opened
    await opened.close()


def holding(folder: Path) -> list[str]:
    """Files that hold the secret."""
    return sorted(path.name for path in folder.iterdir() if SECRET in path.read_bytes())


def fill(transaction: Connection) -> None:
    """Rows in an order that makes pages split and rows move; a third of them is secret."""
    chance = random.Random(3)
    for key in chance.sample(range(900), 900):
        word = SECRET.decode() if key % 3 == 0 else "harmless"
        transaction.execute("INSERT INTO item VALUES (?, ?)", (key, word * chance.randint(1, 90)))


def rows(connection: Connection) -> int:
    return connection.execute("SELECT count(*) FROM item").fetchone()[0]


async def test_a_reader_in_the_way_is_logged_and_closing_does_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.storage.connections.BUSY_SECONDS", 0.01)
    database = await Database.open(tmp_path / "data.db", readers=1)
    await database.write(lambda tx: tx.execute("CREATE TABLE item (body)"))
    await database.write(lambda tx: tx.execute("INSERT INTO item VALUES (?)", (SECRET,)))
    with closing(connect(tmp_path / "data.db")) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM item").fetchone() == (1,)
        await database.write(lambda tx: tx.execute("DELETE FROM item"))
        await wipe(database)
        assert "data.db" in caplog.text
        reader.rollback()
    await database.close()
    assert holding(tmp_path) == []


async def test_what_cannot_be_wiped_is_logged_and_raises_nothing(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await database.close()
    await wipe(database)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_a_cancelled_wipe_leaves_the_file_sound(database: Database) -> None:
    await database.write(fill)
    for steps in range(6):
        task = asyncio.create_task(wipe(database))
        await asyncio.sleep(steps * 0.001)
        task.cancel()
        await asyncio.wait({task})
    check = await database.read(lambda con: con.execute("PRAGMA integrity_check").fetchall())
    assert check == [("ok",)]
    assert await database.read(rows) == 900


async def test_only_copies_of_the_file_are_dropped(tmp_path: Path) -> None:
    kept = ("journal.db", "memories.before-x.db", "journal.before-x.txt", "notes")
    doomed = ("journal.before-x.db", "journal.before-y.db", "journal.before-z.db.partial")
    for name in kept + doomed:
        (tmp_path / name).touch()
    drop_copies(tmp_path / "journal.db")
    assert {path.name for path in tmp_path.iterdir()} == set(kept)  # noqa: ASYNC240
    drop_copies(tmp_path / "journal.db")


async def test_an_undeleted_copy_is_noted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("journal.before-x.db", "journal.before-y.db"):
        (tmp_path / name).touch()
    (tmp_path / "journal.before-x.db").unlink()
    (tmp_path / "journal.before-x.db").mkdir()
    drop_copies(tmp_path / "journal.db")
    assert [path.name for path in tmp_path.iterdir()] == ["journal.before-x.db"]  # noqa: ASYNC240
    assert "journal.before-x.db" in caplog.text


async def confide(journal: Journal) -> None:
    """Secrets of Ben wherever the journal keeps text, among the harmless talk of others."""
    for n in range(30):
        turn = (await say(journal, "tea " * 50, session="ann", scope="ann")).turn
        told = f"zanzibar {n} " * (n * 3 + 1)
        secret = (await say(journal, told, session="ben", scope=BEN, message_id=f"{n}")).turn
        shown = (Injected(secret.seq, 1, "m"),)
        await journal.record_recall(
            Recollection(secret.seq, 1.0, f'{{"query":"{told}"}}', told, shown)
        )
        await journal.record_recall(Recollection(turn.seq, 1.0, "{}", f"[1] {told}", ()))
        await journal.save_extraction(Extraction(secret.episode, {}, told, "model"))
    await journal.close_episode("ben", EpisodeEnd.COMMAND, at=1.0)


async def test_no_byte_of_an_erased_scope_is_left_while_the_journal_is_open(tmp_path: Path) -> None:
    (tmp_path / "journal.before-step.db").write_bytes(SECRET)
    async with opened(tmp_path) as journal:
        await confide(journal)
        assert "journal.db-wal" in holding(tmp_path)
        assert len(await journal.erase(Erasure(scopes=frozenset({BEN})))) == 30
        await journal.wiped()
        assert holding(tmp_path) == []
        assert (await journal.statistics())["turns"] == 30
    assert holding(tmp_path) == []


@pytest.mark.parametrize("named", ["turns", "speakers", "faded"])
async def test_no_copy_of_the_journal_outlives_what_was_erased(tmp_path: Path, named: str) -> None:
    (tmp_path / "journal.before-step.db").write_bytes(SECRET)
    async with opened(tmp_path) as journal:
        turn = (await say(journal, "zanzibar", scope=BEN)).turn
        if named == "faded":
            await journal.close_episode(turn.place.session, EpisodeEnd.COMMAND, at=turn.at)
            for kind in WorkKind:
                for work in await journal.due(9e9, kinds=frozenset({kind}), limit=9, skip=NONE):
                    await journal.finish(work.id)
            assert await journal.drop_texts(turn.at + 1, await journal.scopes()) == 1
            await journal.wiped()
        elif named == "turns":
            await journal.erase(Erasure(turns=frozenset({turn.seq})))
            await journal.wiped()
        else:
            await journal.erase(Erasure(speakers=frozenset({("test", turn.speaker.id)})))
            await journal.wiped()
        assert holding(tmp_path) == []


async def test_an_erasure_stands_where_the_file_cannot_be_wiped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    journal = await open_journal(tmp_path)
    turn = (await say(journal, "zanzibar", scope=BEN)).turn

    def full(*_: object, **__: object) -> bool:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(snapshot, "_wiped", full)
        assert await journal.erase(Erasure(scopes=frozenset({BEN}))) == {turn.seq}
        await journal.wiped()
    assert await journal.turn(turn.seq) is None
    assert "journal.db" in caplog.text
    await journal.close()
    assert holding(tmp_path) == []


WIPE = "astrbot_plugin_tidemark.storage.snapshot.wipe"


async def test_a_cut_wipe_is_done_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "killed"
    other.mkdir()
    async with opened(tmp_path) as journal:
        await confide(journal)
        (tmp_path / "journal.before-step.db").write_bytes(SECRET)
        with monkeypatch.context() as cut:
            cut.setattr(WIPE, cut_off)
            await journal.erase(Erasure(speakers=frozenset({("test", "u1")}), scopes=BOTH))
            with pytest.raises(asyncio.CancelledError):
                await journal.wiped()
        # What a process leaves that was killed just then.
        for file in tmp_path.glob("journal.*"):  # noqa: ASYNC240
            shutil.copy(file, other)
    assert holding(other) != []
    async with opened(other):
        assert holding(other) == []


async def cut_off(_database: Database) -> None:
    raise asyncio.CancelledError


async def test_no_byte_of_a_purged_memory_is_left_while_the_store_is_open(tmp_path: Path) -> None:
    copy = tmp_path / "memories.before-step.db"
    copy.write_bytes(SECRET)
    store = await SqliteStore.open(tmp_path)
    chance = random.Random(5)
    for n in range(300):
        text = f"zanzibar{n} " * chance.randint(1, 90) if n % 3 == 0 else f"tea cup{n}"
        await store.put([memory(f"{n}", text, summary=text, cues=(text,), scope=BEN)])
    secret = [f"{n}" for n in range(0, 300, 3)]
    await store.set_vectors("f", {id: vector(*SECRET, *SECRET) for id in secret})
    await store.amend(secret[::2], lambda m: memory(m.id, m.text * 3, scope=BEN))
    assert len(await store.purge(secret)) == 100
    await store.wiped()
    assert holding(tmp_path) == []
    assert not copy.exists()
    assert len(await store.search_text("tea", frozenset({BEN}), limit=999)) == 200
    await store.close()
    assert holding(tmp_path) == []


async def test_purging_nothing_leaves_older_copies_in_place(tmp_path: Path) -> None:
    copy = tmp_path / "memories.before-step.db"
    copy.touch()
    store = await SqliteStore.open(tmp_path)
    await store.purge(["unknown"])
    assert copy.exists()
    await store.close()


async def test_a_failed_wipe_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "AGAIN", 0.05)
    monkeypatch.setattr(snapshot, "SOON", 0.01)
    whole, failed = snapshot._wiped, list[int]()

    def at_first_full(connection: Connection) -> bool:
        if not failed:
            failed.append(1)
            raise OperationalError("database or disk is full")
        return whole(connection)

    monkeypatch.setattr(snapshot, "_wiped", at_first_full)
    store = await SqliteStore.open(tmp_path)
    await store.put([memory("a", "zanzibar", scope=BEN)])
    await store.purge(["a"])
    await until(lambda: holding(tmp_path) == [])
    assert failed
    await store.close()
