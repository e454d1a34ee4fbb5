"""What a recall has read before is not read again, unless it has changed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.storage.sqlite.store import CacheById, SqliteStore

from ...samples import memory
from ..beside import beside


@pytest.fixture
def three() -> list[Memory]:
    return [memory(f"Hive {id}", id=id) for id in ("a", "b", "c")]


async def test_nothing_deleted_stays_in_memory(store: SqliteStore, three: list[Memory]) -> None:
    await store.put(three)
    await store.find(["a", "b"])
    assert store.in_memory.memories.ids == {"a", "b"}
    await store.purge(["a"])
    assert store.in_memory.memories.ids == {"b"}
    await store.amend(["b"], lambda old: replace(old, text="Hive y"))
    assert store.in_memory.memories.ids == set()
    assert [each.text for each in await store.find(["a", "b", "c"])] == ["Hive y", "Hive c"]


def silently_reworded(folder: Path) -> None:
    """Changed by nobody who is known of: only what is read from the file shows it."""
    change = "UPDATE document SET body = replace(CAST(body AS TEXT), 'Hive', 'Hill')"
    beside(folder, lambda con: con.execute(change).fetchall())


async def test_what_was_found_before_is_not_read_again(
    tmp_path: Path, store: SqliteStore, three: list[Memory]
) -> None:
    await store.put(three)
    await store.find(["a", "b"])
    silently_reworded(tmp_path)
    assert [each.text for each in await store.find(["b", "c", "a"])] == [
        "Hive b",
        "Hill c",
        "Hive a",
    ]


async def test_what_was_found_keeps_to_its_scope(store: SqliteStore, three: list[Memory]) -> None:
    await store.put(three)
    await store.find(["a"])
    assert await store.find(["a"], frozenset({"private/test/somebody else/*"})) == []
    assert await store.find(["a"], frozenset({three[0].scope})) == [three[0]]


async def test_every_change_of_a_memory_is_seen(store: SqliteStore, three: list[Memory]) -> None:
    await store.put(three)
    assert await store.find(["a", "b", "c"]) == three
    await store.amend(["a"], lambda old: replace(old, text="Hive y"))
    await store.purge(["b"])
    found = await store.find(["a", "b", "c"])
    assert [each.text for each in found] == ["Hive y", "Hive c"]
    later = three[2].created_at + 900 * 86_400
    assert (await store.decay(later, Tmd().plan, BinPolicy(30))).weakened
    faded = await store.find(["a", "c"])
    assert all(each.vitality.strength < 6 for each in faded)


async def test_every_change_of_a_vector_is_seen(store: SqliteStore, three: list[Memory]) -> None:
    east, north = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    await store.put(three)
    await store.set_vectors("f", dict.fromkeys("abc", east))
    assert set(await store.vectors(["a", "b", "c"])) == {"a", "b", "c"}
    await store.set_vectors("g", {"a": north})
    await store.amend(["b"], lambda old: replace(old, text="Hive y"))
    await store.purge(["c"])
    found = await store.vectors(["a", "b", "c"])
    assert {id: each.fingerprint for id, each in found.items()} == {"a": "g"}
    assert found["a"].vector.tolist() == [0, 1]


async def test_the_last_used_are_kept_unless_changed_beside() -> None:
    asked: list[str] = []

    async def read(ids: Sequence[str]) -> dict[str, int]:
        asked.extend(ids)
        return {id: ord(id) for id in ids if id != "nobody"}

    async def changing(ids: Sequence[str]) -> dict[str, int]:
        kept.forget(["other"])
        return await read(ids)

    kept = CacheById[int](most=2)
    assert await kept.through(["a"], changing) == {"a": 97}
    assert kept.ids == set()
    assert await kept.through(["a", "nobody"], read) == {"a": 97}
    assert await kept.through(["b", "a"], read) == {"b": 98, "a": 97}
    assert await kept.through(["a"], read) == {"a": 97}
    assert asked == ["a", "a", "nobody", "b"]
    await kept.through(["c"], read)
    assert kept.ids == {"a", "c"}
    kept.forget_all()
    assert kept.ids == set()
    await kept.through(["a"], read)
    asked.clear()
    # What was known may be from before what is read now.
    assert await kept.through(["a", "b"], changing) == {"a": 97, "b": 98}
    assert asked == ["b", "a", "b"]
