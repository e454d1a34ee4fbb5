"""What is known of somebody else is not shown to who asks of another, or of themselves."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.inquiries import inquiries
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.block import Participants
from astrbot_plugin_tidemark.core.recall.others_claims import (
    without_other_kin,
    without_other_members,
)
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused

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
        ("我儿子叫什么", ["@", "@/daughter", "raw"]),
        ("我妹叫什么", ["raw"]),
        ("我老婆在哪上班", ["@/partner", "raw"]),
        ("what's my brother's name?", ["raw"]),
        ("what's my husband called?", ["@", "@/partner", "raw"]),
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
        ("what does my uncle do", (PETE, IN_LAW, DOG), (PETE, IN_LAW, DOG)),
        ("what does my aunt do", (AUNT, WORK, TOM, OWN, WITH_HER), (AUNT, WORK, WITH_HER)),
        ("what does my brother do", (IN_LAW, TOM, WORK), (IN_LAW, WORK)),
        ("what does my aunt do", (DOG, TOM, OWN), (DOG,)),
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
    assert _left("我舅舅是干什么的", aunt, own, raw, in_law) == [in_law.id]
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
