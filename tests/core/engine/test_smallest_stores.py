"""Who asks in the words of what little there is is answered, whatever has a vector yet."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.scoring.decision import Fitted
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED

from ...rig import Rig
from ...samples import ANNS

THERE = replace(ANNS, platform="tg", subject="ann_b")
DENTIST = "My dentist is Dr Okafor"
SAID = {
    DENTIST: "Who is my dentist?",
    "I keep a kayak under the stairs": "where is my kayak",
    "我的牙医是王医生": "我的牙医是谁",
}
NOTHING = "\0"


@pytest.fixture
def fitted() -> Fitted:
    return FITTED


@pytest.fixture(params=["every vector", "not that of the memory", "not that of the questions"])
def unread(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize(("told", "before"), [*zip((*SAID, DENTIST), (0, 1, 3, 6), strict=True)])
async def test_who_asks_again_is_answered(rig: Rig, told: str, before: int, unread: str) -> None:
    asked = SAID[told]
    await tell(rig, told, unread)
    for number in range(before):
        await ask_in_vain(rig, asked, f"s{number}", unread)
    rig.embedder.refused = NOTHING
    turn = await rig.say(THERE, asked, session="now")
    recalled = await rig.ask(THERE, asked, turn=turn)
    assert told in [memory.text for memory in recalled.memories]


@pytest.mark.parametrize("text", ["How do I boil an egg?", "外卖又迟到了", "Tell me a joke"])
async def test_the_only_memory_is_not_brought_up_anyhow(rig: Rig, text: str, unread: str) -> None:
    await tell(rig, DENTIST, unread)
    rig.embedder.refused = NOTHING
    assert await rig.texts(THERE, text) == []


async def test_what_an_answer_repeats_of_a_question_takes_the_place_of_no_memory(rig: Rig) -> None:
    await tell(rig, DENTIST, "")
    for number in range(3):
        await rig.say(THERE, SAID[DENTIST], session=f"s{number}")
        await rig.settle()
        await rig.say(THERE, "You asked who your dentist is", Role.ASSISTANT, session=f"s{number}")
        await rig.settle()
    await rig.embedded()
    assert DENTIST in await rig.texts(THERE, SAID[DENTIST])


async def tell(rig: Rig, text: str, unread: str) -> None:
    """Said on another account of the same person's."""
    await rig.journal.set_alias(ANNS.platform, ANNS.subject, "ann")
    await rig.journal.set_alias(THERE.platform, THERE.subject, "ann")
    rig.embedder.refused = text if unread == "not that of the memory" else NOTHING
    await rig.say(ANNS, text)
    await rig.settle()


async def ask_in_vain(rig: Rig, text: str, session: str, unread: str) -> None:
    if unread == "not that of the questions":
        rig.embedder.refused = text
    await rig.say(THERE, text, session=session)
    await rig.settle()
    await rig.say(THERE, "I don't know", Role.ASSISTANT, session=session)
    await rig.settle()
