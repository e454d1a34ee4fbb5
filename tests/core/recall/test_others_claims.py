"""What is known of somebody else is not shown to who asks of another, or of themselves."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.inquiries import inquiries
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.block import Participants
from astrbot_plugin_tidemark.core.recall.others_claims import (
    without_other_attributes,
    without_other_kin,
    without_other_members,
    without_strangers,
)
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg

from .legs.asked import said


def _of(subject: str) -> Memory:
    return replace(said(subject, 9), id=subject, claim=Claim(subject, "name", subject, 0.0))


RECORDS = {each: _of(each) for each in ("@", "@/partner", "@/daughter", "@/father")}
RECORDS["raw"] = replace(said("raw", 9), id="raw")


def _shown(text: str) -> list[str]:
    judged = [Fused(id, (), 0.5) for id in RECORDS]
    left = without_other_kin(judged, RECORDS, inquiries(text), text)
    assert {each.drop for each in left} <= {None, Drop.IRRELEVANT}
    return [each.memory for each in left if each.drop is None]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("我女儿读几年级", ["@", "@/daughter", "raw"]),
        ("我儿子叫什么", ["@/daughter", "raw"]),
        ("我妹叫什么", ["raw"]),
        ("我老婆在哪上班", ["@/partner", "raw"]),
        ("what's my brother's name?", ["raw"]),
        ("what's my husband called?", ["@/partner", "raw"]),
    ],
)
def test_claims_about_other_relatives_and_the_asker_are_left_out(
    text: str, shown: list[str]
) -> None:
    """我儿子叫什么 was answered with the name of the wife."""
    assert _shown(text) == shown


def _told(text: str, claim: Claim | None, *about: str) -> Memory:
    return replace(said(text, 9), id=text, claim=claim, about=about, speaker=Speaker("901", "Ruth"))


def _left(asked: str, *told: Memory) -> list[str]:
    records = {each.id: each for each in told}
    judged = [Fused(id, (), 0.5) for id in records]
    left = without_other_kin(judged, records, inquiries(asked), asked)
    return [each.memory for each in left if each.drop is None]


AUNT = _told(
    "Ruth's aunt Carol lives in Whitby", Claim("carol", "residence", "Whitby", 0.0), "Carol"
)
WORK = _told("Carol is a nurse", Claim("carol", "job", "nurse", 0.0), "Carol")
TOM = _told("Ruth's husband Tom drives a bus", Claim("tom", "job", "bus driver", 0.0), "Tom")
OWN = _told("Ruth works at Boots", Claim("@", "workplace", "Boots", 0.0), "Ruth")
WITH_HER = _told("Ruth lives with her aunt", Claim("@", "residence", "her aunt's", 0.0), "Ruth")
PETE = _told("my mum's brother Pete is a plumber", None)
IN_LAW = _told("my brother-in-law is a roofer", None)
DOG = _told("Ruth has a labrador called Rex", Claim("@", "pet", "labrador Rex", 0.0), "Ruth")


@pytest.mark.parametrize(
    ("asked", "told", "left"),
    [
        ("what does my uncle do", (AUNT, TOM, OWN), ()),
        ("what does my uncle do", (PETE, IN_LAW, DOG), (PETE,)),
        ("what does my aunt do", (AUNT, WORK, TOM, OWN, WITH_HER), (AUNT, WORK, WITH_HER)),
        ("what does my brother do", (IN_LAW, TOM, WORK), (WORK,)),
        ("what does my aunt do", (DOG, TOM, OWN), ()),
    ],
)
def test_of_a_relative_never_told_of_nothing_is_told_that_is_another_relatives_or_ones_own(
    asked: str, told: tuple[Memory, ...], left: tuple[Memory, ...]
) -> None:
    """Of an uncle who was never told of the aunt's work was shown, and where one works oneself."""
    assert _left(asked, *told) == [each.id for each in left]


def test_in_chinese_too() -> None:
    aunt = _told("林芳的姑姑在绵阳当老师", Claim("@/aunt", "job", "老师", 0.0))
    own = _told("林芳住在成都", Claim("@", "residence", "成都", 0.0))
    raw = _told("我在外面住，没跟我妈一起", None)
    in_law = _told("我姐夫在银行上班", None)
    assert _left("我舅舅是干什么的", aunt, own, raw, in_law) == []
    assert _left("我姑姑是干什么的", aunt, own, raw) == [aunt.id]


@pytest.mark.parametrize(
    "text",
    [
        "我住哪",
        "我女儿和老婆喜欢吃什么",
        "我老婆的妈妈叫什么",
        "What does my wife think of my son's school?",
        "今天天气不错",
    ],
)
def test_who_asks_of_several_or_of_themselves_is_shown_what_there_is(text: str) -> None:
    assert _shown(text) == [*RECORDS]


TEAM = Scope(ScopeKind.GROUP, "qq", "team")
ANN, BEN, ANN_AT_HOME = ("qq", "1"), ("qq", "2"), ("qq", "3")
PEOPLE = Participants({ANN: "Ann", BEN: "Ben", ANN_AT_HOME: "Ann"}, ANN, several=True)


def _of_member(account: tuple[str, str], attribute: str) -> Memory:
    speaker = Speaker(account[1], PEOPLE.names[account])
    claim = Claim(f"@{account[1]}", attribute, "Leeds", 0.0)
    id = f"{account[1]} {attribute}"
    return replace(said(id, 9), id=id, scope=TEAM.key, claim=claim, speaker=speaker)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("我住哪", {"2 residence", "2 name"}),
        ("where do I live?", {"2 residence", "2 name"}),
        ("我叫什么", {"2 residence", "2 name"}),
        ("Ben住哪", set[str]()),
        ("我们去哪吃饭", set[str]()),
        ("今天天气不错", set[str]()),
    ],
)
def test_in_a_group_who_asks_of_themselves_is_shown_no_claim_of_another_member(
    text: str, gone: set[str]
) -> None:
    """我住哪 was answered with where somebody else of the group lives."""
    records = {
        each.id: each
        for account in (ANN, BEN, ANN_AT_HOME)
        for each in (_of_member(account, "residence"), _of_member(account, "name"))
    }
    judged = [Fused(id, (), 0.5) for id in records]
    left = without_other_members(judged, records, inquiries(text), PEOPLE)
    assert {each.memory for each in left if each.drop is Drop.IRRELEVANT} == gone


LIU = _told("刘姐不吃香菜", Claim("刘姐", "like", "香菜", 0.0, denied=True), "刘姐")
RAW = _told("隔壁刘姐过七十大寿", None)
KNEE = _told("周姐膝盖不好", Claim("@", "illness", "膝盖不好", 0.0))
NO_NAME = _told("她不能喝酒", None)


@pytest.mark.parametrize(
    ("asked", "found", "left"),
    [
        ("刘姐不吃什么", (), ["刘姐不吃香菜", "隔壁刘姐过七十大寿"]),
        ("刘姐多大年纪了", (), ["刘姐不吃香菜", "隔壁刘姐过七十大寿"]),
        ("王姐不吃什么", (), []),
        ("煤球吃什么药", ("她不能喝酒",), ["她不能喝酒"]),
        ("火锅店在哪里", (), [each.text for each in (LIU, RAW, KNEE, NO_NAME)]),
        ("我不吃什么", (), [each.text for each in (LIU, RAW, KNEE, NO_NAME)]),
    ],
)
def test_of_who_is_asked_of_by_name_nothing_of_others_is_told(
    asked: str, found: tuple[str, ...], left: list[str]
) -> None:
    """刘姐不吃什么, when she was forgotten, brought up a knee, a dog and a cat."""
    records = {each.id: each for each in (LIU, RAW, KNEE, NO_NAME)}
    named = (Hit(Leg.ENTITY, 1, 0.6, 0.6),)
    judged = [Fused(id, named if each.text in found else (), 0.5) for id, each in records.items()]
    shown = without_strangers(judged, records, inquiries(asked))
    assert [records[each.memory].text for each in shown if each.drop is None] == left


def test_a_relative_that_begins_a_clause_is_the_speakers() -> None:
    """我哥哥住哪里 was answered with 女儿说五一带豆豆回来住."""
    assert _left("我哥哥住哪里", _told("女儿说五一带豆豆回来住", None)) == []


def test_of_an_attribute_of_ones_own_that_was_never_told_no_other_one_is_shown() -> None:
    """我属什么, never told, was answered with a surname, a dog and an allergy."""
    name = _told("周姐姓周", Claim("@", "name", "周", 0.0))
    beans = _told("豆豆对芒果过敏", Claim("@/grandson", "allergy", "芒果", 0.0))
    garden = _told("周姐的菜园种了豆角", Claim("@", "garden_plan", "豆角", 0.0))
    records = {each.id: each for each in (name, beans, garden, KNEE, RAW)}

    def left(asked: str, *found: Memory) -> list[str]:
        slot = (Hit(Leg.SLOT, 1, 1.0, 1.0),)
        judged = [Fused(id, slot if each in found else (), 0.5) for id, each in records.items()]
        shown = without_other_attributes(judged, records, inquiries(asked), asked)
        return [records[each.memory].text for each in shown if each.drop is None]

    everything = [each.text for each in records.values()]
    assert left("我属什么") == [garden.text, RAW.text]
    assert left("我姓什么", name) == everything
    assert left("我的膝盖怎么样了") == everything
    assert left("我什么时候过生日") == [garden.text, RAW.text]
