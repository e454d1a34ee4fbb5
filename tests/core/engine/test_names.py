"""What was named is found again by its names; a name of one chat is not told in another."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.model.consent import person_in
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.recall.trace import Leg, LegState
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings

from ...kit import place
from ...rig import Rig, open_rig
from ...samples import ANNS

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")


async def test_a_friend_named_only_in_an_older_turn_is_found_by_name(rig: Rig) -> None:
    await rig.say(ANNS, "My neighbour Rosalind has moved to a lighthouse")
    for number in range(5):
        await rig.say(ANNS, f"Hives and honey, day {number} of the season")
    await rig.settle()
    recalled = await rig.ask(ANNS, "Where does Rosalind live?")
    assert "lighthouse" in recalled.memories[0].text
    found = {hit.leg for candidate in recalled.trace.candidates for hit in candidate.hits}
    assert Leg.ENTITY in found


async def test_a_chinese_friend_is_found_by_name(rig: Rig) -> None:
    await rig.say(ANNS, "我的朋友王小明搬到海边去了")
    await rig.say(ANNS, "今天的蜂蜜收成不错")
    await rig.settle()
    assert "海边" in (await rig.texts(ANNS, "王小明现在住在哪里？"))[0]


async def test_a_name_is_recognised_again_however_it_is_written(rig: Rig) -> None:
    await rig.say(ANNS, "I gave the key to Rosalind")
    await rig.settle()
    await rig.say(ANNS, "rosalind lost it in the snow")
    await rig.settle()
    mentions = [[entity.id for entity in raw.entities] for raw in await rig.memories()]
    assert mentions == [["rosalind"], ["rosalind"]]


async def test_with_the_embedder_down_names_are_still_found(rig: Rig) -> None:
    rig.embedder.down = True
    await rig.say(ANNS, "My neighbour Rosalind has moved to a lighthouse")
    await rig.settle()
    recalled = await rig.ask(ANNS, "Where does Rosalind live?")
    states = {report.leg: report.state for report in recalled.trace.legs}
    assert states[Leg.ENTITY] is LegState.OK
    assert ["lighthouse" in memory.text for memory in recalled.memories] == [True]


async def test_who_has_changed_names_is_found_by_either(rig: Rig) -> None:
    for name, text in (("小明", "我的船停在北边的码头"), ("大明", "我养了三只山羊")):
        rig.clock.at += 1
        speaker = Speaker("901", name)
        await rig.engine.observe(NewTurn(place(GROUP), Role.USER, speaker, text, rig.clock.at))
    await rig.settle()
    for asked in ("小明有什么？", "大明有什么？"):
        recalled = await rig.ask(GROUP, asked)
        named = [c for c in recalled.trace.candidates if any(h.leg is Leg.ENTITY for h in c.hits)]
        assert len(named) == 2


PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))
ROWERS = Scope(ScopeKind.GROUP, "qq", "5000", "default")
SUPPORT = replace(ROWERS, subject="6000")
PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
ANN, CARD = Speaker("901", "Ann"), Speaker("901", "Ann-HIV-support")
BOAT = "I keep my boat at the northern pier"
QUESTION = "Who keeps a boat at the pier?"


@pytest.fixture(params=[False, True], ids=["running", "restarted"])
async def chats(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    """An engine over files, so that names can be read again after a restart."""
    rig = await open_rig(tmp_path, PATIENT)
    rig.engine.start()
    await says(rig, ROWERS, ANN, BOAT)
    await says(rig, SUPPORT, CARD, "My boat helps me through the therapy")
    await rig.settle()
    if request.param:
        kept = await rig.memories()
        await rig.engine.close()
        rig = await open_rig(tmp_path, PATIENT)
        rig.engine.start()
        await rig.store.put(kept)
    yield rig
    await rig.engine.close()


async def says(rig: Rig, scope: Scope, by: Speaker, text: str) -> None:
    rig.clock.at += 1
    await rig.engine.observe(NewTurn(place(scope), Role.USER, by, text, rig.clock.at))


async def block(rig: Rig, scope: Scope, question: str = QUESTION, *, asker: str = "902") -> str:
    at = place(scope)
    recalled = await rig.engine.recall(RecallRequest(scope, question, None, asker=asker, place=at))
    assert recalled is not None
    return recalled.block


async def test_no_card_of_a_group_is_in_another_prompt(chats: Rig) -> None:
    assert "northern pier" in (told := await block(chats, ROWERS))
    assert "HIV" not in told
    assert "] Ann: " in told
    assert "Ann-HIV-support" in await block(chats, SUPPORT, "Whose boat helps with therapy?")
    await says(chats, PRIVATE, Speaker("901", ""), "I sold the boat at the pier")
    await chats.settle()
    told = await block(chats, PRIVATE, asker="901")
    assert "sold" in told
    assert "HIV" not in told


async def test_a_name_of_a_private_chat_is_not_told_in_a_group_if_shared(chats: Rig) -> None:
    person = person_in(PRIVATE, "901")
    await chats.engine.consents.change(person, lambda consent: replace(consent, shared=True))
    await says(chats, PRIVATE, Speaker("901", "Countess"), "My second boat is at the pier too")
    await chats.settle()
    told = await block(chats, ROWERS, asker="901")
    assert "second boat" in told
    assert "Countess" not in told
    assert "Ann" in told


async def test_an_earlier_card_of_another_group_finds_nobody(chats: Rig) -> None:
    for name in ("Countess", "Ann"):
        await says(chats, SUPPORT, Speaker("901", name), "Good morning")
    assert "countess" in (await chats.engine.people.same([SUPPORT.owner]))["ann"]
    same = await chats.engine.people.same([ROWERS.owner])
    assert same == {}
    ask = RecallRequest(ROWERS, "What does Countess keep?", None, asker="902")
    recalled = await chats.engine.recall(ask)
    assert recalled is not None
    named = [c for c in recalled.trace.candidates if any(h.leg is Leg.ENTITY for h in c.hits)]
    assert named == []


async def test_an_alias_tells_no_name_from_one_group_in_another(chats: Rig) -> None:
    journal = chats.journal
    await says(chats, SUPPORT, Speaker("905", "Rain"), "Good morning")
    for user in ("901", "905"):
        await journal.set_alias("qq", user, "ann")
    assert await chats.engine.people.same([ROWERS.owner]) == {}
    joined = await chats.engine.people.same([SUPPORT.owner])
    assert joined == {"ann-hiv-support": ["rain"], "rain": ["ann-hiv-support"]}
    await says(chats, replace(PRIVATE, subject="905"), Speaker("905", "Drizzle"), "Hello")
    assert "drizzle" not in await chats.engine.people.called([ROWERS.owner])
