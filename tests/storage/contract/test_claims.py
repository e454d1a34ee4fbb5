"""Claims, intentions and tags: kept whole, listed by what they say, followed when they change."""

from dataclasses import replace

import numpy as np
from astrbot_plugin_tidemark.core.model.knowledge import (
    PENDING,
    Claim,
    Intention,
    IntentionStatus,
    IntentionType,
)
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Order

from ..memories import ANNA, BEN, NOW, ids_of, memory, vector, with_status

HERE = frozenset({ANNA})
HOME = Claim("@", "residence", "Lyon", NOW)
DOG = Claim("@", "pet:dog", "Rex", NOW)


def claiming(id: str, claim: Claim | None, **changes: object) -> Memory:
    return replace(memory(id, "x"), claim=claim, **changes)


async def test_claims_are_listed_by_their_slots(store: MemoryStore) -> None:
    mothers = replace(HOME, subject="@/mother")
    await store.put(
        [
            claiming("a", HOME),
            claiming("b", replace(HOME, value="Paris", valid_to=NOW)),
            claiming("c", mothers),
            claiming("d", DOG),
            claiming("e", None),
            claiming("f", HOME, scope=BEN),
        ]
    )
    assert await ids_of(store, Filter(HERE, slots=frozenset({HOME.slot}))) == ["a", "b"]
    assert await ids_of(store, Filter(HERE, slots=frozenset({mothers.slot, DOG.slot}))) == [
        "c",
        "d",
    ]
    assert await ids_of(store, Filter(slots=frozenset({HOME.slot}))) == ["a", "b", "f"]
    assert await ids_of(store, Filter(HERE, slots=frozenset())) == []
    holding = Filter(HERE, slots=frozenset({HOME.slot}), holds=True)
    assert await ids_of(store, holding) == ["a"]


async def test_what_holds_is_listed_apart(store: MemoryStore) -> None:
    await store.put(
        [
            claiming("a", HOME),
            claiming("b", replace(HOME, valid_to=NOW)),
            claiming("c", None),
            with_status(claiming("d", HOME), Status.BINNED),
        ]
    )
    assert await ids_of(store, Filter(HERE, holds=True)) == ["a"]
    assert await ids_of(store, Filter(HERE, holds=False)) == ["b", "c"]
    assert await ids_of(store, Filter(HERE, status=None, holds=True)) == ["a", "d"]


async def test_a_claim_that_is_changed_is_found_as_it_is_now(store: MemoryStore) -> None:
    await store.put([claiming("a", HOME)])
    await store.amend(["a"], lambda m: replace(m, claim=replace(HOME, valid_to=NOW + 9)))
    assert await ids_of(store, Filter(HERE, holds=True)) == []
    assert (await store.get("a")).claim == replace(HOME, valid_to=NOW + 9)
    await store.amend(["a"], lambda m: replace(m, claim=DOG))
    assert await ids_of(store, Filter(HERE, slots=frozenset({HOME.slot}))) == []
    assert await ids_of(store, Filter(HERE, slots=frozenset({DOG.slot}), holds=True)) == ["a"]
    await store.purge(["a"])
    assert await ids_of(store, Filter(status=None, slots=frozenset({DOG.slot}))) == []


async def test_a_claim_of_any_text_comes_back_and_is_found(store: MemoryStore) -> None:
    await store.put([claiming("other", HOME)])
    for n, odd in enumerate(("", "x" * 9_000, "lone \ud800", "NUL \x00", "\n@", "'; DROP")):
        claim = Claim(odd, odd, odd, -1e11, 1e11, True)
        await store.put([claiming(f"{n}", claim)])
        assert (await store.get(f"{n}")).claim == claim
        assert await ids_of(store, Filter(HERE, slots=frozenset({claim.slot}))) == [f"{n}"]


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


async def test_vectors_come_back_at_unit_length_with_their_fingerprint(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "oats"), memory("c", "rye")])
    await store.set_vectors("hashed:a:2", {"a": vector(3, 4)})
    await store.set_vectors("hashed:b:3", {"b": vector(0, 0, 5)})
    found = await store.vectors(["a", "b", "c", "unknown"])
    assert {id: each.fingerprint for id, each in found.items()} == {
        "a": "hashed:a:2",
        "b": "hashed:b:3",
    }
    np.testing.assert_allclose(found["a"].vector, [0.6, 0.8], atol=1e-3)
    np.testing.assert_allclose(found["b"].vector, [0, 0, 1], atol=1e-3)


async def test_the_newest_vector_is_read_until_the_purge(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("old:2", {"a": vector(1, 0)})
    await store.set_vectors("new:2", {"a": vector(0, 1)})
    await store.amend(["a"], lambda each: with_status(each, Status.BINNED))
    assert (await store.vectors(["a"]))["a"].fingerprint == "new:2"
    await store.purge(["a"])
    assert await store.vectors(["a"]) == {}
