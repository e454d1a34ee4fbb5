"""One scope's index in memory, and a call that fails in a change: nothing false is seen."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Scored
from astrbot_plugin_tidemark.core.records.serialisation import searched_terms
from astrbot_plugin_tidemark.core.text import bm25
from astrbot_plugin_tidemark.storage import ranking, term_partition
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.client import Client
from astrbot_plugin_tidemark.storage.chroma.index import IndexEntry, Indexes, ScopeIndex
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, DAY, NOW, memory, vector, with_strength

HERE = frozenset({ANNA})
NAMES = ("tea", "火锅", "🐝")
words = st.lists(st.sampled_from("tea milk sugar cup 火锅 火车 喝茶 42".split()), max_size=8)
histories = st.lists(
    st.tuples(st.booleans(), st.sampled_from("abcdefgh"), words.map(" ".join)), max_size=40
)


def filled(*texts: str) -> ScopeIndex:
    return holding(*(IndexEntry(f"{n}", text, (n,)) for n, text in enumerate(texts)))


def holding(*entries: IndexEntry) -> ScopeIndex:
    """Half of it filled in, half of it changed since."""
    index, half = ScopeIndex(), len(entries) // 2
    index.fill(entries[:half])
    index.filled()
    index.change((), entries[half:])
    return index


def found(index: ScopeIndex, query: str, limit: int = 50) -> list[Scored]:
    return ranking.best(index.search(searched_terms(query), limit), limit)


@given(histories, words.map(" ".join))
async def test_after_any_history_a_search_equals_the_reference(
    history: list[tuple[bool, str, str]], query: str
) -> None:
    index, reference = filled(), ReferenceStore()
    for added, id, words_of_it in history:
        await reference.purge([id])
        if added:
            await reference.put([memory(id, words_of_it)])
            index.change((), [IndexEntry(id, f"{words_of_it}\n", ())])
        else:
            index.change([id], ())
    assert found(index, query) == await reference.search_text(query, HERE)


def test_an_index_of_which_most_is_gone_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_partition, "MOST_DEAD", 2)
    index = filled("tea", "milk", "tea cup", "sugar", "cup")
    assert [hit.id for hit in found(index, "tea")] == ["0", "2"]
    index.change(["0", "1", "3", "4"], ())
    assert [hit.id for hit in found(index, "tea")] == ["2"]
    assert index.worn


def test_turns_name_what_distils_them_scopes_what_they_hold() -> None:
    index = filled("tea", "milk")
    index.change((), [IndexEntry("x", "both", (0, 1))])
    assert index.having(1) == ["1", "x"]
    index.change(["x"], [IndexEntry("1", "milk", (7,))])
    assert index.having(1) == []
    assert index.having(7) == ["1"]
    index = filled("tea tea", *["tea cup"] * 30)
    assert [hit.id for hit in found(index, "tea", 3)] == ["0", "1", "10"]
    index = filled("tea tea tea", "tea tea cup", "tea cup cup")
    index.change(["0"], ())
    assert [hit.id for hit in found(index, "tea", 1)] == ["1"]
    assert found(index, "nowhere") == []
    how_to = IndexEntry("a", "tea", (), Kind.PROCEDURAL, 1.0, 5.0, ("tea",))
    index = holding(how_to, IndexEntry("b", "tea", (), Kind.EPISODIC, 2.0, 7.0, due_at=9.0))
    both, episodic = Filter(happened=(5.0, 7.0)), frozenset({Kind.EPISODIC})
    assert index.of_kinds({Kind.PROCEDURAL}) == {"a"}
    assert index.dated(both) == [(-5.0, "a"), (-7.0, "b")]
    assert index.dated(replace(both, kinds=episodic)) == [(-7.0, "b")]
    assert index.dated(Filter(due=(9.0, 10.0))) == [(-7.0, "b")]
    index.change(["a"], ())
    assert index.of_kinds({Kind.PROCEDURAL}) == frozenset()
    assert index.dated(Filter(happened=(float("-inf"), 6.0))) == []
    assert index.having("tea") == []


async def at_once[T](work: Callable[[], T]) -> T:
    return work()


def indexes(read: list[str], most_held: int) -> Indexes:
    def ids(scope: str) -> list[str]:
        read.append(scope)
        return [scope]

    entries = [IndexEntry("1", "tea cup", ())]
    return Indexes(at_once, ids, lambda _: entries, most_held)


async def test_the_least_recently_used_index_goes_first() -> None:
    read: list[str] = []
    held = indexes(read, 200)
    for name in "abacab":
        await held.of(name)
    assert read == ["a", "b", "c", "b"]


async def test_one_index_is_kept_however_large_it_is_until_it_is_dropped() -> None:
    read: list[str] = []
    held = indexes(read, 1)
    await held.of("a")
    await held.of("a")
    assert read == ["a"]
    held.drop(["a", "unknown"])
    await held.of("a")
    assert read == ["a", "a"]


@given(st.lists(st.sampled_from(list(Kind)), max_size=12), st.frozensets(st.sampled_from(Kind)))
def test_a_search_among_kinds_finds_only_these(kinds: list[Kind], wanted: frozenset[Kind]) -> None:
    index = holding(*(IndexEntry(f"{n:02}", "tea", (), kind) for n, kind in enumerate(kinds)))
    hits = ranking.best(index.search(["tea"], 50, wanted), 50)
    assert [hit.id for hit in hits] == [f"{n:02}" for n, k in enumerate(kinds) if k in wanted]


@given(
    st.lists(words.map(Counter), max_size=8),
    st.integers(0, 10_000),
    st.floats(0, 500),
    st.dictionaries(st.sampled_from(["tea", "milk", "cup"]), st.integers(0, 10_000)),
)
def test_rows_scored_by_column_score_what_each_scores_alone(
    rows: list[Counter[str]], size: int, mean: float, rows_with: dict[str, int]
) -> None:
    query, corpus = ["tea", "milk", "cup"], bm25.Corpus(size, mean, rows_with)
    counts = {term: np.array([row[term] for row in rows], np.float64) for term in query}
    lengths = np.array([row.total() for row in rows], np.float64)
    scores = ranking.column_scores(query, corpus, counts, lengths)
    score = bm25.scorer(query, corpus)
    assert scores.tolist() == [score(row, row.total()) for row in rows]


def mentioning(id: str, created_at: float, *names: str) -> IndexEntry:
    return IndexEntry(id, "", (), created_at=created_at, mentions=names)


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from("abcdef"),
            st.floats(-1e12, 1e12),
            st.lists(st.sampled_from(NAMES), unique=True),
        ),
        max_size=30,
    )
)
def test_after_any_history_it_holds_the_mentions_that_are_there(
    history: list[tuple[bool, str, float, list[str]]],
) -> None:
    index, there = filled(), dict[str, tuple[float, list[str]]]()
    for added, id, created_at, names in history:
        if added:
            there[id] = created_at, names
            index.change((), [mentioning(id, created_at, *names)])
        else:
            there.pop(id, None)
            index.change([id], ())
    for name in NAMES:
        told = sorted((-at, id) for id, (at, names) in there.items() if name in names)
        assert index.having(name) == sorted(id for _, id in told)
        assert index.newest(name, 3) == told[:3]


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
