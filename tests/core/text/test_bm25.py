"""Text scores lie in 0..1 and grow with what a row has in common with the query."""

from collections import Counter

import pytest
from astrbot_plugin_tidemark.core.text.bm25 import Corpus, idf, score
from hypothesis import given
from hypothesis import strategies as st

words = st.sampled_from(["bee", "hive", "honey", "queen", "wax", "rain"])
rows = st.lists(words, min_size=1, max_size=30).map(Counter)
queries = st.lists(words, min_size=1, max_size=6, unique=True)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    size = draw(st.integers(0, 10_000))
    counts = draw(st.dictionaries(words, st.integers(0, size)))
    return Corpus(size, draw(st.floats(0, 500)), counts)


@given(queries, rows, corpora())
def test_a_score_lies_within_0_and_1(query: list[str], row: Counter[str], corpus: Corpus) -> None:
    assert 0.0 <= score(query, row, corpus) <= 1.0


@given(queries, rows, corpora())
def test_a_row_scores_more_when_one_more_query_term_takes_the_place_of_another_word(
    query: list[str], row: Counter[str], corpus: Corpus
) -> None:
    missing = [term for term in query if term not in row]
    idle = Counter({"elsewhere": 1})
    for term in missing:
        assert score(query, row + idle, corpus) < score(query, row + Counter([term]), corpus)


@given(queries, rows, corpora(), words)
def test_asking_for_a_word_the_row_lacks_never_raises_its_score(
    query: list[str], row: Counter[str], corpus: Corpus, other: str
) -> None:
    bare = Counter({term: times for term, times in row.items() if term != other})
    assert score([*query, other], bare, corpus) <= score(query, bare, corpus) + 1e-12


def test_rare_terms_and_shorter_rows_weigh_more_nothing_nothing() -> None:
    assert score(["bee"], Counter(["wax"]), Corpus(10, 1.0, {"bee": 3})) == 0.0
    assert score([], Counter(["wax"]), Corpus(10, 1.0, {})) == 0.0
    assert score(["wax"], Counter(), Corpus(0, 0.0, {})) == 0.0
    assert idf(10, 3) == pytest.approx(1.145132, abs=1e-6)
    corpus = Corpus(100, 2.0, {"bee": 2, "rain": 60})
    query = ["bee", "rain"]
    assert score(query, Counter(["bee", "x"]), corpus) > score(
        query, Counter(["rain", "x"]), corpus
    )
    corpus = Corpus(100, 10.0, {"bee": 5})
    long = Counter(["bee", *(f"w{n}" for n in range(40))])
    assert score(["bee"], Counter(["bee"]), corpus) > score(["bee"], long, corpus)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_the_weight_of_a_term_is_never_negative(size: int, containing: int) -> None:
    assert idf(size, containing) >= 0.0
