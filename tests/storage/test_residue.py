"""A file has no byte of a deleted row, wherever that row once was, whoever wrote it or died."""

import random
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.storage import connections
from astrbot_plugin_tidemark.storage.connections import CLEAN, Database
from astrbot_plugin_tidemark.storage.snapshot import Snapshot, clean, deleting, wipe

WORD = "zanzibar"
MARK = re.compile(rb"zanzibar-\d+-")
SEEDS = range(10)


class Library:
    """Tables of every shape, written by chance; it knows which texts are in them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.texts: dict[int, str] = {}
        self.serial = 0

    def create(self, tx: Connection) -> None:
        tx.execute("CREATE TABLE book (key INTEGER PRIMARY KEY, body TEXT)")
        tx.execute("CREATE TABLE card (title TEXT PRIMARY KEY, key) WITHOUT ROWID")
        tx.execute("CREATE INDEX book_by_body ON book (substr(body, 1, 300))")

    def shuffle(self, tx: Connection, times: int = 60) -> None:
        """Insert, rewrite and delete, so that pages split, fill and merge."""
        for _ in range(times):
            key = self.chance.randrange(400)
            if key in self.texts and self.chance.random() < 0.4:
                self._drop(tx, key)
            else:
                self._write(tx, key)

    def drop_most(self, tx: Connection) -> None:
        for key in [key for key in self.texts if key % 4]:
            self._drop(tx, key)

    def left_in(self, folder: Path) -> set[str]:
        """Texts that are in a file and should not be."""
        kept = {text.split()[0] for text in self.texts.values()}
        found = {
            mark.decode()
            for path in folder.iterdir()
            if path.is_file()
            for mark in MARK.findall(path.read_bytes())
        }
        return found - kept

    def _write(self, tx: Connection, key: int) -> None:
        self._drop(tx, key)
        self.serial += 1
        text = f"{WORD}-{self.serial}- " * self.chance.choice((1, 3, 20, 90, 700))
        tx.execute("INSERT INTO book VALUES (?, ?)", (key, text))
        tx.execute("INSERT INTO card VALUES (?, ?)", (text[:900], key))
        self.texts[key] = text

    def _drop(self, tx: Connection, key: int) -> None:
        if (text := self.texts.pop(key, None)) is not None:
            tx.execute("DELETE FROM book WHERE key = ?", (key,))
            tx.execute("DELETE FROM card WHERE title = ?", (text[:900],))


def fill(connection: Connection, library: Library) -> None:
    connection.execute("BEGIN")
    library.create(connection)
    for _ in range(10):
        library.shuffle(connection)
    connection.execute("COMMIT")


@pytest_asyncio.fixture
async def database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[Database]:
    """Its log is merged once it has `request.param` pages, or as usual."""
    if pages := getattr(request, "param", 0):
        early = f"PRAGMA wal_autocheckpoint={pages}"
        monkeypatch.setattr(connections, "_PRAGMAS", (*connections._PRAGMAS, early))
    opened = await Database.open(tmp_path / "data.db", readers=1)
    yield opened
    await opened.close()


async def drop_most(database: Database, library: Library) -> None:
    """As whoever deletes for good does it."""

    def drop(tx: Connection) -> None:
        deleting(tx, database.path)
        library.drop_most(tx)

    await database.write(drop)


async def sound(database: Database) -> bool:
    [found] = await database.read(lambda con: con.execute("PRAGMA integrity_check").fetchall())
    return found == ("ok",)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "database", [4, 1 << 30], indirect=True, ids=["often merged", "never merged"]
)
async def test_a_wipe_leaves_what_is_kept(database: Database, tmp_path: Path, seed: int) -> None:
    library = Library(seed)
    await database.write(library.create)
    for _ in range(12):
        await database.write(library.shuffle)
        assert await database.read(lambda con: con.execute("SELECT count(*) FROM book").fetchone())
    await drop_most(database, library)
    assert await wipe(database)
    assert library.left_in(tmp_path) == set()
    # What the writer remembers of its pages brings nothing back.
    await database.write(lambda tx: tx.execute("UPDATE book SET body = body || ' more'"))
    library.texts = {key: f"{text} more" for key, text in library.texts.items()}
    await database.write(lambda tx: tx.execute("DELETE FROM card WHERE key < 0"))
    assert library.left_in(tmp_path) == set()
    assert await sound(database)


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_killed_file_opens_clean(database: Database, tmp_path: Path, seed: int) -> None:
    library, killed = Library(seed), tmp_path / "killed"
    killed.mkdir()
    await database.write(library.create)
    for _ in range(6):
        await database.write(library.shuffle)
    await drop_most(database, library)
    for file in (database.path, database.path.with_name("data.db-wal")):
        shutil.copy(file, killed)
    again = await Database.open(killed / "data.db", readers=1)
    await clean(again)
    assert library.left_in(killed) == set()
    assert await sound(again)
    await again.close()


async def test_a_file_of_an_older_version_is_cleaned_once(tmp_path: Path) -> None:
    library, file = Library(3), tmp_path / "data.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as older:
        older.execute("PRAGMA secure_delete=ON")
        fill(older, library)
        library.drop_most(older)
        older.execute(f"PRAGMA application_id={0x54494445}")
    assert library.left_in(tmp_path) != set()
    database = await Database.open(file, readers=1)
    await clean(database)
    assert library.left_in(tmp_path) == set()
    [(version,)] = await database.read(lambda con: con.execute("PRAGMA user_version").fetchall())
    assert version == CLEAN
    assert await sound(database)
    await database.close()
    await database.close()


async def test_what_others_wrote_is_cleaned_too(database: Database, tmp_path: Path) -> None:
    library = Library(4)
    await database.write(library.create)
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("PRAGMA secure_delete=ON")
        other.execute("PRAGMA wal_autocheckpoint=5")
        for _ in range(10):
            library.shuffle(other)
    await drop_most(database, library)
    assert await wipe(database)
    assert library.left_in(tmp_path) == set()
    assert await sound(database)


async def test_a_backups_copy_is_clean_unwiped(database: Database, tmp_path: Path) -> None:
    library, copies = Library(5), tmp_path / "copies"
    copies.mkdir()
    await database.write(library.create)
    for _ in range(8):
        await database.write(library.shuffle)
    await drop_most(database, library)
    snapshot = await Snapshot.take([database.path])
    await snapshot.copy(copies)
    await snapshot.close()
    assert library.left_in(copies) == set()


@pytest.mark.parametrize("database", [16], indirect=True)
async def test_the_log_is_merged_during_writes(database: Database, tmp_path: Path) -> None:
    library, sizes = Library(6), list[int]()
    await database.write(library.create)
    for _ in range(30):
        await database.write(library.shuffle)
        sizes.append((tmp_path / "data.db-wal").stat().st_size)
    assert max(sizes) < 1 << 20


@pytest.mark.parametrize("database", [16], indirect=True)
async def test_a_reader_keeps_the_log_until_it_is_gone(database: Database, tmp_path: Path) -> None:
    library = Library(7)
    await database.write(library.create)
    with closing(sqlite3.connect(database.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM book").fetchone()
        for _ in range(10):
            await database.write(library.shuffle)
        assert (tmp_path / "data.db-wal").stat().st_size > 1 << 16
        reader.rollback()
    await drop_most(database, library)
    assert await wipe(database)
    assert library.left_in(tmp_path) == set()
    assert await sound(database)
