"""Tags: kept, listed by, and followed when they change."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore

from ..memories import ANNA, BEN, ids_of, memory, with_status

HERE = frozenset({ANNA})


def having(id: str, *tags: str, **changes: object) -> Memory:
    return replace(memory(id, "x"), tags=tags, **changes)


async def test_memories_are_listed_by_a_tag_in_any_case_and_script(store: MemoryStore) -> None:
    await store.put([having("a", "travel", "遊戲"), having("b", "遊戲"), having("c")])
    await store.put([having("d", "travel", scope=BEN)])
    assert await ids_of(store, Filter(HERE, tag="Travel")) == ["a"]
    assert await ids_of(store, Filter(tag="#travel")) == ["a", "d"]
    assert await ids_of(store, Filter(HERE, tag="游戏")) == ["a", "b"]
    assert await ids_of(store, Filter(HERE, tag="x" * 10_000)) == []
    assert (await store.get("a")).tags == ("travel", "遊戲")


async def test_a_list_by_tag_follows_every_change(store: MemoryStore) -> None:
    await store.put([having("a", "old", "kept"), having("b", "old")])
    await store.amend(["a"], lambda m: replace(m, tags=("kept", "new")))
    assert await ids_of(store, Filter(HERE, tag="old")) == ["b"]
    assert await ids_of(store, Filter(HERE, tag="new")) == ["a"]
    await store.amend(["a"], lambda m: with_status(m, Status.BINNED))
    assert await ids_of(store, Filter(HERE, tag="new")) == []
    assert await ids_of(store, Filter(HERE, status=None, tag="new")) == ["a"]
    await store.purge(["a", "b"])
    assert await ids_of(store, Filter(status=None, tag="old")) == []
    assert await ids_of(store, Filter(status=None, tag="kept")) == []
