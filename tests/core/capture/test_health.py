"""Allergies, medicines and illnesses as people mention them in passing."""

import pytest

from .test_rule_extraction import read


def _claims(said: str) -> list[str]:
    stated = [(each.claim, each.about[0]) for each in read(said) if each.claim is not None]
    return [
        f"{'no ' * one.denied}{one.attribute}={one.value} {one.whose or others(who)}".strip()
        for one, who in stated
    ]


def others(name: str) -> str:
    """Who it is about, if that is not the speaker."""
    return "" if name == "小明" else name


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("just so you know I've a nut allergy", ["allergy=nut"]),
        ("I've got a really bad shellfish allergy", ["allergy=shellfish"]),
        ("I have a peanut allergy and asthma", ["allergy=peanut"]),
        ("I have an allergy to penicillin", ["allergy=penicillin"]),
        ("my sister has a nut allergy", ["allergy=nut sister"]),
        ("I've got allergies", []),
        ("I have no nut allergy", []),
        ("现在吃非布司他 一天一颗", ["medication=非布司他"]),
        ("我长期吃二甲双胍", ["medication=二甲双胍"]),
        (
            "我现在不吃非布司他了 医生给换了别嘌醇",
            ["no medication=非布司他", "medication=别嘌醇"],
        ),
        ("我妈在吃降压药", ["medication=降压药 mother"]),
        ("老李在吃降压药", ["medication=降压药 老李"]),
        ("我在吃薯片", []),
        ("我吃了感冒药", []),
        ("脚又痛了 痛风犯了", ["illness=痛风"]),
        ("我妈哮喘又发作了", ["illness=哮喘 mother"]),
        ("老李痛风犯了", ["illness=痛风 老李"]),
        ("I'm on metformin for my diabetes", ["medication=metformin"]),
        ("I'm on losartan now", ["medication=losartan"]),
        ("I've been put on amlodipine", ["medication=amlodipine"]),
        ("they've switched me to losartan", ["medication=losartan"]),
        ("they've taken me off ramipril", ["no medication=ramipril"]),
        ("I've come off sertraline", ["no medication=sertraline"]),
        ("I'm on holiday", []),
        ("I'm off tomorrow", []),
        ("I came off the motorway", []),
        ("I've been put on hold", []),
        ("they've moved me to Leeds", []),
        ("he's on metformin for his diabetes", []),
        ("my mum's poorly, they've taken her off ramipril", []),
        ("缬沙坦不用吃了，换成氨氯地平", ["no medication=缬沙坦", "medication=氨氯地平"]),
        ("医生说缬沙坦停了", ["no medication=缬沙坦"]),
        ("缬沙坦不能停", []),
        ("公交停了", []),
        ("换成大床房了", []),
        ("我妈的缬沙坦停了", []),
        ("小王在吃药，换成阿司匹林了", []),
        ("我对芒果过敏的事你们记一下", ["allergy=芒果"]),
        ("我对花粉过敏的朋友来了", []),
    ],
)
def test_what_is_told_of_health_in_passing_is_a_fact(said: str, claimed: list[str]) -> None:
    """ "I've a nut allergy" was a raw turn like any other, and minded nowhere."""
    assert _claims(said) == claimed


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("我爸72了 种田", ["age=72 father"]),
        ("我今年35了", ["age=35"]),
        ("我爸80斤", ["weight=80斤 father"]),
        ("我弟在深圳做装修的", ["job=做装修的 brother"]),
        ("我老公做IT的", ["job=做IT的 partner"]),
        ("我做饭的", []),
        ("我昨天做了核酸的", []),
    ],
)
def test_an_age_and_a_trade_in_few_words_are_facts(said: str, claimed: list[str]) -> None:
    assert _claims(said) == claimed


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("I live in Leeds and work as a pharmacist at Boots", ["residence=Leeds"]),
        ("I live in Trinidad and Tobago", ["residence=Trinidad and Tobago"]),
        ("all settled in the new house in Otley", ["residence=Otley"]),
        ("all settled in the new house", []),
        ("my sister bought a house, moved into the house in Otley", []),
        ("我在成都住", ["residence=成都"]),
        ("我妈在绵阳住", ["residence=绵阳 mother"]),
        ("我在成都住了五年了", ["residence=成都"]),
        ("我在医院住了三天", []),
        ("我在外面住，没跟我妈一起", []),
        ("我住在外面", []),
        ("我租房住", []),
        ("我想在成都住", []),
        ("我在北京住酒店", []),
    ],
)
def test_where_somebody_lives_is_a_place_and_no_more(said: str, claimed: list[str]) -> None:
    """外面 was where somebody lived, and so was "Leeds and work as a pharmacist at Boots"."""
    assert _claims(said) == claimed
