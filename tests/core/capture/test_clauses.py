"""How a message is cut into clauses, and which of them count as stated."""

import pytest
from astrbot_plugin_tidemark.core.capture.clauses import LONGEST_MESSAGE, sentences
from hypothesis import given, settings
from hypothesis import strategies as st


def stated(message: str) -> list[tuple[str, ...]]:
    return list(sentences(message))


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("今天下雨，我没出门。明天再去吧！", [("今天下雨", "我没出门"), ("明天再去",)]),
        ("我叫阿茶 今年二十", [("我叫阿茶", "今年二十")]),
        ("我喜欢苹果、香蕉和梨", [("我喜欢苹果、香蕉和梨",)]),
        ("我会早到,我保证", [("我会早到", "我保证")]),
        ("累了但是开心", [("累了", "但是开心")]),
        ("第一行\n第二行", [("第一行",), ("第二行",)]),
        ("It rained, I slept. Up now!", [("It rained", "I slept"), ("Up now",)]),
        ("I sing and I dance", [("I sing", "and I dance")]),
        ("I met Dr. Who at 3.30 today.", [("I met Dr. Who at 3.30 today",)]),
        ("Tea - never coffee", [("Tea", "never coffee")]),
        ("", []),
        ("……！？", []),
    ],
)
def test_sentences_end_at_their_marks_and_clauses_at_commas(
    message: str, clauses: list[tuple[str, ...]]
) -> None:
    assert stated(message) == clauses


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("我去了海边，你呢？", [("我去了海边",)]),
        ("你去吗", []),
        ("我去了海边，对吧？", []),
        ("I went out, and you?", [("I went out",)]),
        ("I went out, didn't I?", []),
        ("要不要去，我都行", [("我都行",)]),
    ],
)
def test_a_question_takes_its_own_clause_and_a_tag_the_one_before_too(
    message: str, clauses: list[tuple[str, ...]]
) -> None:
    assert stated(message) == clauses


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("天晴了，如果不下雨，我去爬山", [("天晴了",)]),
        ("他说，我去爬山", []),
        ("跟你说，我去爬山", [("跟你说", "我去爬山")]),
        ("It's late, if I hurry, I make it", [("It's late",)]),
        ("She said, I make it", []),
    ],
)
def test_a_supposition_or_report_takes_the_rest_of_its_sentence(
    message: str, clauses: list[tuple[str, ...]]
) -> None:
    assert stated(message) == clauses


@pytest.mark.parametrize(
    "message",
    [
        "“今天下雨”",
        "她写了“今天下雨",
        '"It rained"',
        "`rm -rf`",
        "```\n今天下雨\n```",
        "> 今天下雨",
        "/help 今天下雨",
        "https://example.org/rain",
        "[图片]",
        "@潮痕",
        "翻译一下。今天下雨",
        "Please translate. It rained",
        "扮演一只猫。今天下雨",
    ],
)
def test_what_is_quoted_marked_up_or_made_up_is_not_stated(message: str) -> None:
    assert stated(message) == []


def test_a_book_title_is_no_quotation() -> None:
    assert stated("我在读《三体》") == [("我在读《三体》",)]


@pytest.mark.parametrize(
    ("said", "clause"),
    [("我去啦", "我去"), ("好耶哈哈哈", "好耶"), ("我听嘻哈", "我听嘻哈"), ("我去酒吧", "我去酒吧"),
     ("I am here lol", "I am here")],
)  # fmt: skip
def test_particles_at_the_end_are_dropped_but_not_ends_of_words(said: str, clause: str) -> None:
    assert stated(said) == [(clause,)]


def test_only_the_beginning_of_a_very_long_message_is_read() -> None:
    message = "雨" * LONGEST_MESSAGE + "。我在这里"
    assert stated(message) == [("雨" * LONGEST_MESSAGE,)]


@settings(deadline=None)
@given(st.text(st.sampled_from("我你喜欢，。？! ?,.a\n“”\"'`[]@:：如果说吗 I-"), max_size=80))
def test_clauses_are_found_in_the_message_in_order(message: str) -> None:
    position = 0
    for clauses in stated(message):
        for clause in clauses:
            found = message.find(clause, position)
            assert found >= 0
            position = found + len(clause)
