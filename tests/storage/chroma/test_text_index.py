"""One scope's text index in memory: it follows any history, and the memory it takes is bounded."""

from collections import Counter

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.languages import terms as tokens
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import Scored
from astrbot_plugin_tidemark.core.records.searched_text import searched_terms
from astrbot_plugin_tidemark.core.text import bm25
from astrbot_plugin_tidemark.storage import ranking
from astrbot_plugin_tidemark.storage.chroma import text
from astrbot_plugin_tidemark.storage.chroma.text import IndexEntry, Indexes, ScopeIndex
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given, settings
from hypothesis import strategies as st

from ..memories import ANNA, memory

HERE = frozenset({ANNA})
words = st.lists(st.sampled_from("tea milk sugar cup 火锅 火车 喝茶 42".split()), max_size=8)
histories = st.lists(
    st.tuples(st.booleans(), st.sampled_from("abcdefgh"), words.map(" ".join)), max_size=40
)


def filled(*texts: str) -> ScopeIndex:
    index = ScopeIndex()
    index.change((), [IndexEntry(f"{n}", text, (n,)) for n, text in enumerate(texts)])
    return index


def found(index: ScopeIndex, query: str, limit: int = 50) -> list[Scored]:
    return index.search(searched_terms(query), limit)


@settings(deadline=None)
@given(histories, words.map(" ".join))
async def test_after_any_history_a_search_equals_the_reference(
    history: list[tuple[bool, str, str]], query: str
) -> None:
    index, reference = ScopeIndex(), ReferenceStore()
    for added, id, words_of_it in history:
        await reference.purge([id])
        if added:
            await reference.put([memory(id, words_of_it)])
            index.change((), [IndexEntry(id, f"{words_of_it}\n", ())])
        else:
            index.change([id], ())
    assert found(index, query) == await reference.search_text(query, HERE)


def test_removed_rows_are_dropped_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_REMOVED", 3)
    index = filled("tea", "milk", "tea cup", "sugar", "cup")
    before = index.size
    index.change(["0", "1", "3", "4"], ())
    assert index.size == len(tokens.terms("tea cup")) < before
    assert [hit.id for hit in found(index, "tea")] == ["2"]
    index.change((), [IndexEntry("5", "milk", ())])
    assert [hit.id for hit in found(index, "milk")] == ["5"]


def test_a_turn_names_what_distils_it_until_that_is_gone() -> None:
    index = filled("tea", "milk")
    index.change((), [IndexEntry("x", "both", (0, 1))])
    assert index.learnt_from(1) == ["1", "x"]
    index.change(["x"], [IndexEntry("1", "milk", (7,))])
    assert index.learnt_from(1) == []
    assert index.learnt_from(7) == ["1"]


def test_the_least_recently_used_index_goes_first() -> None:
    indexes = Indexes(most_terms=4)
    for name in "abc":
        indexes.keep(name, filled("tea cup"))
        indexes.at_hand("a")
    kept = Counter(name for name in "abc" if indexes.at_hand(name) is not None)
    assert kept == Counter("ac")


def test_one_index_is_kept_however_large_it_is() -> None:
    indexes = Indexes(most_terms=1)
    indexes.keep("a", filled("tea cup and more"))
    assert indexes.at_hand("a") is not None


def test_a_dropped_index_is_not_at_hand() -> None:
    indexes = Indexes()
    indexes.keep("a", filled("tea"))
    indexes.drop(["a", "unknown"])
    assert indexes.at_hand("a") is None


def test_of_rows_that_tie_for_the_last_place_the_first_by_id_is_found() -> None:
    index = filled("tea tea", *["tea cup"] * 30)
    assert [hit.id for hit in found(index, "tea", 3)] == ["0", "1", "10"]


def test_a_removed_row_takes_no_place_among_the_best() -> None:
    index = filled("tea tea tea", "tea tea cup", "tea cup cup")
    index.change(["0"], ())
    assert [hit.id for hit in found(index, "tea", 1)] == ["1"]
    assert found(index, "nowhere") == []


@given(st.lists(st.sampled_from(list(Kind)), max_size=12), st.frozensets(st.sampled_from(Kind)))
def test_a_search_among_kinds_finds_only_these(kinds: list[Kind], wanted: frozenset[Kind]) -> None:
    index = ScopeIndex()
    index.change((), [IndexEntry(f"{n:02}", "tea", (), kind) for n, kind in enumerate(kinds)])
    hits = index.search(["tea"], 50, wanted)
    assert [hit.id for hit in hits] == [f"{n:02}" for n, k in enumerate(kinds) if k in wanted]


@settings(deadline=None)
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
