"""What counts as saying that something is right, and nothing else."""

import pytest
from astrbot_plugin_tidemark.core.feedback.confirmation import is_confirmation


@pytest.mark.parametrize(
    "text",
    [
        "对，没错",
        "没错！",
        "对对对，就是这样",
        "嗯，你记得很清楚",
        "是的，说得对。",
        "對，沒錯",
        "That's right",
        "yes, that’s correct!",
        "Exactly.",
        "Yep, you remembered correctly",
        "You're right, thank you",
    ],
)
def test_a_turn_that_only_says_it_is_right_confirms(text: str) -> None:
    assert is_confirmation(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "好的",
        "嗯",
        "是的",
        "yes",
        "ok thanks",
        "没错过末班车",
        "不对，我说的是周三",
        "你说得对吗？我不确定",
        "That's right next to the station",
        "Is that right?",
        "that's not right",
        "没错，不过我现在搬到苏州了",
    ],
)
def test_what_accepts_an_offer_asks_denies_or_goes_on_does_not(text: str) -> None:
    assert not is_confirmation(text)
