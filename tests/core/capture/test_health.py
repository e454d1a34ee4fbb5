"""Allergies, medicines and illnesses as people mention them in passing."""

import pytest

from .test_rule_extraction import read


def _claims(said: str) -> list[str]:
    stated = [each.claim for each in read(said) if each.claim is not None]
    return [
        f"{'no ' * one.denied}{one.attribute}={one.value} {one.whose}".strip() for one in stated
    ]


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
        ("老李在吃降压药", []),
        ("我在吃薯片", []),
        ("我吃了感冒药", []),
        ("脚又痛了 痛风犯了", ["illness=痛风"]),
        ("我妈哮喘又发作了", ["illness=哮喘 mother"]),
        ("老李痛风犯了", []),
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
