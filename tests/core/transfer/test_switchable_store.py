"""One store behind which another can be put."""

import asyncio
import inspect
from collections.abc import Sequence

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.errors import OUTAGES, StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore
from astrbot_plugin_tidemark.core.transfer.switchable_store import SwitchingStore
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ...kit import until
from ...storage.memories import ANNA, NOW, memory, vector


class Slow(ReferenceStore):
    """Puts only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = asyncio.Event()
        self.asked = 0

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        self.asked += 1
        await self.let.wait()
        return await super().put(memories)


@pytest.mark.parametrize("store", [ReferenceStore, SqliteStore, ChromaStore])
def test_a_store_does_itself_whatever_a_store_does(store: type) -> None:
    wanted = {name for name, _ in inspect.getmembers(MemoryStore, inspect.isfunction)}
    wanted -= {"get", "iterate"}  # The port itself answers them, from what is found.
    assert {name for name in wanted if not name.startswith("_")} <= vars(store).keys()
    assert all(callable(getattr(SwitchingStore(ReferenceStore()), name)) for name in wanted)


async def test_what_is_asked_goes_to_the_store_in_force() -> None:
    first, second = ReferenceStore(), ReferenceStore()
    store = SwitchingStore(first)
    await store.put([memory("a", "tea")])
    async with store.pause_writes():
        store.put_in_force(second)
    await store.put([memory("b", "oats")])
    assert [each.id for each in await first.find(["a", "b"])] == ["a"]
    assert [each.id for each in await store.find(["a", "b"])] == ["b"]


async def test_stillness_waits_for_writes_that_have_begun() -> None:
    slow = Slow()
    store = SwitchingStore(slow)
    writing = asyncio.create_task(store.put([memory("a", "tea")]))
    await until(lambda: slow.asked == 1)
    entered = asyncio.Event()

    async def hold() -> int:
        async with store.pause_writes():
            entered.set()
            return await store.count(Filter())

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    assert not entered.is_set()
    slow.let.set()
    assert await holding == 1
    assert await writing == frozenset({"a"})


async def test_writes_wait_while_it_is_still_and_reads_do_not() -> None:
    store = SwitchingStore(ReferenceStore())
    await store.put([memory("a", "tea")])
    async with store.pause_writes():
        writing = asyncio.create_task(store.purge(["a"]))
        await asyncio.sleep(0.01)
        assert not writing.done()
        assert (await store.get("a")).text == "tea"
        assert [hit.id for hit in await store.search_text("tea", frozenset({ANNA}))] == ["a"]
    assert await writing == frozenset({"a"})


async def test_a_write_that_waited_goes_to_the_store_that_is_in_force_then() -> None:
    first, second = ReferenceStore(), ReferenceStore()
    store = SwitchingStore(first)
    async with store.pause_writes():
        writing = asyncio.create_task(store.put([memory("a", "tea")]))
        await asyncio.sleep(0.01)
        store.put_in_force(second)
    await writing
    assert await first.count(Filter()) == 0
    assert await second.count(Filter()) == 1


async def test_a_cancelled_stillness_lets_writes_go_on() -> None:
    slow = Slow()
    store = SwitchingStore(slow)
    writing = asyncio.create_task(store.put([memory("a", "tea")]))
    await until(lambda: slow.asked == 1)

    async def hold() -> None:
        async with store.pause_writes():
            raise AssertionError("it never was still")

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    holding.cancel()
    await asyncio.gather(holding, return_exceptions=True)
    slow.let.set()
    await writing
    assert await store.put([memory("b", "oats")]) == frozenset({"b"})


async def test_every_write_is_refused_while_the_memories_are_moved_and_no_read_is() -> None:
    store = SwitchingStore(ReferenceStore())
    await store.put([memory("a", "tea")])
    async with store.refuse_writes("chroma"):
        for write in (
            store.put([memory("b", "oats")]),
            store.amend(["a"], lambda each: each),
            store.set_vectors("x:2", {"a": vector(1, 0)}),
            store.purge(["a"]),
            store.decay(NOW, Tmd(TmdParameters()).plan, BinPolicy(30)),
            store.check(),
        ):
            with pytest.raises(StorageError) as told:
                await write
            assert told.value.fault in OUTAGES
        assert [each.id for each in await store.find(["a", "b"])] == ["a"]
    await store.check()
    assert await store.put([memory("b", "oats")]) == frozenset({"b"})
