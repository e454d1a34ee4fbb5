"""English typed on a phone is read as if it were written with care, and nothing else is touched."""

import pytest
from astrbot_plugin_tidemark.core.languages.registry import written_out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("im jess", "i'm jess"),
        ("Ive moved n i love it", "I've moved and i love it"),
        ("dont like it", "don't like it"),
        ("whats my job", "what's my job"),
        ("its my birthday tmrw", "it's my birthday tomorrow"),
        ("were moving to leeds", "we're moving to leeds"),
        ("nice! were moving", "nice! we're moving"),
        ("ill be late", "i'll be late"),
        ("id like tea", "i'd like tea"),
        ("u can call me jess pls", "you can call me jess please"),
        ("gotta ring mum", "have to ring mum"),
        ("ive gotta go", "i have to go"),
        ("gonna paint the fence", "going to paint the fence"),
        ("my mums called sue", "my mum's called sue"),
        ("my sons called alfie", "my son's called alfie"),
        ("alfies allergic to eggs", "alfie's allergic to eggs"),
        ("the weddings been put back", "the wedding's been put back"),
        ("its not nuts its eggs", "it's not nuts, it's eggs"),
        ("im vegan lol so no eggs", "i'm vegan, so no eggs"),
        ("我lactose intolerant", "I'm lactose intolerant"),
        ("我的cat叫Mochi", "我的猫叫Mochi"),
        ("我gf叫Lin", "我女朋友叫Lin"),
    ],
)
def test_what_is_left_out_and_shortened_is_put_back(typed: str, meant: str) -> None:
    assert written_out(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "I'm Jess, and it's mine",
        "its colour is red",
        "were you there",
        "were the kids ok",
        "we were married then",
        "i was ill be kind",
        "my id is 5",
        "my sons called me",
        "my sisters are twins",
        "it has been a while",
        "i've always been here",
        "IM is dead, UR a city",
        "R & D",
        "x = cos(y)",
        "see http://im.example/u",
        "我u盘丢了，im也是",
        "recipes for kids allergic to nuts",
        "我的category很多",
        "你好",
        "",
    ],
)
def test_what_may_mean_something_else_stays(text: str) -> None:
    assert written_out(text) == text
