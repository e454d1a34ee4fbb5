"""A clause in the first person, told about its speaker."""

import pytest
from astrbot_plugin_tidemark.core.languages.en import third_person as english
from astrbot_plugin_tidemark.core.languages.zh import third_person as chinese
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("我喜欢茶", "阿茶喜欢茶"),
        ("我的猫叫年糕", "阿茶的猫叫年糕"),
        ("我妈是老师", "阿茶的妈是老师"),
        ("我生日是三月", "阿茶的生日是三月"),
        ("我喜欢我的工作", "阿茶喜欢自己的工作"),
        ("我爱我妈", "阿茶爱自己的妈"),
        ("下周我要答辩", "下周阿茶要答辩"),
        ("俺是山东人", "阿茶是山东人"),
        ("我们明天开会", "我们明天开会"),
        ("我擅长自我介绍", "阿茶擅长自我介绍"),
    ],
)
def test_in_chinese_the_first_person_becomes_the_name_then_oneself(clause: str, told: str) -> None:
    assert chinese.told(clause, "阿茶") == told


def test_a_request_to_the_bot_loses_its_address() -> None:
    assert chinese.asked("你以后请叫我船长", "阿茶") == "以后请叫阿茶船长"


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("I like tea", "Mia likes tea"),
        ("I really enjoy my job", "Mia really enjoys their job"),
        ("i have a dog", "Mia has a dog"),
        ("I study law", "Mia studies law"),
        ("I teach maths", "Mia teaches maths"),
        ("I'm a nurse", "Mia is a nurse"),
        ("I’m allergic to nuts", "Mia is allergic to nuts"),
        ("I am 30", "Mia is 30"),
        ("I don't eat meat", "Mia doesn't eat meat"),
        ("I do not eat meat", "Mia doesn't eat meat"),
        ("I can't stand noise", "Mia can't stand noise"),
        ("I've decided to leave", "Mia has decided to leave"),
        ("I'll visit my aunt, who raised me", "Mia will visit their aunt, who raised them"),
        ("My cat is called Pixel", "Mia's cat is called Pixel"),
        ("I was born in Ghent", "Mia was born in Ghent"),
        ("I moved to Ghent", "Mia moved to Ghent"),
    ],
)
def test_in_english_the_verb_follows_the_name(clause: str, told: str) -> None:
    assert english.told(clause, "Mia") == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("call me by my name", "call them by their name"),
        ("I'm late and I've lost mine", "they're late and they've lost theirs"),
        ("I did it myself", "they did it themselves"),
        ("Iceland in May, mind", "Iceland in May, mind"),
    ],
)
def test_pronouns_are_replaced_as_whole_words(text: str, told: str) -> None:
    assert english.pronouns(text) == told


@settings(deadline=None)
@given(st.text(st.sampled_from("喜欢茶和猫今天"), max_size=12))
def test_a_chinese_clause_names_its_speaker_exactly_once(rest: str) -> None:
    told = chinese.told(f"我喜欢{rest}，我想", "阿茶")
    assert told.count("阿茶") == 1
    assert "我" not in told
