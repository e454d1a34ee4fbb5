"""她 and "she" are read as the one relative or pet who can be meant, and otherwise as nobody."""

import pytest
from astrbot_plugin_tidemark.core.capture.rule_extraction import extract
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn

PLACE = Place("s", "c", "user/qq/1/*")
ANN, BOB = Speaker("1", "Ann"), Speaker("2", "Bob")


def learnt(*said: str | tuple[Speaker, str]) -> list[str]:
    pairs = [each if isinstance(each, tuple) else (ANN, each) for each in said]
    turns = [
        Turn(seq, "e", PLACE, Role.USER, speaker, text, 1_750_000_000.0 + seq)
        for seq, (speaker, text) in enumerate(pairs, start=1)
    ]
    return [candidate.text for candidate in extract(turns).candidates]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("我女儿叫朵朵，今年五岁", "她对芒果过敏"), "Ann的女儿对芒果过敏"),
        (("我女儿叫朵朵，她对芒果过敏",), "Ann的女儿对芒果过敏"),
        (("我女朋友叫小美", "她不吃辣"), "Ann的女朋友不吃辣"),
        (("我养了一只猫", "它叫年糕", "他今年三岁了"), "Ann的猫今年三岁了"),
        (("我儿子五岁", "其实他不喜欢吃鱼"), "Ann的儿子不喜欢吃鱼"),
        (("我妈来了", "她的生日是3月14号"), "Ann的妈的生日是3月14号"),
        (
            ("I have a daughter", "She's allergic to peanuts"),
            "Ann's daughter's allergic to peanuts",
        ),
        (("I have a daughter", "Her name is Dora"), "Ann's daughter's name is Dora"),
        (("My cat is called Miso", "It hates water"), "Ann's cat hates water"),
    ],
)
def test_a_pronoun_is_whoever_was_just_spoken_of(said: tuple[str, ...], expected: str) -> None:
    assert expected in learnt(*said)


@pytest.mark.parametrize(
    "said",
    [
        ("她对芒果过敏",),
        ("我儿子五岁", "她对芒果过敏"),
        ("我女儿叫朵朵", "隔壁的女士来了", "她对芒果过敏"),
        ("我女儿叫朵朵", "我妈来了", "我和我妈带我女儿去公园", "她对芒果过敏"),
        ("我女儿和同学出去玩了", "她对芒果过敏"),
        ("我女儿叫朵朵", "今天好热", "外卖迟到了", "又下雨", "她对芒果过敏"),
        ("我女儿叫朵朵", "她们对芒果过敏"),
        ("I met my sister with a friend", "She's allergic to peanuts"),
        ("I have a son", "She's allergic to peanuts"),
        ("My sister has a cat", "It's allergic to peanuts"),
    ],
)
def test_a_pronoun_that_may_mean_another_means_nobody(said: tuple[str, ...]) -> None:
    told = learnt(*said)
    assert not [text for text in told if "过敏" in text or "allergic" in text]


def test_one_speakers_pronoun_is_nobody_of_anothers() -> None:
    told = learnt("我女儿叫朵朵", (BOB, "她对芒果过敏"))
    assert not [text for text in told if "过敏" in text]


def test_whoever_was_given_a_name_is_spoken_of_by_it() -> None:
    told = learnt(
        "我女儿叫朵朵", "朵朵对芒果过敏", "My son is called Theo", "Theo is allergic to nuts"
    )
    assert "朵朵对芒果过敏" in told
    assert "Theo is allergic to nuts" in told


def test_a_name_known_from_before_is_whose_it_was_and_nobody_elses() -> None:
    turns = [
        Turn(1, "e", PLACE, Role.USER, ANN, "朵朵今年六岁了", 1_750_000_000.0),
        Turn(2, "e", PLACE, Role.USER, BOB, "朵朵对芒果过敏", 1_750_000_001.0),
    ]
    [candidate] = extract(turns, {ANN.id: {"朵朵": "daughter"}}).candidates
    assert candidate.text == "朵朵今年六岁了"
    assert candidate.claim is not None
    assert (candidate.claim.attribute, candidate.claim.whose) == ("age", "daughter")
    assert [entity.name for entity in candidate.entities] == ["朵朵"]


@pytest.mark.parametrize("said", ["不对，朵朵不是五岁，是六岁", "朵朵不是五岁，是六岁"])
def test_a_value_that_is_denied_gives_way_to_the_one_named_after_it(said: str) -> None:
    turn = Turn(1, "e", PLACE, Role.USER, ANN, said, 1_750_000_000.0)
    [candidate] = extract([turn], {ANN.id: {"朵朵": "daughter"}}).candidates
    assert candidate.text == "朵朵六岁"
    assert candidate.claim is not None
    assert (candidate.claim.value, candidate.claim.whose) == ("六岁", "daughter")
