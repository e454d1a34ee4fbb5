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
        ("我妹叫什么", ["@", "raw"]),
        ("我老婆在哪上班", ["@", "@/partner", "raw"]),
        ("what's my brother's name?", ["@", "raw"]),
        ("what's my husband called?", ["@", "@/partner", "raw"]),
    ],
)
def test_claims_about_other_relatives_are_left_out(text: str, shown: list[str]) -> None:
    """我儿子叫什么 was answered with the name of the wife."""
    assert _shown(text) == shown


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
        ("我住哪", {"2 residence"}),
        ("where do I live?", {"2 residence"}),
        ("我叫什么", {"2 name"}),
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
