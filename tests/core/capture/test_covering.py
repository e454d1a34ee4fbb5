"""A turn is taken for known only if one memory surely tells all of it."""

import pytest
from astrbot_plugin_tidemark.core.capture.known import covers, gap
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Source
from astrbot_plugin_tidemark.core.records.evidence import rarities, weigher

from ...samples import ANN, memory, turn

PLAIN = rarities([])


def covered(known: str, said: str, **changes: object) -> bool:
    told = memory(known, **{"speaker": ANN, "about": ("Ann",), **changes})
    return covers(told, turn(1, said), weigher(PLAIN))


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann keeps bees behind the chapel", "I keep bees behind the chapel"),
        ("Ann lives in Bath", "I live in Bath"),
        ("Ann对花生过敏", "我对花生过敏"),
        ("用户养了一只叫布丁的橘猫", "我养了一只叫布丁的橘猫"),
    ],
)
def test_what_is_told_again_in_the_same_words_is_known(known: str, said: str) -> None:
    assert covered(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann lives in Bath", "I moved from Bath to Wells"),
        ("Ann keeps 2 hives", "I keep 3 hives"),
        ("Ann eats meat", "I do not eat meat"),
        ("Ann does not eat meat", "I eat meat"),
        ("Ann's mother is allergic to peanuts", "I am allergic to peanuts"),
        ("Ann is allergic to peanuts", "My mother is allergic to peanuts"),
        ("Ann used to live in Bath", "I live in Bath"),
        ("Ann has her exam on Monday", "I have my exam on Friday"),
        ("Ann likes green tea", "I keep green tea"),
        ("Ann sometimes runs", "I always run"),
        ("用户不吃香菜", "我吃香菜"),
        ("用户的妈妈对花生过敏", "我对花生过敏"),
        ("用户住在杭州", "我搬到上海了"),
        ("用户有两只猫", "我有三只猫"),
    ],
)
def test_what_differs_in_anything_that_matters_is_news(known: str, said: str) -> None:
    assert not covered(known, said)


@pytest.mark.parametrize(
    "changes",
    [
        {"about": ("Bob",), "speaker": ANN},
        {"source": Source.BOT},
        {"kind": Kind.PROSPECTIVE},
        {"kind": Kind.EVIDENCE},
        {"kind": Kind.EPISODIC, "happened_at": -400_000.0},
    ],
    ids=["of somebody else", "by the bot", "a plan", "a raw turn", "of another day"],
)
def test_a_memory_of_another_sort_tells_nothing_again(changes: dict[str, object]) -> None:
    assert not covered(
        "Ann keeps bees behind the chapel", "I keep bees behind the chapel", **changes
    )


def test_what_nobody_told_yet_is_news_also_in_a_group() -> None:
    place = {"scope": "group/qq/5000/default"}
    told = memory("Ann keeps bees behind the chapel", speaker=ANN, **place)
    said = turn(1, "I keep bees behind the chapel")
    group = type(said.place)(said.place.session, "c1", "group/qq/5000/default")
    said = type(said)(1, "e1", group, Role.USER, Speaker("902", "Ben"), said.text, 1.0)
    assert not covers(told, said, weigher(PLAIN))
    turns = [
        turn(1, "Can I have coffee with my high blood pressure?"),
        turn(2, "I keep bees behind the chapel"),
        turn(3, "My smoker broke last week"),
        turn(4, "The bees behind the chapel are yours", Role.ASSISTANT),
    ]
    known = {7: memory("Ann keeps bees behind the chapel", speaker=ANN, about=("Ann",))}
    found = gap(turns, known, PLAIN)
    assert (found.telling, found.covered, found.news) == ({1, 2, 3}, {2: 7}, {1, 3})


@pytest.mark.parametrize(
    ("said", "tells"),
    [("I am vegan", True), ("我吃素", True), ("OK", False), ("谢谢", False), ("Why?", False)],
)
def test_of_oneself_a_word_is_enough(said: str, tells: bool) -> None:
    assert bool(gap([turn(1, said)], {}, PLAIN).news) is tells
