"""How the first step after 0.1.0 will be written: a function at the end of `STEPS`."""

import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage import open_journal, open_store
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.journal.migrations import STEPS as JOURNAL
from astrbot_plugin_tidemark.storage.migrations import migrate
from astrbot_plugin_tidemark.storage.sqlite.records import STEPS as MEMORIES
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened

from .journal.saying import say
from .memories import memory


def moods(transaction: sqlite3.Connection) -> None:
    """A second step: a column, and its value for what is there already."""
    (table,) = transaction.execute(
        "SELECT name FROM sqlite_schema WHERE name IN ('turns', 'memory')"
    ).fetchone()
    transaction.execute(f"ALTER TABLE {table} ADD COLUMN mood TEXT NOT NULL DEFAULT ''")
    transaction.execute(f"UPDATE {table} SET mood = 'calm'")


async def filled(folder: Path, file: str) -> Path:
    """A file as 0.1.0 leaves it, with one row."""
    if file == "journal.db":
        journal = await open_journal(folder)
        await say(journal)
        await journal.close()
    else:
        store = await open_store("sqlite", folder)
        await store.put([memory("a", "tea")])
        await store.close()
    return folder / file


@pytest.mark.parametrize(
    ("file", "steps", "table"),
    [("journal.db", JOURNAL, "turns"), ("memories.db", MEMORIES, "memory")],
)
async def test_a_second_step_copies_the_file_changes_it_once_and_keeps_what_is_there(
    tmp_path: Path, file: str, steps: tuple[object, ...], table: str
) -> None:
    path = await filled(tmp_path, file)
    database = await Database.open(path)
    assert await migrate(database, [*steps, moods]) == ("moods",)
    assert await migrate(database, [*steps, moods]) == ()
    await database.close()
    with closing(sqlite3.connect(path)) as changed:
        assert changed.execute(f"SELECT mood FROM {table}").fetchall() == [("calm",)]
    with closing(sqlite3.connect(path.with_name(f"{path.stem}.before-moods.db"))) as copy:
        assert copy.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="mood"):
            copy.execute(f"SELECT mood FROM {table}")


PROGRAM = Path(__file__).with_name("full_disk.py")


async def test_what_was_accepted_around_a_full_disk_is_there(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(PROGRAM), str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    *failed, counted = told.decode().splitlines()
    assert failed == ["journal.db", "memories.db"]
    turns, memories = map(int, counted.split())
    assert turns > 10
    assert memories > 10
    async with opened(tmp_path) as journal:
        said = await journal.last_turns("session", turns + 10)
    assert [turn.text.split()[1] for turn in said] == [str(number) for number in range(turns)]
    store = await open_store("sqlite", tmp_path)
    kept = [memory.id async for memory in store.iterate(Filter(status=None))]
    await store.close()
    assert kept == [f"{number:05}" for number in range(memories)]
