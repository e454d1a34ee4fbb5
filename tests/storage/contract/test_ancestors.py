"""What memories came from: breadth first, each once, inside the scopes."""

from collections.abc import Mapping, Sequence

from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.ports import Ancestor, MemoryStore
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, memory, with_status

HERE = frozenset({ANNA})


def from_others(id: str, *others: str, by: str = "caused_by", scope: str = ANNA) -> Memory:
    return memory(id, scope=scope, relations=tuple(Relation(id, by, other) for other in others))


async def line(store: MemoryStore, *ids: str, depth: int = 5) -> list[str]:
    return [each.memory for each in await store.ancestors(ids, HERE, depth=depth)]


async def test_an_ancestor_says_whose_it_is_why_and_how_far(store: MemoryStore) -> None:
    await store.put(
        [
            from_others("a", "b", by="corrects"),
            from_others("b", "c", by="updates"),
            from_others("c", "d", by="supersedes"),
            from_others("d", "e", by="caused_by"),
            memory("e"),
        ]
    )
    assert await store.ancestors(["a"], HERE) == [
        Ancestor("b", "a", "corrects", 1),
        Ancestor("c", "b", "updates", 2),
        Ancestor("d", "c", "supersedes", 3),
        Ancestor("e", "d", "caused_by", 4),
    ]


async def test_the_nearest_way_counts_and_each_is_told_once(store: MemoryStore) -> None:
    await store.put(
        [from_others("a", "b", "d"), from_others("b", "c"), from_others("c", "d"), memory("d")]
    )
    assert await line(store, "a") == ["b", "d", "c"]
    assert await line(store, "b", "a") == ["c", "d"]


async def test_the_way_ends_at_the_depth(store: MemoryStore) -> None:
    await store.put([from_others(f"{n}", f"{n + 1}") for n in range(5)])
    for depth in (0, 1, 2, 3, 9):
        assert await line(store, "0", depth=depth) == [f"{n}" for n in range(1, 5)][:depth]


async def test_cycles_and_edges_to_oneself_end(store: MemoryStore) -> None:
    await store.put([from_others("a", "a", "b"), from_others("b", "c"), from_others("c", "a", "b")])
    assert await line(store, "a", depth=99) == ["b", "c"]
    assert await line(store, "a", "b", "c") == []


async def test_ancestors_of_any_status_are_found_by_no_other_relation(store: MemoryStore) -> None:
    old = [with_status(from_others(f"b-{status}", "c"), status) for status in Status]
    await store.put([from_others("a", *(each.id for each in old)), *old, memory("c")])
    assert set(await line(store, "a")) == {each.id for each in old} | {"c"}
    stated = (Relation("rain", "caused_by", "c"), Relation("x", "likes", "c"))
    await store.put([memory("x", relations=stated)])
    assert await line(store, "x") == []


async def test_unknown_and_purged_memories_end_the_way(store: MemoryStore) -> None:
    await store.put([from_others("a", "never", "b"), from_others("b", "c"), memory("c")])
    assert await line(store, "unknown", "a", "\ud800") == ["b", "c"]
    await store.purge(["b"])
    assert await line(store, "a") == []
    assert await line(store) == []


async def test_the_way_never_leads_through_another_scope(store: MemoryStore) -> None:
    await store.put([from_others("a", "b"), from_others("b", "c", scope=BEN), memory("c")])
    assert await line(store, "a") == []
    assert await line(store, "b") == []
    assert await store.ancestors(["a"], frozenset()) == []
    both = await store.ancestors(["a"], frozenset({ANNA, BEN}))
    assert [each.memory for each in both] == ["b", "c"]


@given(
    st.dictionaries(
        st.sampled_from("abcdefg"),
        st.tuples(st.booleans(), st.lists(st.sampled_from("abcdefgh"), max_size=3)),
    ),
    st.lists(st.sampled_from("abcdefgh"), max_size=3),
    st.integers(0, 6),
)
async def test_any_graph_is_walked_as_the_reference_does(
    store: MemoryStore,
    graph: Mapping[str, tuple[bool, Sequence[str]]],
    ids: Sequence[str],
    depth: int,
) -> None:
    reference = ReferenceStore()
    await store.purge("abcdefg")
    for each in (store, reference):
        await each.put(
            [
                from_others(id, *others, scope=ANNA if ours else BEN)
                for id, (ours, others) in graph.items()
            ]
        )
    found = await store.ancestors(ids, HERE, depth=depth)
    assert found == await reference.ancestors(ids, HERE, depth=depth)
    assert all(graph[each.memory][0] and each.distance <= depth for each in found)
    assert len({each.memory for each in found} - set(ids)) == len(found)
