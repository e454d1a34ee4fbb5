"""News waits for more of its chat, at the pace the owner chose, unless it matters at once."""

import pytest
from astrbot_plugin_tidemark.core.capture.learning import NEW_CHAT
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.intentions import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import WorkKind, WorkState
from astrbot_plugin_tidemark.core.settings import LearningSettings
from astrbot_plugin_tidemark.core.settings.conversation import Pace

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

HELD = (WorkKind.LEARN, WorkState.HELD)
LATEST: dict[Pace, int] = {"daily": 1, "thrifty": 3}
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")


@pytest.fixture
def changes() -> dict[str, object]:
    return {"learning": LearningSettings(pace="thrifty")}


async def held(rig: Rig) -> int:
    return (await rig.journal.backlog()).get(HELD, 0)


async def told(rig: Rig, text: str, scope: Scope = ANNS) -> None:
    """An episode of two messages."""
    await rig.say(scope, text)
    await rig.say(scope, "Oh dear", Role.ASSISTANT)
    await rig.pass_time()


@pytest.fixture
async def acquainted(rig: Rig) -> Rig:
    """Of both people so much has been said and learnt that their chats are not new."""
    for scope in (ANNS, BEN):
        for number in range(NEW_CHAT):
            await rig.say(scope, f"Good morning number {number}")
    await rig.learn(learnt())
    rig.model.prompts.clear()
    return rig


async def test_in_a_new_chat_nothing_waits(rig: Rig) -> None:
    await told(rig, "I broke violin 1 on the wall")
    assert (len(rig.model.prompts), await held(rig)) == (1, 0)


async def test_news_is_recalled_at_once_and_learnt_with_the_rest_of_thirty_messages(
    acquainted: Rig,
) -> None:
    rig = acquainted
    rig.model.answers = [learnt(item("Ann broke violin 3", 7), item("Ann broke violin 14", 29))]
    for number in range(14):
        await told(rig, f"I broke violin {number} on the wall")
    assert (rig.model.prompts, await held(rig)) == ([], 14)
    assert "I broke violin 3 on the wall" in " ".join(await rig.texts(ANNS, "violin 3 wall"))
    await told(rig, "I broke violin 14 on the wall")
    (prompt,) = rig.model.prompts
    assert "violin 13 on" in prompt.user
    assert await held(rig) == 0
    for memory in await rig.memories(Kind.SEMANTIC):
        (seq,) = memory.origin.turns
        turn = await rig.journal.turn(seq)
        assert turn is not None
        assert turn.text.removeprefix("I") in memory.text.removeprefix("Ann") + " on the wall"
        assert turn.episode == memory.origin.episode
    assert len(await rig.memories(Kind.SEMANTIC)) == 2


@pytest.mark.parametrize(
    ("changes", "nights"),
    [({"learning": LearningSettings(pace=pace)}, nights) for pace, nights in LATEST.items()],
    ids=list(LATEST),
)
async def test_nothing_waits_longer_than_the_pace_allows(acquainted: Rig, nights: int) -> None:
    rig = acquainted
    await told(rig, "I broke violin 1 on the wall")
    await rig.pass_time((nights - 1) * DAY)
    assert (len(rig.model.prompts), await held(rig)) == (0, 1)
    await rig.pass_time(DAY)
    assert (len(rig.model.prompts), await held(rig)) == (1, 0)


@pytest.mark.parametrize(
    "text",
    [
        "请记住我把备用钥匙放在鞋柜里",
        "Please remember that I keep the spare key in the shed",
        "不对，是周三的那个班",
        "我明天上午要去体检",
        "I have a dentist appointment tomorrow",
    ],
)
async def test_what_matters_at_once_does_not_wait_and_takes_along_what_waits(
    acquainted: Rig, text: str
) -> None:
    rig = acquainted
    await told(rig, "I broke violin 1 on the wall")
    await told(rig, text)
    (prompt,) = rig.model.prompts
    assert "I broke violin 1 on the wall" in prompt.user
    assert text in prompt.user
    assert await held(rig) == 0


async def test_what_may_be_about_an_open_plan_does_not_wait(acquainted: Rig) -> None:
    rig = acquainted
    await rig.keep("Ann打算年底做体检", ANNS, kind=Kind.PROSPECTIVE, intention=Intention())
    await told(rig, "书架装好了，放在客厅")
    assert (rig.model.prompts, await held(rig)) == ([], 1)
    await told(rig, "体检做完了")
    assert (len(rig.model.prompts), await held(rig)) == (1, 0)


async def test_a_change_of_what_is_known_does_not_wait(acquainted: Rig) -> None:
    rig = acquainted
    rig.model.answers = [
        learnt(item("Ann lives in Bath", 1, slot="home", value="Bath")),
        learnt(item("Ann lives in Wells", 1, slot="home", value="Wells")),
    ]
    await told(rig, "I live in Bath")
    await rig.engine.sleep()
    await told(rig, "I live in Wells now")
    assert len(rig.model.prompts) == 2
    assert await held(rig) == 0


async def test_who_asks_for_learning_does_not_wait_and_chats_do_not_mix(acquainted: Rig) -> None:
    rig = acquainted
    await told(rig, "I broke violin 1 on the wall")
    await told(rig, "I broke violin 2 on the wall", BEN)
    assert (rig.model.prompts, await held(rig)) == ([], 2)
    await rig.learn(learnt())
    assert len(rig.model.prompts) == 2
    assert await held(rig) == 0


class TestPrompt:
    @pytest.fixture
    def changes(self) -> dict[str, object]:
        return {"learning": LearningSettings(pace="prompt")}

    async def test_news_is_asked_about_when_its_conversation_ends(self, acquainted: Rig) -> None:
        rig = acquainted
        await told(rig, "I broke violin 1 on the wall")
        await told(rig, "I broke violin 2 on the wall")
        assert len(rig.model.prompts) == 2


class TestWithoutAModel:
    async def test_nothing_waits(self, acquainted: Rig) -> None:
        rig = acquainted
        rig.model.present = False
        await told(rig, "I keep bees")
        assert await held(rig) == 0
