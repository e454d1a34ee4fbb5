"""Tables and records that another program or a failing disk damages behind a store's back."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.record import BODY
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore

from .beside import beside


@contextmanager
def without(file: Path, table: str) -> Iterator[None]:
    """The table is not there until the end of the block."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema=ON")
        other.execute("PRAGMA legacy_alter_table=ON")
        other.execute(f"ALTER TABLE {table} RENAME TO away")
        yield
        other.execute(f"ALTER TABLE away RENAME TO {table}")


def tables(file: Path) -> list[str]:
    """Those of one file; what belongs to the full-text index goes with it."""
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    with closing(sqlite3.connect(file)) as made:
        names = [name for (name,) in made.execute(query)]
    return [name for name in names if not name.startswith("text_index_")]


def body(change: Callable[[dict[str, Any]], None]) -> Callable[[str], str]:
    def changed(document: str) -> str:
        fields = json.loads(document)
        change(fields)
        return json.dumps(fields)

    return changed


DAMAGE: dict[str, Callable[[str], str]] = {
    "cut short": lambda document: document[: len(document) // 2],
    "no JSON": lambda _: "\x00\x01 nothing",
    "empty": lambda _: "",
    "a list": lambda _: "[1, 2]",
    "unknown source": body(lambda fields: fields.update(source="a dream")),
    "a word for a number": body(lambda fields: fields.update(access={"first_at": "x"})),
    "nested too deep": lambda _: "[" * 5_000,
    "no vitality": body(lambda fields: fields.update(vitality=5)),
}


async def spoil(store: MemoryStore, folder: Path, id: str, damage: Callable[[str], str]) -> None:
    """Damage what is stored of a record, behind the store's back."""
    if isinstance(store, SqliteStore):
        of = "(SELECT row FROM memory WHERE id = ?)"

        def change(transaction: sqlite3.Connection) -> None:
            query = f"SELECT body FROM document WHERE memory = {of}"
            [found] = transaction.execute(query, (id,)).fetchone()
            spoilt = damage(found.decode()).encode()
            transaction.execute(f"UPDATE document SET body = ? WHERE memory = {of}", (spoilt, id))

        beside(folder, change)
    elif isinstance(store, ChromaStore):
        await asyncio.to_thread(_spoil_record, store, id, damage)
    else:
        pytest.skip("keeps values, not records")


async def spoil_life(store: MemoryStore, folder: Path, id: str) -> None:
    """A kind that nobody knows, and a status."""
    if isinstance(store, SqliteStore):

        def change(transaction: sqlite3.Connection) -> None:
            transaction.execute(
                "UPDATE memory SET kind = 'prophecy', status = 'adrift' WHERE id = ?", (id,)
            )

        beside(folder, change)
    elif isinstance(store, ChromaStore):
        prophecy = body(lambda fields: fields.update(kind="prophecy"))
        await asyncio.to_thread(_spoil_record, store, id, prophecy)
    else:
        pytest.skip("keeps values, not records")


def _spoil_record(store: ChromaStore, id: str, damage: Callable[[str], str]) -> None:
    records = store._namespace.records
    records.update({id: {BODY: damage(records.get([id])[id][BODY])}})
