"""A call that fails in a change: nothing false is seen, and doing it again completes it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.client import Client
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ..memories import ANNA, BEN, DAY, NOW, memory, vector, with_strength

BOTH = frozenset({ANNA, BEN})
POPULATION = [
    memory("a1", "tea", vitality=with_strength(1)),
    memory("a2", "tea cup"),
    memory("b1", "tea", scope=BEN, vitality=with_strength(1)),
    memory("b2", "milk", scope=BEN),
]
IDS = [m.id for m in POPULATION]

type Step = Callable[[MemoryStore], Awaitable[Any]]


async def put(store: MemoryStore) -> None:
    await store.put([*POPULATION, memory("a3", "fresh tea"), memory("b3", "oats", scope=BEN)])


async def retell(store: MemoryStore) -> None:
    await store.amend(IDS, lambda m: replace(m, text="coffee"))


async def attach(store: MemoryStore) -> None:
    await store.set_vectors("new", {id: vector(0, 1, 0) for id in IDS})


async def age(store: MemoryStore) -> None:
    await store.decay(NOW + 4 * DAY, Tmd().plan, BinPolicy())


async def purge(store: MemoryStore) -> None:
    await store.purge(["a1", "b1", "b2"])


STEPS: list[Step] = [put, retell, attach, age, purge]


class Fuse:
    """Lets writes through up to a number; the next one fails, before it is done or after."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        self.after = False
        self.blown = False
        write = Client.write

        def fused(client: Client, call: Callable[[], Any]) -> Any:
            if self.left is None:
                return write(client, call)
            self.left -= 1
            if self.left >= 0:
                return write(client, call)
            self.left, self.blown = None, True
            if self.after:
                write(client, call)
            raise StorageError("the driver failed")

        monkeypatch.setattr(Client, "write", fused)

    def set(self, number: int, *, after: bool) -> None:
        self.left, self.after, self.blown = number, after, False


async def prepared(store: MemoryStore) -> None:
    await store.purge([m.id async for m in store.iterate(Filter(status=None))])
    await store.put(POPULATION)
    await store.set_vectors("old", {id: vector(1, 0) for id in IDS})
    await store.search_text("tea", BOTH)
    await store.embedded_count("old")


async def content(store: MemoryStore) -> list[Any]:
    """Everything that can be seen of a store."""
    return [
        [m async for m in store.iterate(Filter(status=None))],
        await store.search_text("tea", BOTH),
        await store.search_text("coffee", BOTH),
        [hit.id for hit in await store.search_vector(vector(1, 0), "old", BOTH)],
        [hit.id for hit in await store.search_vector(vector(0, 1, 0), "new", BOTH)],
        await store.embedded_count("new"),
        await store.scopes(),
    ]


async def assert_sound(store: MemoryStore) -> None:
    """No search finds what its record does not bear out."""
    for query in ("tea", "coffee"):
        hits = [hit.id for hit in await store.search_text(query, BOTH)]
        found: list[Memory] = await store.find(hits)
        assert [m.id for m in found] == hits
        assert all(m.recallable and query in m.text for m in found)
    near = [hit.id for hit in await store.search_vector(vector(1, 0), "old", BOTH)]
    assert all(m.recallable and m.text != "coffee" for m in await store.find(near))
    assert len(await store.find(near)) == len(near)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", STEPS)
async def test_a_failure_anywhere_is_repaired_by_doing_it_again(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch, step: Step, after: bool
) -> None:
    reference = ReferenceStore()
    await prepared(reference)
    await step(reference)
    fuse = Fuse(monkeypatch)
    for number in range(99):
        await prepared(store)
        fuse.set(number, after=after)
        try:
            await step(store)
        except StorageError:
            assert fuse.blown
        if not fuse.blown:
            break
        await assert_sound(store)
        await step(store)
        assert await content(store) == await content(reference)
    assert 1 <= number < 99
    assert await content(store) == await content(reference)
