"""The chart of tiers, and what goes soon."""

from astrbot_plugin_tidemark.commands.chat.forgetting import WIDTH, bar
from astrbot_plugin_tidemark.core.model.memory import UserFeedback, Vitality
from hypothesis import given
from hypothesis import strategies as st

from ..command_rig import ANN, BEN, CommandRig, admin

BOSS = admin(ANN)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_bar_has_its_width_and_hides_neither_something_nor_a_rest(one: int, rest: int) -> None:
    drawn = bar(one, one + rest)
    assert len(drawn) == WIDTH
    assert drawn == "█" * drawn.count("█") + "░" * drawn.count("░")
    assert ("█" in drawn) is (one > 0)
    assert ("░" in drawn) is (rest > 0 or one == 0)


async def test_tiers_of_this_chat_and_of_everything_are_counted_and_drawn(rig: CommandRig) -> None:
    await rig.remember("soon", vitality=Vitality(1))
    await rig.remember("later", vitality=Vitality(3))
    await rig.remember("kept", vitality=Vitality(1), feedback=UserFeedback(important=True))
    await rig.remember("settled", vitality=Vitality(6, useful_score=5.0))
    await rig.remember("lasting", of=BEN, vitality=Vitality(6, useful_score=10.0))
    assert (await rig.ask("tiers", by=BOSS)).splitlines() == [
        "This chat, 4 memories:",
        "█████████░░░ fading 3",
        "███░░░░░░░░░ settling 1",
        "░░░░░░░░░░░░ lasting 0",
        "1 of them pinned or important, never forgotten",
        "Forgotten within 3/7/14 days unless used: 1/1/2",
        "Left week by week over 12 weeks, unless used: █▆▄▄▄▄▄▄▄▄▄▄▄ 2",
        "Everything, 5 memories:",
        "███████░░░░░ fading 3",
        "██░░░░░░░░░░ settling 1",
        "██░░░░░░░░░░ lasting 1",
    ]


async def test_nothing_is_drawn_as_nothing(rig: CommandRig) -> None:
    answer = await rig.ask("tiers", by=BOSS)
    assert answer.startswith("This chat, 0 memories:\n░░░░░░░░░░░░ fading 0")
    assert "Forgotten" not in answer
