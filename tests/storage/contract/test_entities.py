"""What memories mention and came from: counted, listed, walked inside the scopes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status, Succession, Successor
from astrbot_plugin_tidemark.core.ports import Ancestor, MemoryStore, Mention
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, DAY, NOW, memory, with_status

HERE = frozenset({ANNA})
BOTH = frozenset({ANNA, BEN})
NAMES = ("berlin", "火锅", "tea", "ann lee", "🐝")


def mentioning(id: str, *names: str, **changes: Any) -> Memory:
    entities = tuple(Entity(entity_id(name), name) for name in names)
    return memory(id, f"about {id}", entities=entities, **changes)


def pairs(found: Sequence[Mention]) -> list[tuple[str, str]]:
    return [(mention.entity, mention.memory) for mention in found]


async def known(store: MemoryStore, *names: str, scopes: frozenset[str] = HERE) -> dict[str, int]:
    return dict(await store.known_entities(names or NAMES, scopes))


async def test_entities_that_are_mentioned_are_known_with_their_count(store: MemoryStore) -> None:
    await store.put(
        [mentioning("a", "Berlin", "Tea"), mentioning("b", "berlin"), mentioning("c", "Rome")]
    )
    assert await known(store) == {"berlin": 2, "tea": 1}
    assert await known(store, "unknown", "", "\ud800", "x" * 10_000) == {}
    assert await store.known_entities([], HERE) == {}


async def test_people_and_both_ends_of_a_relation_are_mentioned(store: MemoryStore) -> None:
    told = memory(
        "a",
        speaker=Speaker("42", "Ann Lee"),
        about=("Ben",),
        relations=(Relation("rosa", "lives in", "berlin"), Relation("a", "corrects", "older")),
    )
    await store.put([told])
    named = ["ann lee", "ben", "berlin", "rosa"]
    assert await store.mentioning(named, HERE) == [Mention(entity, "a") for entity in named]
    assert await known(store, "older", "a", "42") == {}


async def test_names_in_any_script_are_found(store: MemoryStore) -> None:
    await store.put([mentioning("a", *NAMES), mentioning("b", "ＢＥＲＬＩＮ", " Ann  Lee ")])
    assert await known(store) == dict.fromkeys(NAMES, 1) | {"berlin": 2, "ann lee": 2}
    assert pairs(await store.mentioning(["火锅", "🐝"], HERE)) == [("火锅", "a"), ("🐝", "a")]
    await store.put([mentioning("c", "陳曉明"), mentioning("d", "陈晓明")])
    (id,) = {entity_id("陳曉明"), entity_id("陈晓明")}
    assert await known(store, id) == {id: 2}
    assert {each.memory for each in await store.mentioning([id], HERE)} == {"c", "d"}


async def test_the_newest_that_mention_an_entity_come_first(store: MemoryStore) -> None:
    await store.put([mentioning(f"{n}", "Tea", created_at=NOW + n // 2) for n in range(6)])
    await store.put([mentioning("x", "Berlin", created_at=NOW)])
    found = await store.mentioning(["berlin", "unknown", "tea", "berlin"], HERE, limit=3)
    assert pairs(found) == [("berlin", "x"), ("tea", "4"), ("tea", "5"), ("tea", "2")]
    assert await store.mentioning(["tea"], HERE, limit=0) == []


async def test_the_limit_counts_over_all_scopes_together(store: MemoryStore) -> None:
    await store.put([mentioning(f"a{n}", "Tea", created_at=NOW + 2 * n) for n in range(3)])
    await store.put(
        [mentioning(f"b{n}", "Tea", created_at=NOW + 2 * n + 1, scope=BEN) for n in (0, 1)]
    )
    assert await known(store, scopes=BOTH) == {"tea": 5}
    found = await store.mentioning(["tea"], BOTH, limit=4)
    assert [mention.memory for mention in found] == ["a2", "b1", "a1", "b0"]


async def test_only_recallable_memories_count(store: MemoryStore) -> None:
    gone = [
        with_status(mentioning(status.value, "Tea", "Berlin"), status)
        for status in (Status.ARCHIVED, Status.BINNED, Status.QUARANTINED)
    ]
    await store.put([mentioning("a", "Tea"), mentioning("b", "Tea"), *gone])
    assert await known(store) == {"tea": 2}
    await store.amend(["a"], lambda m: replace(m, successor=Successor("x", Succession.SUPERSEDES)))
    await store.amend(["b"], lambda m: replace(m, successor=Successor("x", Succession.UPDATES)))
    assert pairs(await store.mentioning(["tea", "berlin"], HERE)) == [("tea", "b")]


async def test_mentions_follow_every_change(store: MemoryStore) -> None:
    await store.put([mentioning("a", "Tea"), mentioning("b", "Tea", created_at=NOW + 1)])
    await store.amend(["a"], lambda m: replace(m, created_at=NOW + 2))
    assert [m.memory for m in await store.mentioning(["tea"], HERE)] == ["a", "b"]
    await store.amend(["a"], lambda m: with_status(m, Status.BINNED))
    assert await known(store) == {"tea": 1}
    await store.amend(["a"], lambda m: replace(with_status(m, Status.LIVE), about=("Berlin",)))
    assert await known(store) == {"tea": 2, "berlin": 1}
    await store.amend(["a"], lambda m: mentioning("a", "Berlin", created_at=NOW + 9))
    assert await known(store) == {"berlin": 1, "tea": 1}
    await store.purge(["a"])
    assert await known(store) == {"tea": 1}
    await store.put([mentioning("a", "Berlin")])
    assert await known(store) == {"tea": 1, "berlin": 1}


async def test_what_decayed_is_not_mentioned_any_more(store: MemoryStore) -> None:
    await store.put([mentioning(f"{n}", "Tea", "Berlin") for n in range(3)])
    await store.put([mentioning("kept", "Tea", kind=Kind.PROSPECTIVE)])
    await store.decay(NOW + 99 * DAY, Tmd().plan, BinPolicy())
    assert await known(store) == {"tea": 1}
    assert pairs(await store.mentioning(["tea", "berlin"], HERE)) == [("tea", "kept")]


async def test_five_hundred_candidates_are_answered_at_once(store: MemoryStore) -> None:
    await store.put([mentioning(f"{n}", f"place{n}", "hub") for n in range(40)])
    candidates = [f"place{n}" for n in range(500)]
    assert await known(store, *candidates, "hub") == {f"place{n}": 1 for n in range(40)} | {
        "hub": 40
    }


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["put", "purge", "bin", "live", "retell"]),
            st.integers(0, 5),
            st.lists(st.sampled_from(NAMES), max_size=3),
        ),
        max_size=14,
    ),
    st.sampled_from([HERE, BOTH, frozenset({BEN}), frozenset[str]()]),
    st.integers(0, 4),
)
async def test_mentions_follow_any_history(
    store: MemoryStore,
    history: list[tuple[str, int, list[str]]],
    scopes: frozenset[str],
    limit: int,
) -> None:
    reference = ReferenceStore()
    ids = [f"{n}" for n in range(6)]
    await store.purge(ids)
    for each in (store, reference):
        for step, n, names in history:
            await _take(each, step, n, names)
    assert await store.known_entities(NAMES, scopes) == await reference.known_entities(
        NAMES, scopes
    )
    assert await store.mentioning(NAMES, scopes, limit=limit) == await reference.mentioning(
        NAMES, scopes, limit=limit
    )


async def _take(store: MemoryStore, step: str, n: int, names: list[str]) -> None:
    scope = BEN if n % 2 else ANNA
    match step:
        case "put":
            await store.put([mentioning(f"{n}", *names, scope=scope, created_at=NOW + n % 3)])
        case "purge":
            await store.purge([f"{n}"])
        case "bin":
            await store.amend([f"{n}"], lambda m: with_status(m, Status.BINNED))
        case "live":
            await store.amend([f"{n}"], lambda m: with_status(m, Status.LIVE))
        case _:
            await store.amend([f"{n}"], lambda m: replace(m, about=tuple(names)))


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
