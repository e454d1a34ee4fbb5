"""Search by text, by vector and by further views: order, score range, isolation."""

from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import VIEWS, Extractor, Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import MemoryStore, Scored
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, NOW, memory, vector, with_status

HERE = frozenset({ANNA})
BOTH = frozenset({ANNA, BEN})
words = st.lists(st.sampled_from("tea milk sugar cup 火锅 火车 喝茶 the 42".split()), max_size=8)
texts = st.one_of(words.map(" ".join), st.text(max_size=20))
documents = st.lists(st.tuples(st.sampled_from([ANNA, BEN]), texts), min_size=1, max_size=30)


def ids(hits: list[Scored]) -> list[str]:
    return [hit.id for hit in hits]


def drinks() -> list[Memory]:
    return [
        memory("a", "Anna drinks jasmine tea"),
        memory("b", "Ben drinks coffee"),
        memory("c", "the kettle is broken", cues=("how to make tea",)),
        memory("d", "我们去吃火锅", summary="hot pot"),
    ]


async def test_what_matches_more_comes_first_in_text_summary_and_cues(store: MemoryStore) -> None:
    await store.put(drinks())
    assert set(ids(await store.search_text("tea", HERE))) == {"a", "c"}
    assert ids(await store.search_text("火锅", HERE)) == ["d"]
    assert ids(await store.search_text("pots", HERE)) == ["d"]
    hits = await store.search_text("jasmine tea", HERE)
    assert ids(hits) == ["a", "c"]
    assert 1.0 >= hits[0].score > hits[1].score > 0.0


async def test_a_word_of_what_is_claimed_is_found_as_long(store: MemoryStore) -> None:
    """ "Boring brown again" answers a question about her hair, and says no word of it."""
    claim = Claim("@", "hair_colour", "chestnut", NOW)
    told = memory("e", "back to boring brown", claim=claim, extractor=Extractor.MODEL)
    await store.put([*drinks(), told])
    assert ids(await store.search_text("what colour is her hair", HERE))[0] == "e"
    assert ids(await store.search_text("chestnut", HERE)) == ["e"]
    await store.amend(["e"], lambda memory: replace(memory, claim=None))
    assert ids(await store.search_text("chestnut", HERE)) == []


async def test_the_index_tells_how_many_each_scope_holds(store: MemoryStore) -> None:
    binned = with_status(memory("e", "tea of old"), Status.BINNED)
    await store.put([*drinks(), binned, memory("f", "tea", scope=BEN)])
    told = await store.indexed(BOTH | {"nobody's"})
    assert {scope: count for scope, count in told.items() if count} == {ANNA: 4, BEN: 1}


async def test_the_first_search_of_a_large_scope_finds_what_few_say(store: MemoryStore) -> None:
    filler = [memory(f"{n:03}", "drinks tea 喝茶", kind=Kind.EVIDENCE) for n in range(330)]
    await store.put(
        [*drinks(), *filler, memory("e", "我後來養了橘貓"), memory("f", "橘猫", scope=BEN)]
    )
    for _ in range(2):
        assert ids(await store.search_text("Does she drink jasmine tea?", HERE))[0] == "a"
        assert set(ids(await store.search_text("养橘猫吃火锅", HERE))) == {"d", "e"}
        assert ids(await store.search_text("kettle", HERE, kinds=frozenset({Kind.EVIDENCE}))) == []
        # For more than a page a server's index is waited for.
        assert len(await store.search_text("茶 tea", HERE, limit=400)) > 300


async def test_a_question_in_one_chinese_script_finds_the_other(store: MemoryStore) -> None:
    await store.put([memory("a", "我後來養貓"), memory("b", "我后来买电脑")])
    assert ids(await store.search_text("养猫", HERE)) == ["a"]
    assert ids(await store.search_text("電腦", HERE)) == ["b"]
    (kept,) = await store.find(["a"], HERE)
    assert kept.text == "我後來養貓"


async def test_text_search_orders_equal_texts_by_id_to_its_limit(store: MemoryStore) -> None:
    await store.put([memory(f"{n}", "tea") for n in reversed(range(9))])
    for limit in (0, 1, 5, 50):
        found = await store.search_text("tea", HERE, limit=limit)
        assert ids(found) == [f"{n}" for n in range(min(limit, 9))]


async def test_a_query_is_only_text(store: MemoryStore) -> None:
    await store.put(drinks())
    for nothing in ("", "   ", "?!", "\x00", "\ud800", "unknownword"):
        assert await store.search_text(nothing, HERE) == []
    for query in (
        'tea" OR coffee',
        "tea AND (NOT coffee",
        "NEAR(tea coffee)",
        "terms:tea*",
        "tea^2 -- '",
        "tea\x00tea",
        "tea\ud800",
        "ＴＥＡ",
        "tea " * 3_000,
        "text_index tea {column} + -",
    ):
        assert "a" in ids(await store.search_text(query, HERE)), query[:30]
    page = "jasmine tea " + " ".join(f"word{n}" for n in range(5_000))
    assert ids(await store.search_text(page, HERE))[0] == "a"


async def test_text_search_finds_nothing_outside_its_scopes(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "tea", scope=BEN)])
    assert ids(await store.search_text("tea", HERE)) == ["a"]
    assert ids(await store.search_text("tea", frozenset({BEN}))) == ["b"]
    assert ids(await store.search_text("tea", BOTH)) == ["a", "b"]
    assert await store.search_text("tea", frozenset()) == []
    assert await store.search_text("tea", frozenset({"private/test/carl/*"})) == []


async def test_searches_see_only_recallable_memories(store: MemoryStore) -> None:
    every = [with_status(memory(status.value, "tea"), status) for status in Status]
    await store.put(every)
    await store.set_vectors("f", {each.id: vector(1, 0) for each in every})
    assert ids(await store.search_text("tea", HERE)) == ["live"]
    assert ids(await store.search_vector(vector(1, 0), "f", HERE)) == ["live"]


async def test_text_scores_do_not_depend_on_other_scopes(store: MemoryStore) -> None:
    await store.put(drinks())
    before = await store.search_text("jasmine tea", HERE)
    await store.put([memory(f"b{n}", "tea jasmine " * 5, scope=BEN) for n in range(40)])
    assert await store.search_text("jasmine tea", HERE) == before
    merged = await store.search_text("jasmine tea", BOTH, limit=100)
    assert [hit for hit in merged if hit.id in "abcd"] == before


@given(documents, texts)
async def test_text_search_equals_the_reference(
    store: MemoryStore, population: list[tuple[str, str]], query: str
) -> None:
    reference = ReferenceStore()
    await store.purge([f"{n:02}" for n in range(30)])
    for each in (store, reference):
        await each.put(
            [memory(f"{n:02}", text, scope=scope) for n, (scope, text) in enumerate(population)]
        )
    hits = await store.search_text(query, BOTH)
    assert hits == await reference.search_text(query, BOTH)
    assert all(0.0 < hit.score <= 1.0 for hit in hits)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.id))


async def test_a_turn_that_asks_is_neither_found_nor_counted(store: MemoryStore) -> None:
    """Indexed before it is recalled for, it would halve what each of its words tells."""
    await store.put(drinks())
    before = await store.search_text("who drinks tea", HERE)
    await store.put([memory("own", "who drinks tea")])
    for _ in range(2):
        assert await store.search_text("who drinks tea", HERE, own="own") == before
    assert ids(await store.search_text("who drinks tea", HERE))[0] == "own"
    many = [memory(f"m{number}", f"tea {number}") for number in range(300)]
    await store.put(many)
    found = await store.search_text("who drinks tea", HERE, own="own")
    assert "own" not in ids(found)


async def test_a_common_word_does_not_hide_a_rare_one(store: MemoryStore) -> None:
    await store.put([memory(f"{n:03}", "tea again") for n in range(60)])
    await store.put([memory("rare", "tea with cardamom")])
    assert ids(await store.search_text("tea cardamom", HERE))[0] == "rare"
    assert len(await store.search_text("tea", HERE)) == 50


async def test_the_nearest_vector_comes_first_with_its_cosine(store: MemoryStore) -> None:
    await store.put([memory(id) for id in "abcd"])
    await store.set_vectors(
        "f", {"a": vector(3, 4), "b": vector(9, 0), "c": vector(-1, 0), "d": vector(0, 2)}
    )
    hits = await store.search_vector(vector(2, 0), "f", HERE)
    assert ids(hits) == ["b", "a", "c", "d"]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.6, 0.0, 0.0], abs=2e-3)


async def test_equal_vectors_are_ordered_by_id_even_at_the_limit(store: MemoryStore) -> None:
    names = [f"{n:03}" for n in range(100)]
    await store.put([memory(id) for id in reversed(names)])
    await store.set_vectors("f", {id: vector(1, 1) for id in reversed(names)})
    assert ids(await store.search_vector(vector(1, 0), "f", HERE, limit=3)) == names[:3]


async def test_vector_search_respects_its_limit(store: MemoryStore) -> None:
    await store.put([memory(f"{n}") for n in range(9)])
    await store.set_vectors("f", {f"{n}": vector(1, n) for n in range(9)})
    for limit in (0, 1, 5, 50):
        hits = await store.search_vector(vector(1, 0), "f", HERE, limit=limit)
        assert ids(hits) == [f"{n}" for n in range(min(limit, 9))]


async def test_vector_search_finds_nothing_outside_its_scopes(store: MemoryStore) -> None:
    await store.put([memory("a"), memory("b", scope=BEN)])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    query = vector(1, 0)
    assert ids(await store.search_vector(query, "f", HERE)) == ["a"]
    assert ids(await store.search_vector(query, "f", frozenset({BEN}))) == ["b"]
    assert ids(await store.search_vector(query, "f", BOTH)) == ["a", "b"]
    assert await store.search_vector(query, "f", frozenset()) == []


async def test_only_vectors_of_one_fingerprint_are_compared(store: MemoryStore) -> None:
    await store.put([memory("a"), memory("b")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.set_vectors("g", {"b": vector(1, 0)})
    assert ids(await store.search_vector(vector(1, 0), "f", HERE)) == ["a"]
    assert ids(await store.search_vector(vector(1, 0), "g", HERE)) == ["b"]
    assert await store.search_vector(vector(1, 0), "h", HERE) == []
    assert await store.search_vector(vector(1, 0, 0), "f", HERE) == []


async def test_the_newest_vector_of_a_memory_replaces_the_older_one(store: MemoryStore) -> None:
    await store.put([memory("a"), memory("b")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 1)})
    assert ids(await store.search_vector(vector(1, 0), "f", HERE)) == ["a", "b"]
    assert await store.set_vectors("f", {"a": vector(0, 1)}) == 1
    assert ids(await store.search_vector(vector(1, 0), "f", HERE)) == ["b", "a"]
    assert await store.set_vectors("g", {"a": vector(1, 0)}) == 1
    assert ids(await store.search_vector(vector(1, 0), "f", HERE)) == ["b"]
    assert ids(await store.search_vector(vector(1, 0), "g", HERE)) == ["a"]


async def test_vectors_that_are_none_are_refused_whole(store: MemoryStore) -> None:
    assert await store.embedded_count("f") == (0, 0)
    await store.put([memory("a"), memory("b"), with_status(memory("c"), Status.ARCHIVED)])
    none = (vector(0, 0), vector(float("nan"), 1), vector(float("inf"), 1))
    for bad, problem in (*((each, "finite") for each in none), (vector(1, 0, 0), "dimension")):
        with pytest.raises(ValueError, match=problem):
            await store.set_vectors("f", {"a": vector(1, 0), "b": bad})
        assert await store.embedded_count("f") == (0, 2)
    # Of memories that are unknown they are skipped.
    some = {id: vector(1, 0) for id in ("a", "c", "x")}
    assert await store.set_vectors("f", some) == 2
    assert await store.set_vectors("f", {}) == 0
    assert await store.embedded_count("f") == (1, 2)


async def test_the_newest_without_a_vector_are_listed(store: MemoryStore) -> None:
    await store.put([memory(id, created_at=NOW + n) for n, id in enumerate("abcde")])
    await store.put([with_status(memory("binned"), Status.BINNED)])
    await store.set_vectors("f", {"c": vector(1, 0)})
    await store.set_vectors("g", {"d": vector(1, 0)})
    assert ids_of(await store.unembedded("f")) == ["e", "d", "b", "a"]
    assert ids_of(await store.unembedded("g", limit=3)) == ["e", "c", "b"]


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("set"), st.integers(0, 7), st.integers(0, 3)),
            st.tuples(st.just("purge"), st.integers(0, 7), st.just(0)),
            st.tuples(st.just("bin"), st.integers(0, 7), st.just(0)),
            st.tuples(st.just("live"), st.integers(0, 7), st.just(0)),
            st.tuples(st.just("search"), st.just(0), st.integers(0, 3)),
        ),
        max_size=25,
    )
)
async def test_vector_search_follows_any_history(
    store: MemoryStore, history: list[tuple[str, int, int]]
) -> None:
    directions = [vector(1, 0, 0), vector(1, 2, 0), vector(0, 1, 2), vector(-1, 0, 1)]
    reference = ReferenceStore()
    await store.purge([f"{n}" for n in range(8)])
    for step, n, direction in [*history, ("search", 0, 0), ("search", 0, 2)]:
        answers = []
        for each in (store, reference):
            await each.put([memory(f"{n}", kind=Kind.EPISODIC)])
            match step:
                case "set":
                    await each.set_vectors("f", {f"{n}": directions[direction]})
                case "purge":
                    await each.purge([f"{n}"])
                case "bin":
                    await each.amend([f"{n}"], lambda m: with_status(m, Status.BINNED))
                case "live":
                    await each.amend([f"{n}"], lambda m: with_status(m, Status.LIVE))
                case _:
                    answers.append(await each.search_vector(directions[direction], "f", HERE))
        if answers:
            assert {hit.id: pytest.approx(hit.score, abs=2e-3) for hit in answers[1]} == {
                hit.id: hit.score for hit in answers[0]
            }
            assert await store.embedded_count("f") == await reference.embedded_count("f")


def ids_of(memories: list[Memory]) -> list[str]:
    return [m.id for m in memories]


async def test_vectors_of_the_bin_hide_none_behind_them(store: MemoryStore) -> None:
    binned = [with_status(memory(f"{n:03}"), Status.BINNED) for n in range(320)]
    await store.put([*binned, memory("there", "tea")])
    await store.set_vectors(
        "f", {each.id: vector(1, 0) for each in binned} | {"there": vector(0, 1)}
    )
    assert ids(await store.search_vector(vector(1, 0), "f", HERE, limit=2)) == ["there"]


ONE, TWO, CUE = "part 1", "part 2", "part 3"
X, Y, Z = vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)


async def nearest(store: MemoryStore, *direction: float, **how: object) -> list[tuple[str, str]]:
    found = await store.search_vector(vector(*direction), "f:3", HERE, **how)
    return [(hit.id, hit.view) for hit in found if hit.score > 0.0]


async def furnish(store: MemoryStore) -> None:
    await store.put([memory("a", "x"), memory("b", "y"), memory("c", "z", scope=BEN)])
    views = {"a": {ONE: Y, CUE: Z}, "c": {ONE: X}}
    assert await store.set_vectors("f:3", {"a": X, "b": Y, "c": Z, "none": X}, views) == 3


async def test_a_memory_is_found_once_by_its_nearest_view(store: MemoryStore) -> None:
    await furnish(store)
    assert await nearest(store, 0, 0, 1) == [("a", CUE)]
    assert await nearest(store, 1, 0, 0) == [("a", "")]
    assert await nearest(store, 0, 3, 1) == [("a", ONE), ("b", "")]
    assert await nearest(store, 0, 3, 1, limit=1) == [("a", ONE)]
    only = frozenset({Kind.EVIDENCE})
    assert await nearest(store, 0, 3, 1, kinds=only) == []
    every = frozenset(Kind)
    assert await nearest(store, 0, 3, 1, kinds=every) == [("a", ONE), ("b", "")]


async def test_a_limit_counts_memories_and_not_views(store: MemoryStore) -> None:
    many = {f"m{n:02}": vector(1, n / 100, 0) for n in range(20)}
    await store.put([memory(id, "x") for id in many])
    views = {"m00": {name: vector(1, 0, n / 1000) for n, name in enumerate(VIEWS)}}
    await store.set_vectors("f:3", many, views)
    found = await nearest(store, 1, 0, 0, limit=5)
    assert [id for id, _ in found] == ["m00", "m01", "m02", "m03", "m04"]


async def test_the_whole_goes_before_a_view_and_views_are_read_with_it(store: MemoryStore) -> None:
    await store.put([memory("a")])
    await store.set_vectors("f:3", {"a": X}, {"a": {ONE: X, TWO: X}})
    found = await store.search_vector(X, "f:3", HERE)
    assert found == [Scored("a", 1.0)]
    await furnish(store)
    found = await store.vectors(["a", "b"])
    assert found["b"].views == {}
    assert list(found["a"].views) == [ONE, CUE]
    np.testing.assert_allclose(found["a"].views[CUE], Z, atol=1e-3)
    assert await store.embedded_count("f:3") == (3, 3)


async def test_new_vectors_take_the_place_of_every_view(store: MemoryStore) -> None:
    await furnish(store)
    await store.set_vectors("f:3", {"a": X}, {"a": {TWO: vector(1, 1, 0)}})
    assert list((await store.vectors(["a"]))["a"].views) == [TWO]
    assert await nearest(store, 0, 0, 1) == []
    await store.set_vectors("f:3", {"a": X})
    assert (await store.vectors(["a"]))["a"].views == {}
    assert await nearest(store, 0, 1, 0) == [("b", "")]


async def test_another_embedder_takes_every_view_along(store: MemoryStore) -> None:
    await furnish(store)
    await store.set_vectors("g:2", {"a": vector(1, 0)}, {"a": {ONE: vector(0, 1)}})
    assert await nearest(store, 0, 0, 1) == []
    found = await store.search_vector(vector(0, 1), "g:2", HERE)
    assert [(hit.id, hit.view) for hit in found] == [("a", ONE)]


async def test_what_is_retold_has_no_view_left(store: MemoryStore) -> None:
    await furnish(store)
    for change in ({"text": "new"}, {"cues": ("new",)}):
        await store.set_vectors("f:3", {"a": X}, {"a": {CUE: Z}})
        assert await nearest(store, 0, 0, 1) == [("a", CUE)]
        await store.amend(["a"], lambda m, to=change: replace(m, **to))
        assert await store.vectors(["a"]) == {}
        assert await nearest(store, 0, 0, 1) == []


async def test_neither_the_binned_nor_the_purged_is_found_by_a_view(store: MemoryStore) -> None:
    await furnish(store)
    await nearest(store, 1, 0, 0)
    await store.amend(["a"], lambda m: with_status(m, Status.BINNED))
    assert await nearest(store, 0, 0, 1) == []
    await store.amend(["a"], lambda m: with_status(m, Status.LIVE))
    assert await nearest(store, 0, 0, 1) == [("a", CUE)]
    await store.purge(["a"])
    assert await nearest(store, 0, 0, 1) == []
    await store.put([memory("a", "x")])
    assert await store.vectors(["a"]) == {}
    await store.set_vectors("f:3", {"a": X})
    assert (await store.vectors(["a"]))["a"].views == {}
    assert await nearest(store, 0, 0, 1) == []


async def test_views_that_are_none_are_refused_and_nothing_is_written(store: MemoryStore) -> None:
    await store.put([memory("a")])
    flawed = ({ONE: vector(1, 0)}, {ONE: vector(0, 0, 0)})
    for views in ({"clause 0": X}, {"": X}, {"other": X}, *flawed):
        with pytest.raises(ValueError, match=r"view|direction|finite|dimension"):
            await store.set_vectors("f:3", {"a": X}, {"a": views})
        assert await store.vectors(["a"]) == {}
