"""What is said of somebody who is mentioned, or shown in a picture, is not the speaker's own."""

import pytest
from astrbot_plugin_tidemark.core.capture.rule_extraction import extract
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn

GROUP = Place("qq:GroupMessage:5000", "c1", "group/qq/5000/default")


def texts(said: str) -> list[str]:
    turn = Turn(1, "e", GROUP, Role.USER, Speaker("901", "Ann"), said, 1.0)
    return [each.text for each in extract([turn]).candidates]


@pytest.mark.parametrize(
    "said",
    [
        "@阿强(902) 对花生过敏",
        "@阿强 对花生过敏",
        "@小王(903) 搬到杭州了",
        "@小王(903) 明天要去体检",
        "@阿强(902) @小王(903) 明天要去体检",
        "@Ben(902) loves tea",
        "@Ben Smith(902) moved to Paris",
        "@Ben(902)",
    ],
)
def test_what_is_said_of_who_is_mentioned_was_learnt_of_the_speaker(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("@阿强(902) 我对花生过敏", "Ann对花生过敏"),
        ("@Ben Smith(902) I am allergic to nuts", "Ann is allergic to nuts"),
        ("我和@阿强(902) 明天要去体检", "Ann明天要去体检"),
        ("write to a@b.com, I am allergic to nuts", "Ann is allergic to nuts"),
    ],
)
def test_what_the_speaker_tells_somebody_of_themselves_is_theirs(said: str, told: str) -> None:
    assert texts(said) == [told]


def test_a_long_caption_was_read_as_said() -> None:
    shown = "一张截图，开头是日期和时间，然后写着：" + "我对花生过敏，我住在杭州，我叫小明。" * 3
    assert texts(f"看看\n[图片：{shown}]") == []
    assert texts(f"我住在北京\n[图片：{shown}]") == ["Ann住在北京"]


def test_a_thousand_mentions_take_no_time() -> None:
    assert texts("@" * 4_000) == []
    assert texts("@阿强(902" * 900) == []
    assert texts("@阿强(902) " * 900) == []
