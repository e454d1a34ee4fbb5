"""Intentions: kept whole, listed by where they stand and by the day they are for."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.knowledge import (
    PENDING,
    Intention,
    IntentionStatus,
    IntentionType,
)
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Order

from ..memories import ANNA, BEN, NOW, ids_of, memory, with_status

HERE = frozenset({ANNA})
DAY = 86_400.0
TODAY = (NOW, NOW + DAY)


def intending(id: str, intention: Intention | None, **changes: object) -> Memory:
    return replace(memory(id, "x"), kind=Kind.PROSPECTIVE, intention=intention, **changes)


def standing(status: IntentionStatus, due_at: float | None = None) -> Intention:
    return Intention(status=status, due_at=due_at)


async def test_intentions_are_listed_by_where_they_stand(store: MemoryStore) -> None:
    each = {status: standing(status) for status in IntentionStatus}
    await store.put([intending(status.value, each[status]) for status in each])
    await store.put([intending("elsewhere", Intention(), scope=BEN), memory("fact", "x")])
    for status in IntentionStatus:
        assert await ids_of(store, Filter(HERE, intentions=frozenset({status}))) == [status.value]
    assert await ids_of(store, Filter(HERE, intentions=PENDING)) == ["open", "referenced"]
    assert await ids_of(store, Filter(intentions=PENDING)) == ["elsewhere", "open", "referenced"]
    assert await ids_of(store, Filter(HERE, intentions=frozenset())) == []


async def test_what_is_due_is_listed_while_it_is_pending(store: MemoryStore) -> None:
    await store.put(
        [
            intending("now", Intention(due_at=NOW)),
            intending("tonight", standing(IntentionStatus.REFERENCED, NOW + DAY)),
            intending("done", standing(IntentionStatus.CLOSED, NOW)),
            intending("tomorrow", Intention(due_at=NOW + 2 * DAY)),
            intending("someday", Intention()),
            intending("binned", Intention(due_at=NOW)),
            intending("elsewhere", Intention(due_at=NOW), scope=BEN),
        ]
    )
    await store.amend(["binned"], lambda m: with_status(m, Status.BINNED))
    for recallable in (None, True):
        due = Filter(HERE, recallable=recallable, due=TODAY)
        assert await ids_of(store, due) == ["now", "tonight"]
    listed = await store.page(Filter(HERE, recallable=True, due=TODAY), order=Order.LATEST, limit=1)
    assert [each.id for each in listed] == ["now"]
    assert await ids_of(store, Filter(due=TODAY)) == ["elsewhere", "now", "tonight"]
    assert await ids_of(store, Filter(frozenset(), due=TODAY)) == []


async def test_an_intention_that_is_changed_is_found_as_it_is_now(store: MemoryStore) -> None:
    due = Filter(HERE, recallable=True, due=TODAY)
    await store.put([intending("a", Intention())])
    assert await ids_of(store, due) == []
    await store.amend(["a"], lambda m: replace(m, intention=Intention(due_at=NOW)))
    assert await ids_of(store, due) == ["a"]
    over = standing(IntentionStatus.CLOSED, NOW)
    await store.amend(["a"], lambda m: replace(m, intention=over))
    assert await ids_of(store, due) == []
    assert await ids_of(store, Filter(HERE, intentions=frozenset({over.status}))) == ["a"]
    await store.purge(["a"])
    assert await ids_of(store, Filter(status=None, intentions=frozenset({over.status}))) == []


async def test_any_intention_comes_back(store: MemoryStore) -> None:
    for n, odd in enumerate(("", "x" * 9_000, "lone \ud800", "NUL \x00")):
        told = Intention(IntentionType.INSIGHT, IntentionStatus.STALE, -1e11, 1e11, closed_by=odd)
        await store.put([intending(f"{n}", told)])
        assert (await store.get(f"{n}")).intention == told
