"""Which index a question is read from: without it, claims were looked for among all memories."""

from functools import partial
from pathlib import Path
from sqlite3 import Connection

import pytest
from astrbot_plugin_tidemark.core.ports import Filter, Order
from astrbot_plugin_tidemark.storage.sqlite.records import ORDERS, matching

from ..beside import beside
from ..memories import ANNA, BEN

SLOTS = frozenset({"name mother", "residence"})

pytestmark = pytest.mark.parametrize("scopes", [{ANNA}, {ANNA, BEN}], ids=["one", "two"])


def plan(where: Filter, snapshot: Connection) -> str:
    told = matching(where)
    query = f"SELECT id FROM memory WHERE {told.sql} ORDER BY {ORDERS[Order.NEWEST]} LIMIT 40"
    return str(snapshot.execute(f"EXPLAIN QUERY PLAN {query}", told.values).fetchall())


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("holds", [True, None])
async def test_claims_of_some_slots_are_read_from_their_index(
    tmp_path: Path, scopes: set[str], holds: bool | None
) -> None:
    where = Filter(frozenset(scopes), recallable=True, slots=SLOTS, holds=holds)
    assert "memory_by_slot" in beside(tmp_path, partial(plan, where))


@pytest.mark.usefixtures("store")
async def test_what_holds_is_read_from_its_index(tmp_path: Path, scopes: set[str]) -> None:
    where = Filter(frozenset(scopes), recallable=True, holds=True)
    assert "memory_holding" in beside(tmp_path, partial(plan, where))
