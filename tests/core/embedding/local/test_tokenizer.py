"""The best reading by brute force, XLM-R's own ids, and strings nobody should send."""

import math
from functools import cache

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.local.model import SPACE, Model, Tokenizer
from astrbot_plugin_tidemark.core.embedding.local.weights import Vocabulary
from hypothesis import given
from hypothesis import strategies as st

PIECES = {"a": -2.0, "b": -2.5, "ab": -3.5, "aba": -4.0, "bb": -9.0, SPACE: -3.0, SPACE + "a": -2.2}
CONTROL = ("<s>", "<pad>", "</s>", "<unk>")
UNKNOWN = 3
TINY = Tokenizer(
    Vocabulary(
        pieces=(*CONTROL, *PIECES, "<mask>"),
        scores=np.array([0.0] * 4 + list(PIECES.values()) + [0.0], np.float32),
        begin=0,
        end=2,
        padding=1,
        unknown=UNKNOWN,
        replacements={0x1: "", 0x9: " ", 0xFDFA: "ab" * 8},
    )
)
NAMES = (*CONTROL, *PIECES)


def best_score(word: str) -> float:
    """The largest sum of scores over every way to write `word`; unknown characters cost 19."""

    @cache
    def rest(start: int) -> float:
        if start == len(word):
            return 0.0
        readings = [-19.0 + rest(start + 1)]
        for end in range(start + 1, len(word) + 1):
            if word[start:end] in PIECES:
                readings.append(PIECES[word[start:end]] + rest(end))
        return max(readings)

    return rest(0)


@given(st.text("ab", min_size=1, max_size=12))
def test_no_other_reading_of_a_word_scores_higher(word: str) -> None:
    pieces = [NAMES[number] for number in TINY.ids(word, 100)]
    assert "".join(pieces) == SPACE + word
    assert math.isclose(sum(PIECES[piece] for piece in pieces), best_score(SPACE + word))


@given(st.lists(st.text("abz\u0001", min_size=1, max_size=5), max_size=5), st.integers(1, 8))
def test_words_are_read_one_by_one_and_cut_at_the_limit(words: list[str], limit: int) -> None:
    whole = TINY.ids(" ".join(words), 1_000)
    assert whole == [number for word in words for number in TINY.ids(word, 1_000)]
    assert TINY.ids(" ".join(words), limit) == whole[:limit] or len(" ".join(words)) > 6 * limit


def test_blanks_count_once_unknowns_are_one_piece_and_nothing_grows_past_the_limit() -> None:
    assert TINY.ids("  ab\t\u2581 ba \n", 50) == TINY.ids("ab ba", 50)
    assert [NAMES[n] for n in TINY.ids("azzza", 50)] == [SPACE + "a", "<unk>", "a"]
    assert set(TINY.ids("</s> <mask> <s>", 50)) <= {UNKNOWN, *range(4, len(NAMES))}
    assert len(TINY.ids("\ufdfa" * 49, 20)) == 20


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello world", (35378, 8999)),
        ("你好", (6, 124084)),
        ("query: ", (41, 1294, 12)),
        ("passage: ", (46692, 12)),
        ("", ()),
    ],
)
def test_ids_are_those_of_xlm_r(model: Model, text: str, ids: tuple[int, ...]) -> None:
    prefix = model.tokens("", query=True)[:-1]
    assert model.tokens(text, query=True) == (*prefix, *ids, 2)
    assert prefix == (0, 41, 1294, 12)


def test_full_width_and_composed_forms_are_the_same_text(model: Model) -> None:
    assert model.tokens("Ｈｅｌｌｏ　world", query=True) == model.tokens("Hello world", query=True)
    assert model.tokens("cafe\u0301", query=True) == model.tokens("café", query=True)
    query, document = model.tokens("潮痕", query=True), model.tokens("潮痕", query=False)
    assert query[4:] == document[3:]
    assert document[:3] == (0, 46692, 12)


@given(st.text(st.characters(), max_size=400))
def test_any_string_has_bounded_ids_in_the_vocabulary(model: Model, text: str) -> None:
    ids = model.tokens(text, query=False)
    assert 4 <= len(ids) <= 256
    assert (ids[0], ids[-1]) == (0, 2)
    assert all(2 < number < 250_002 for number in ids[1:-1])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\0" * 500, id="nul"),
        pytest.param("\ud800" * 500, id="surrogates"),
        pytest.param("潮" * 100_000, id="long"),
        pytest.param("\ufdfa" * 49, id="growing"),
        pytest.param(" " * 100_000, id="blank"),
        pytest.param("e" + "\u0301" * 9_999, id="combining"),
    ],
)
def test_strings_nobody_should_send_are_cut_or_emptied(model: Model, text: str) -> None:
    ids = model.tokens(text, query=True)
    assert 5 <= len(ids) <= 256
