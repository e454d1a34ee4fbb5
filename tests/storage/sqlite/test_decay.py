"""What time does in one scope costs what that scope holds."""

import sqlite3
from collections.abc import Collection
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from astrbot_plugin_tidemark.core.forgetting.decay_plan import DecayPlan
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.storage.sqlite.decay import decay
from astrbot_plugin_tidemark.storage.sqlite.store import FILE, SqliteStore

from ...samples import ANNS, memory

PLAN = DecayPlan(DAY, 1.0, 1.0, "spent", keep_current=True, patience=1.0)
MANY = 40


def lives(scopes: int) -> list[Memory]:
    return [
        memory(id=f"{scope}-{n}", scope=replace(ANNS, subject=f"u{scope}").key)
        for scope in range(scopes)
        for n in range(MANY)
    ]


def steps_of(folder: Path, scopes: Collection[str]) -> int:
    """Hundreds of instructions that SQLite's machine carries out for a pass, undone again."""
    counted = [0]

    def count() -> int:
        counted[0] += 1
        return 0

    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.set_progress_handler(count, 100)
        connection.execute("BEGIN IMMEDIATE")
        done = decay(connection, 2 * DAY, PLAN, BinPolicy(30.0), scopes)
        connection.rollback()
    assert done.count.weakened == MANY * len(scopes)
    return counted[0]


async def test_the_decay_of_a_scope_does_not_look_at_the_others(tmp_path: Path) -> None:
    costs: list[int] = []
    for scopes in (1, 60):
        folder = tmp_path / str(scopes)
        folder.mkdir()
        store = await SqliteStore.open(folder)
        await store.put(lives(scopes))
        await store.close()
        costs.append(steps_of(folder, {ANNS.key.replace(ANNS.subject, "u0")}))
    alone, among = costs
    assert among < 1.5 * alone
