"""Who asks the bot to remind them has a plan, in whatever form they ask."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.memory import Kind

from .test_rule_extraction import read


@pytest.mark.parametrize(
    "said",
    [
        "提醒我15号还贷款",
        "15号提醒我还贷款",
        "明天提醒我交电费好吗",
        "能不能明天提醒我交电费？",
        "能提醒我15号还贷款吗？",
        "到时候提醒我去拿快递",
        "提醒我下周三去办健康证",
        "remind me to pay the rent on Friday",
        "remind me on Friday to pay the rent",
        "I'm off to bed, can you remind me to call mum tomorrow?",
        "Could you remind me about the dentist on Thursday, please?",
        "don't let me forget to call mum tomorrow",
    ],
)
def test_a_reminder_asked_for_is_a_plan(said: str) -> None:
    """提醒我15号还贷款 was kept as a raw turn alone: no day, and nothing under /memory plans."""
    (only,) = read(said)
    assert only.kind is Kind.PROSPECTIVE


@pytest.mark.parametrize(
    "said",
    [
        "你提醒了我",
        "医生提醒我少喝酒",
        "提醒我一下",
        "提醒我刚才说的是什么",
        "谢谢提醒我交电费",
        "remind me what I said about Tom",
        "that reminds me of Tom",
        "you reminded me to call mum",
    ],
)
def test_what_only_speaks_of_reminding_is_no_plan(said: str) -> None:
    assert not read(said)


def test_what_one_member_of_a_group_asks_of_another_is_no_request_to_the_bot() -> None:
    assert not read("提醒我15号还贷款", role=Role.BYSTANDER)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("提醒我15号还贷款", "u1要求：提醒u1 15号还贷款"),
        ("我15号要去体检", "u1 15号要去体检"),
        ("我明天要去体检", "u1明天要去体检"),
    ],
)
def test_a_name_that_ends_in_a_figure_does_not_run_into_the_day(said: str, told: str) -> None:
    """The plan was for no day, or another: u115号."""
    (only,) = read(said, name="u1")
    assert only.text == told
