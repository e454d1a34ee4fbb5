"""Index terms: what is found again in any script, and what a query leaves out."""

import pytest
from astrbot_plugin_tidemark.core.languages.en.words import stem
from astrbot_plugin_tidemark.core.languages.terms import (
    content_terms,
    excerpt,
    index_terms,
    query_terms,
    terms,
)
from astrbot_plugin_tidemark.core.text.quoting import normalise
from hypothesis import given
from hypothesis import strategies as st

odd_text = st.text(alphabet=st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("潮痕记忆", ["潮痕", "痕记", "记忆"]),
        ("さくら", ["さく", "くら"]),
        ("カラオケ", ["カラ", "ラオ", "オケ"]),
        ("안녕하세요", ["안녕", "녕하", "하세", "세요"]),
        ("茶", ["茶"]),
        ("𠮷野家", ["𠮷野", "野家"]),
    ],
)
def test_ideographs_kana_and_hangul_become_bigrams(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Привет, мир", ["привет", "мир"]),
        ("Ελλάδα", ["ελλάδα"]),
        ("مرحبا", ["مرحبا"]),
        ("v2.0 beta_3", ["v2", "0", "beta", "3"]),
    ],
)
def test_other_scripts_are_words(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize("word", ["हिन्दी", "தமிழ்", "สวัสดี", "עִבְרִית"])
def test_vowel_signs_and_points_do_not_cut_a_word_to_pieces(word: str) -> None:
    assert terms(word) == [normalise(word)]


def test_odd_characters_make_terms_and_function_words_come_last() -> None:
    assert terms("1\ufe0f\u20e3") == ["1"]
    assert terms("用iPhone拍的") == ["用", "iphon", "拍的"]
    assert terms("ＡＢＣｶﾞ") == terms("abcガ")
    assert terms("a\ud800b") == ["a", "b"]
    assert query_terms("Where have you met Klara?") == ["met", "klara", "wher", "hav", "you"]
    assert query_terms("我喜欢什么茶")[0] == "喜欢"
    assert query_terms("who are you") == ["who", "are", "you"]


@pytest.mark.parametrize(
    "group",
    [
        ("cat", "cats"),
        ("city", "cities"),
        ("movie", "movies"),
        ("plan", "plans", "planned", "planning"),
        ("bake", "bakes", "baked", "baking"),
        ("walk", "walks", "walked", "walking"),
    ],
)
def test_inflected_forms_share_a_stem(group: tuple[str, ...]) -> None:
    assert len({stem(word) for word in group}) == 1


@pytest.mark.parametrize(
    "word", ["gas", "this", "bus", "glass", "bring", "red", "naïve", "covid19"]
)
def test_words_that_only_look_inflected_keep_their_ending(word: str) -> None:
    assert stem(word) == word or stem(word) + "e" == word


@given(odd_text)
def test_no_text_raises(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= 40
        term.encode()


@given(odd_text)
def test_query_terms_are_distinct_terms_of_the_text(text: str) -> None:
    wanted = query_terms(text)
    assert set(wanted) <= {*terms(text), *index_terms(text)}
    assert len(set(wanted)) == len(wanted)
    assert bool(wanted) == bool(terms(text))


@given(odd_text)
def test_content_terms_are_what_a_query_searches_for_first(text: str) -> None:
    content = content_terms(text)
    assert content <= set(query_terms(text))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("猫", "养了一只橘猫，三岁"),
        ("我的猫多大了", "养了一只橘猫，三岁"),
        ("我家貓呢", "養了一隻橘貓"),
        ("那只狗几岁", "小狗豆豆五岁"),
    ],
)
def test_a_word_of_one_character_is_found_within_another(question: str, said: str) -> None:
    assert not {one for one in query_terms(question) if one in terms(said)}
    assert set(query_terms(question)).intersection(index_terms(said))


@pytest.mark.parametrize("question", ["我的猫粮放哪了", "我的会员卡", "我的最近", "你吃了吗"])
def test_a_character_of_a_longer_word_is_not_searched_for_alone(question: str) -> None:
    assert set(query_terms(question)) <= set(terms(question))


@pytest.mark.parametrize(
    "word", ["there", "these", "where", "have", "were", "does", "would", "what"]
)
def test_a_function_word_stays_one_after_stemming(word: str) -> None:
    assert content_terms(word) == frozenset()


@given(odd_text)
def test_normal_text_has_no_surrogates_and_stays_itself(text: str) -> None:
    normalise(text).encode()
    assert terms(normalise(text)) == terms(text)


FILLING = "And then the wind blew over the moor. " * 30
ZH = "风从荒原上吹过来。" * 60


def asked(question: str) -> frozenset[str]:
    return content_terms(question)


def test_what_is_short_is_shown_whole_and_else_a_part_if_only_the_beginning() -> None:
    assert excerpt("I keep bees", asked("bees"), 11) == "I keep bees"
    assert excerpt(FILLING, asked("bees"), 100).startswith("And then")
    shown = excerpt("x" * 900 + " locker " + "y" * 900, asked("locker"), 100)
    assert len(shown) <= 100


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (f"{FILLING}My locker number is 4410. {FILLING}", "locker number?", "4410"),
        (f"{FILLING}My locker number is 4410.", "locker number?", "4410"),
        (f"{ZH}我的储物柜密码是四四一零。{ZH}", "储物柜密码是多少", "四四一零"),
    ],
)
def test_the_sentence_that_answers_is_shown(text: str, question: str, answer: str) -> None:
    shown = excerpt(text, asked(question), 200)
    assert answer in shown
    assert shown.startswith("…")


@given(st.text("ab。. \n我蜂", max_size=400), st.integers(8, 120))
def test_an_excerpt_is_a_part_of_the_text_and_no_longer_than_allowed(text: str, limit: int) -> None:
    shown = excerpt(text, asked("蜂a"), limit)
    assert len(shown) <= limit
    assert shown.strip("…") in text
