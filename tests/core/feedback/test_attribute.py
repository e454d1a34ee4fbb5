"""Which memories a reply drew on."""

import pytest
from astrbot_plugin_tidemark.core.feedback.credit import useful_numbers
from astrbot_plugin_tidemark.core.languages.terms import content_terms
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.sampled_from(
    "peanut tea berlin 花生 海鲜 过敏 住在上海 the and 什么 我们 guitar violin 2024 Luna".split()
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
KNOWN = st.dictionaries(st.integers(1, 20), TEXTS, max_size=6)

ENGLISH = {
    1: "Anna is allergic to peanuts and carries an EpiPen.",
    2: "Anna plays the violin in a local orchestra.",
    3: "Anna's cat is called Luna.",
    4: "Anna grew up in Porto.",
}
CHINESE = {
    1: "小明对花生和海鲜过敏。",
    2: "小明在腾讯做后端开发。",
    3: "小明养了一只叫咪咪的橘猫。",
    4: "小明下个月要去成都出差。",
}


@pytest.mark.parametrize(
    ("query", "reply", "useful"),
    [
        ("What should I cook tonight?", "Pad thai, but leave the peanuts out.", {1}),
        ("I am bored", "You could practise the violin, or play with Luna the cat.", {2, 3}),
        ("How was my childhood?", "You grew up in Porto, by the sea.", {4}),
        ("Tell me a joke", "Why did the chicken cross the road?", set()),
        ("Tell me about peanuts", "Peanuts are legumes.", set()),
        ("Hi", "Hi Anna! How are you?", set()),
        ("今晚吃什么好？", "可以吃火锅，不过你对花生和海鲜过敏，蘸料里不要放花生。", {1}),
        ("推荐个周末活动吧", "在家陪陪橘猫咪咪也不错。", {3}),
        ("我下周忙吗", "别忘了你要去成都出差，提前收拾行李。", {4}),
        ("给我讲个笑话", "从前有一只企鹅，它走得很慢。", set()),
        ("对花生和海鲜过敏怎么办", "对花生和海鲜过敏的人应该随身带药。", set()),
        ("在吗", "在的，小明！", set()),
    ],
)
def test_what_a_reply_drew_on_is_found(query: str, reply: str, useful: set[int]) -> None:
    known = ENGLISH if query.isascii() else CHINESE
    assert useful_numbers([reply], [query], known) == useful


def test_a_shared_bigram_or_function_words_prove_nothing() -> None:
    assert not useful_numbers(["开发票要找财务"], ["怎么报销"], CHINESE)
    known = {1: "Kubernetes runs on his servers", 2: "Kubernetes bores him"}
    assert not useful_numbers(["Kubernetes is a scheduler."], ["and?"], known)
    assert useful_numbers(["Kubernetes is a scheduler."], ["and?"], {1: known[1]}) == {1}
    replies = ["Sure.", "No peanuts then.", "Bye."]
    assert useful_numbers(replies, ["What is for dinner?"], ENGLISH) == {1}
    assert not useful_numbers(["what is this and that 什么 我们"], [], {1: "what is this and that"})


@given(st.lists(TEXTS, max_size=3), KNOWN)
def test_without_a_reply_nothing_was_useful(queries: list[str], known: dict[int, str]) -> None:
    assert useful_numbers([], queries, known) == frozenset()


@given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3), KNOWN)
def test_a_useful_memory_shares_a_content_term_beyond_the_question(
    replies: list[str], queries: list[str], known: dict[int, str]
) -> None:
    said = content_terms(" ".join(replies)) - content_terms(" ".join(queries))
    for number in useful_numbers(replies, queries, known):
        assert content_terms(known[number]) & said
