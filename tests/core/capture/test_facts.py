"""What people have and do, each family by words of its own; and what only looks like it."""

import pytest
from astrbot_plugin_tidemark.core.capture.rule_extraction import extract
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.records.claims import claim_of

from ...samples import ANNS

ANN = Speaker("901", "Ann")


def claims(text: str) -> set[tuple[str, str, str, bool]]:
    turn = Turn(1, "e", Place("s", "c", ANNS.key), Role.USER, ANN, text, 1.0)
    found = (claim_of(each, ANN, ANNS.key, 1.0) for each in extract([turn]).candidates)
    return {(c.attribute, c.subject, c.value, c.denied) for c in found if c is not None}


@pytest.mark.parametrize(
    ("text", "attribute", "value", "denied"),
    [
        ("买了一辆特斯拉", "car", "特斯拉", False),
        ("我手机是小米", "device:phone", "小米", False),
        ("最近在学法语", "language", "法语", False),
        ("日语放弃了", "language", "日语", True),
        ("家里养了两只布偶", "pet", "布偶", False),
        ("我戒烟了", "smoking", "烟", True),
        ("我不抽烟", "smoking", "", True),
        ("我新领导姓王", "boss", "王", False),
        ("我是利物浦死忠", "team", "利物浦", False),
        ("我在浙大读研二", "school", "浙大", False),
        ("房贷终于还清了", "debt", "房贷", True),
        ("我现在居家办公", "work_mode", "居家办公", False),
        ("我每天坐地铁上班", "commute", "坐地铁", False),
        ("驾照到手了", "driving_licence", "有驾照", False),
        ("I'm learning Korean", "language", "Korean", False),
        ("I gave up French", "language", "French", True),
        ("we've got a spaniel called Otto", "pet", "spaniel", False),
        ("my cat passed away last week", "pet", "cat", True),
        ("I quit smoking", "smoking", "smoking", True),
        ("I don't drink", "alcohol", "", True),
        ("I finally paid off my student loan", "debt", "student loan", True),
        ("I own a small bakery", "business", "small bakery", False),
        ("my new flat is in Bergen", "residence", "Bergen", False),
        ("I cycle to work", "commute", "cycle", False),
        ("I drive a Volvo", "car", "Volvo", False),
        ("we called the wedding off", "marriage_date", "", True),
        ("I volunteer at the library", "volunteering", "the library", False),
    ],
)
def test_a_family_is_read_by_its_words(text: str, attribute: str, value: str, denied: bool) -> None:
    assert (attribute, "@", value, denied) in claims(text)


def test_what_is_said_of_kin_is_theirs() -> None:
    assert ("residence", "@/sister", "Dubai", False) in claims("My sister is out in Dubai")
    assert ("age", "@/son", "seven", False) in claims("my son just turned seven")


@pytest.mark.parametrize(
    "text",
    [
        "我姐回来了，在青岛落了户",
        "我是个篮球迷",
        "语文放弃了",
        "my mother is in hospital",
        "my brother is in trouble",
        "I drive a hard bargain, you know",
        "if I move in I drive a bus",
        "volunteering at the shelter made me feel great to help",
        "the wedding was lovely",
        "开车一辆接一辆",
    ],
)
def test_what_only_looks_like_it_claims_nothing_of_the_speaker(text: str) -> None:
    own = {attribute for attribute, subject, _, _ in claims(text) if subject == "@"}
    assert own.isdisjoint({"residence", "team", "language", "volunteering", "marriage_date"})
    assert claims("my mother is in hospital") == set()
