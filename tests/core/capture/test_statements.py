"""Without a model a few forms are read: what people plainly say of themselves, and nothing else."""

from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.capture.statements import extract
from astrbot_plugin_tidemark.core.languages.registry import languages
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.model.lesson import Candidate
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...samples import turn


def read(*said: str) -> list[Candidate]:
    turns = [turn(number, text) for number, text in enumerate(said, start=1)]
    return list(extract(turns, UTC).candidates)


def claims(*said: str) -> list[tuple[str, str, str]]:
    stated = [each.claim for each in read(*said)]
    return [(claim.attribute, claim.value, claim.whose) for claim in stated if claim is not None]


def test_a_language_has_few_forms() -> None:
    sizes = [len(each.statements.forms) for each in languages() if each.statements is not None]
    assert len(sizes) == 2
    assert max(sizes) <= 15


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("我叫小明，住在上海", [("name", "小明", ""), ("residence", "上海", "")]),
        ("我对花生过敏哦", [("allergy", "花生", "")]),
        ("我妹妹叫李静", [("name", "李静", "sister")]),
        ("我养了一只橘猫叫年糕", [("pet", "橘猫", ""), ("name", "年糕", "cat")]),
        ("我不吃香菜", [("diet", "不吃香菜", "")]),
        ("我在一家出版社上班", [("workplace", "一家出版社", "")]),
        ("能不能记住我的生日是5月3号？", [("birthday", "5月3号", "")]),
        (
            "I'm allergic to peanuts and I live in Boston.",
            [("allergy", "peanuts", ""), ("residence", "Boston", "")],
        ),
        ("my sister is called Ruth", [("name", "Ruth", "sister")]),
        ("I have a grey cat called Miso", [("pet", "grey cat", ""), ("name", "Miso", "cat")]),
        ("Please remember that I'm vegan", [("diet", "vegan", "")]),
        ("Call me Annie", [("nickname", "Annie", "")]),
    ],
)
def test_a_plain_statement_is_read(said: str, stated: list[tuple[str, str, str]]) -> None:
    assert claims(said) == stated


@pytest.mark.parametrize(
    "said",
    [
        "他说，我住在北京",
        "如果我住在北京，我喜欢雪",
        "翻译：我住在北京",
        "他写道：“我住在北京。”",
        "我住在北京吗？",
        "我有个问题",
        "我家狗叫得隔壁都听见了",
        "我室友对猫过敏",
        "我在想要不要换工作",
        "Imagine, I live in Boston",
        'She said "I live in Boston"',
        "Do I live in Boston?",
        "My roommate is allergic to cats",
        "I have a problem",
        "I'm a bit tired",
        "> I live in Boston",
        "I live in Boston. " * 12,
    ],
)
def test_nothing_else_is(said: str) -> None:
    assert read(said) == []


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (("我养了条狗", "骗你的，我没养狗"), []),
        (("我住在上海", "不对，是苏州"), [("residence", "苏州", "")]),
        (("I live in Boston", "Wrong, it's Denver"), [("residence", "Denver", "")]),
        (("I'm vegan", "just kidding"), []),
        (("I'm allergic to peanuts", "Sorry, I lied, I'm not allergic to peanuts."), []),
        (("我住在杭州", "逗你玩的，我不住杭州"), []),
    ],
)
def test_what_is_taken_back_goes(said: tuple[str, ...], left: list[tuple[str, str, str]]) -> None:
    assert claims(*said) == left


def test_a_past_time_is_since_when_it_is_so() -> None:
    [told] = extract([turn(1, "I moved to Denver last year", at=MOMENT)], UTC).candidates
    assert (told.text, told.claim.value) == ("Ann lives in Denver", "Denver")
    assert told.claim.since is not None
    assert datetime.fromtimestamp(told.claim.since, UTC).year == 2025


MOMENT = datetime(2026, 8, 12, 14, 30, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "said",
    [
        "我下周三要去看牙",
        "下周三我要去看牙",
        "提醒我明天下午三点开会",
        "I have a dentist appointment on Friday",
        "Can you remind me to call mum tomorrow at 5?",
        # What goes before a request to be reminded need not be of any form.
        "周四晚上要跟同事去吃烤肉，记得提醒我带充电宝",
        "Barbecue with the lads on Thursday night, remind me to bring the charger",
    ],
)
def test_a_plan_is_one_with_a_time_to_come(said: str) -> None:
    [plan] = extract([turn(1, said, at=MOMENT)], UTC).candidates
    assert (plan.kind, said in plan.text) == (Kind.PROSPECTIVE, True)


@pytest.mark.parametrize("said", ["我要睡觉了", "I have to go", "我昨天去看牙了"])
def test_without_one_it_is_none(said: str) -> None:
    assert extract([turn(1, said, at=MOMENT)], UTC).candidates == ()


def test_requests_to_the_bot_are_kept_in_the_words_of_who_asks() -> None:
    [asked] = read("记住，周报发给老王")
    assert asked.text == "Ann说：“记住，周报发给老王”"
    said = [
        turn(1, "remember that I'm vegan", role=Role.BYSTANDER),
        turn(2, "I live in a server", Role.ASSISTANT),
    ]
    assert extract(said, UTC).candidates == ()
    said = [
        turn(1, "I live in Bath", speaker=Speaker("11", "Ann")),
        turn(2, "I live in York", speaker=Speaker("22", "Ann")),
    ]
    assert [each.text for each in extract(said, UTC).candidates] == [
        "Ann#11 lives in Bath",
        "Ann#22 lives in York",
    ]
