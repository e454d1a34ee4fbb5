"""What time does in one scope costs what that scope holds."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy, DecayPlan
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.storage.partitions import PartitionKey
from astrbot_plugin_tidemark.storage.sqlite.store import FILE, SqliteStore
from astrbot_plugin_tidemark.storage.sqlite.upkeep import decay
from astrbot_plugin_tidemark.storage.sqlite.vector_table import rows_with_vectors

from ...samples import ANNS, memory
from ..memories import vector

PLAN = DecayPlan(DAY, 1.0, 1.0, "spent", keep_current=True, patience=1.0)
MANY = 40


def lives(scopes: int) -> list[Memory]:
    return [
        memory(id=f"{scope}-{n}", scope=replace(ANNS, subject=f"u{scope}").key)
        for scope in range(scopes)
        for n in range(MANY)
    ]


def steps_of(folder: Path, work: Callable[[sqlite3.Connection], int]) -> int:
    """Hundreds of instructions that SQLite's machine carries out for so many, undone again."""
    counted = [0]

    def count() -> int:
        counted[0] += 1
        return 0

    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.set_progress_handler(count, 100)
        connection.execute("BEGIN IMMEDIATE")
        done = work(connection)
        connection.rollback()
    assert done == MANY
    return counted[0]


def weakened(connection: sqlite3.Connection) -> int:
    first = ANNS.key.replace(ANNS.subject, "u0")
    return decay(connection, 2 * DAY, PLAN, BinPolicy(30.0), {first}).count.weakened


def with_vectors(connection: sqlite3.Connection) -> int:
    return len(rows_with_vectors(connection, PartitionKey(1, "f", 2)))


@pytest.mark.parametrize("work", [weakened, with_vectors])
async def test_what_is_done_in_a_scope_does_not_look_at_the_others(
    tmp_path: Path, work: Callable[[sqlite3.Connection], int]
) -> None:
    costs: list[int] = []
    for scopes in (1, 60):
        folder = tmp_path / str(scopes)
        folder.mkdir()
        store = await SqliteStore.open(folder)
        every = lives(scopes)
        await store.put(every)
        await store.set_vectors("f", {memory.id: vector(1, 0) for memory in every})
        await store.close()
        costs.append(steps_of(folder, work))
    alone, among = costs
    assert among < 1.5 * alone
