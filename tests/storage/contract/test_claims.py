"""Claims: kept whole, listed by their slot, and by whether they hold."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore

from ..memories import ANNA, BEN, NOW, ids_of, memory, with_status

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
