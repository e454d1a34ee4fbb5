"""An answer that only says that nothing is known holds nothing; a fact beside it stays."""

import pytest
from astrbot_plugin_tidemark.core.languages.denial import without_denials
from astrbot_plugin_tidemark.core.languages.terms import content_terms


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
