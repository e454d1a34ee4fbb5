"""What a sentence tells, denies, and of whom; and to whom it is said."""

import pytest
from astrbot_plugin_tidemark.core.languages.kin import kin_in, kin_of
from astrbot_plugin_tidemark.core.languages.markers import (
    clauses,
    is_question,
    sentences,
    tells,
    without_denials,
    without_own_name,
)
from astrbot_plugin_tidemark.core.languages.terms import content_terms


@pytest.mark.parametrize("text", ["OK", "why?", "谢谢", "好的。", "Really? What?", ""])
def test_what_says_hardly_a_word_tells_nothing(text: str) -> None:
    assert not tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did my taxes today",
        "don't call me Jonathan anymore",
        "我搬到上海了，你呢",
        "我有高血压能喝咖啡吗",
        "我被裁员了接下来怎么办啊",
        "我在纠结要不要换工作",
        "Can I drink coffee with high blood pressure?",
        "I wonder whether to leave my job",
    ],
)
def test_a_fact_inside_a_question_or_a_dilemma_is_told(text: str) -> None:
    assert tells(text)


def test_sentences_are_those_that_ask_nothing_and_clauses_have_no_marks() -> None:
    text = "I bake at 3.5 degrees, mostly. Do you? 我住在上海！你呢？"
    assert [*sentences(text)] == ["I bake at 3.5 degrees, mostly.", "我住在上海！"]
    assert clauses("I bake, mostly.") == ["I bake", "mostly"]
    assert is_question("你呢？")


@pytest.mark.parametrize(
    "denial",
    [
        "关于这个，我什么都不记得。",
        "〔排练模型，没有真正的智能〕 关于这个，我什么都不记得。",
        "抱歉，我不知道你对什么过敏。",
        "我没有关于你生日的任何记录。",
        "我不太清楚你养的是什么。",
        "你还没有告诉过我你的生日！",
        "这个我想不起来了。",
        "[rehearsal model, no real intelligence] I remember nothing about that.",
        "I don't know what you are allergic to.",
        "Sorry, I don’t have any information about your birthday.",
        "I have no memory of your cat.",
        "You haven't told me your favourite colour yet.",
        "I'm not sure which city you live in.",
    ],
)
def test_that_nothing_is_known_is_nothing_said(denial: str) -> None:
    assert content_terms(without_denials(denial)) == frozenset()


@pytest.mark.parametrize(
    ("reply", "fact"),
    [
        ("我不记得你的生日，但是你住在杭州。", "杭州"),
        ("我不知道。花生过敏的人最好随身带肾上腺素笔。", "肾上腺素"),
        ("他不知道密码，密码在抽屉里", "抽屉"),
        ("I don't know your birthday, but you keep bees in Bath.", "bath"),
        ("Ben doesn't know the password; ask Carla.", "Carla"),
        ("黄山在安徽，四月人少。", "黄山"),
    ],
)
def test_what_is_said_beside_it_stays(reply: str, fact: str) -> None:
    assert fact in without_denials(reply).lower() or fact in without_denials(reply)


ZH = "# 人格\n你叫潮汐，是一个温柔的助手。你喜欢猫。"
EN = "You are Tide, a kind companion. You love cats."


@pytest.mark.parametrize(
    ("text", "instructions", "expected"),
    [
        ("潮汐，我的猫叫什么", ZH, "我的猫叫什么"),
        ("潮汐 我的猫叫什么", ZH, "我的猫叫什么"),
        ("我的猫叫什么，潮汐？", ZH, "我的猫叫什么？"),
        ("潮汐！我住哪", "你是「潮汐」。", "我住哪"),
        ("Tide, where do I live?", EN, "where do I live?"),
        ("Tide where do I live?", "Your name is Tide.", "where do I live?"),
        ("where do I live, tide?", EN, "where do I live?"),
    ],
)
def test_the_bots_name_is_no_word_of_questions(text: str, instructions: str, expected: str) -> None:
    assert without_own_name(text, instructions) == expected


@pytest.mark.parametrize(
    ("text", "instructions"),
    [
        ("猫，我最喜欢哪个品种", ZH),
        ("潮汐是什么时候涨的", ZH),
        ("潮汐", ZH),
        ("潮汐，我的猫叫什么", ""),
        ("cats, which ones do I like?", EN),
        ("Tideland, when did I go there?", EN),
        ("", EN),
    ],
)
def test_what_a_question_is_about_stays(text: str, instructions: str) -> None:
    assert without_own_name(text, instructions) == text


@pytest.mark.parametrize(
    ("words", "kin"),
    [
        ("我媽", "mother"),
        ("我姊姊", "sister"),
        ("貓咪", "cat"),
        ("外孙", "grandson"),
        ("外孫女", "granddaughter"),
        ("老伴", "partner"),
        ("嫂子", "sister_in_law"),
        ("姐夫", "brother_in_law"),
        ("女婿", "son_in_law"),
        ("我婆婆", "mother_in_law"),
        ("my grandson", "grandson"),
        ("my mother-in-law", "mother_in_law"),
        ("mother_in_law", "mother_in_law"),
        ("niece", "niece"),
        ("刘姐", ""),
        ("godson", ""),
    ],
)
def test_a_relative_goes_by_one_name(words: str, kin: str) -> None:
    """我媽住台南 gave the speaker her home: 媽 was nobody, for it is written otherwise than 妈."""
    assert kin_of(words) == kin


def test_whom_a_text_names_by_what_they_are() -> None:
    assert kin_in("Ann's brother has a puppy") == {"brother", "dog"}
    assert kin_in("Ann is a dog-sitter") == {"dog-sitter"}
    assert kin_in("用户的妈妈养了一只猫") == {"mother", "cat"}
    assert kin_in("her brother-in-law") != kin_in("her brother")
