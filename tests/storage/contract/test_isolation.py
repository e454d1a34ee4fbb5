"""No method finds anything of another scope, and a small scope is searched as if it were alone."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Order, Vector
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ..memories import NOW, memory, vector

SCOPES = tuple(f"private/test/{name}/*" for name in ("anna", "ben", "卡尔", "dora"))
NAMES = ("tea", "火锅", "🐝", "ann lee")
QUERY = vector(1, 0)
TOLD = [f"{n}" for n in range(12)]


def told(n: int, scope: str, name: str, other: int, kind: Kind) -> Memory:
    """A memory that shares words, entity, time and ancestry with those of any scope."""
    return memory(
        f"{n}",
        f"brew {name}",
        scope=scope,
        kind=kind,
        entities=(Entity(name, name),),
        relations=(Relation(f"{n}", "caused_by", f"{other}"),),
        happened_at=NOW + other,
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(SCOPES),
            st.sampled_from(NAMES),
            st.integers(0, 11),
            st.sampled_from([Kind.SEMANTIC, Kind.PROCEDURAL]),
        ),
        min_size=1,
        max_size=12,
    ),
    st.frozensets(st.sampled_from([*SCOPES, "private/test/nobody/*"]), max_size=3),
    st.one_of(st.none(), st.frozensets(st.sampled_from(Kind), min_size=1)),
)
async def test_nothing_of_another_scope_is_ever_found(
    store: MemoryStore,
    facts: list[tuple[str, str, int, Kind]],
    scopes: frozenset[str],
    kinds: frozenset[Kind] | None,
) -> None:
    await store.purge(TOLD)
    every = [told(n, *fact) for n, fact in enumerate(facts)]
    await store.put(every)
    await store.set_vectors("f", {m.id: vector(1, 1) for m in every})
    ours = {m.id: m for m in every if m.scope in scopes}
    words = await store.search_text("brew tea 火锅", scopes, kinds=kinds)
    near = await store.search_vector(QUERY, "f", scopes, kinds=kinds)
    asked = {id for id, m in ours.items() if kinds is None or m.kind in kinds}
    assert {hit.id for hit in words} <= asked
    assert {hit.id for hit in near} == asked
    found = await store.mentioning(NAMES, scopes)
    assert {mention.memory for mention in found} == ours.keys()
    known = await store.known_entities(NAMES, scopes)
    assert set(known) == {m.entities[0].name for m in ours.values()}
    assert sum(known.values()) == len(ours)
    line = await store.ancestors(TOLD[:2], scopes)
    assert {each.memory for each in line} | {each.of for each in line} <= ours.keys()
    events = Filter(scopes=scopes, recallable=True, happened=(NOW, NOW + 5))
    listed = await store.page(events, order=Order.LATEST, limit=99)
    assert {m.id for m in listed} == {id for id, m in ours.items() if m.happened_at <= NOW + 5}


async def test_a_small_scope_is_searched_as_if_alone(store: MemoryStore, backend: str) -> None:
    # Each scope of Chroma's is two collections, which take a tenth of a second to make.
    others = 20 if backend.startswith("chroma") else 100
    chance = np.random.default_rng(11)
    own = [_sentence(chance, f"own{n:03}", SCOPES[0]) for n in range(others * 60 // 50)]
    crowd = [
        _sentence(chance, f"s{number:02}-{n:02}", f"private/test/u{number}/*")
        for number in range(others)
        for n in range(60)
    ]
    rows: dict[str, Vector] = {m.id: chance.standard_normal(16) for m in (*own, *crowd)}
    alone = ReferenceStore()
    for each, memories in ((alone, own), (store, [*own, *crowd])):
        await each.put(memories)
        await each.set_vectors("f", {m.id: rows[m.id] for m in memories})
    asked = [(_words(chance), chance.standard_normal(16)) for _ in range(20)]
    scopes = frozenset({SCOPES[0]})
    shares = []
    for words, direction in asked:
        for there, here in (
            (
                alone.search_text(words, scopes, limit=10),
                store.search_text(words, scopes, limit=10),
            ),
            (
                alone.search_vector(direction, "f", scopes, limit=10),
                store.search_vector(direction, "f", scopes, limit=10),
            ),
        ):
            shares.append(_share([hit.id for hit in await there], [hit.id for hit in await here]))
    assert min(shares[0::2]) == 1.0
    assert float(np.mean(shares[1::2])) >= 0.95


def _words(chance: np.random.Generator) -> str:
    return " ".join(f"word{n}" for n in chance.integers(0, 80, 4))


def _sentence(chance: np.random.Generator, id: str, scope: str) -> Memory:
    return replace(memory(id, _words(chance)), scope=scope)


def _share(exact: Sequence[str], found: Sequence[str]) -> float:
    return len(set(exact) & set(found)) / max(len(exact), 1)
