"""People of a group: whose words and whose answer it is, and by which names they are found."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.consent import person_in
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.recall.trace import Leg
from astrbot_plugin_tidemark.core.settings import LearningSettings, RecallSettings, Settings

from ...kit import item, learnt, place
from ...rig import Rig, open_rig
from ...samples import ANNS, BOT, GROUP

ANNA, BEN = Speaker("901", "Anna"), Speaker("902", "Ben")
OTHER_ANNA = Speaker("77770937", "Anna")
PATIENT = RecallSettings(deadline_ms=10_000)


@pytest.fixture
async def unlearned(tmp_path: Path) -> AsyncIterator[Rig]:
    rules = Settings(recall=PATIENT, learning=LearningSettings(extractor="rules"))
    rig = await open_rig(tmp_path, rules)
    rig.engine.start()
    yield rig
    await rig.engine.close()


async def contradict(rig: Rig, first: Speaker = ANNA, second: Speaker = BEN) -> None:
    await rig.say(GROUP, "I'm allergic to nuts", by=first)
    await rig.say(GROUP, "I love nuts", by=second)
    await rig.settle()


async def asked(rig: Rig, by: Speaker) -> list[tuple[str, str]]:
    recalled = await rig.engine.recalls.recall(
        RecallRequest(GROUP, "Shall I eat the nuts?", None, asker=by.id)
    )
    lines = [re.fullmatch(r"\[\d\] (.+[):]) (.+)", row) for row in recalled.block.splitlines()]
    return sorted((line[2], line[1]) for line in lines if line)


async def test_one_sentence_from_two_mouths_is_two_memories(rig: Rig) -> None:
    for speaker in (ANNA, BEN):
        await rig.say(GROUP, "I love nuts", by=speaker)
    await rig.settle()
    assert len(await asked(rig, ANNA)) == 2


async def test_rules_name_each_speaker_by_the_newest_name(unlearned: Rig) -> None:
    await contradict(unlearned)
    await unlearned.learn()
    found = {m.text: m for m in await unlearned.memories(Kind.SEMANTIC)}
    assert {text: (m.speaker, m.about) for text, m in found.items()} == {
        "Anna is allergic to nuts": (ANNA, ("Anna",)),
        "Ben likes nuts": (BEN, ("Ben",)),
    }
    await unlearned.say(GROUP, "See you tomorrow then", by=Speaker("901", "Bella"))
    assert await asked(unlearned, BEN) == [
        ("Anna is allergic to nuts", "(Bella, then called Anna)"),
        ("Ben likes nuts", "(asker, Ben)"),
    ]


async def test_rules_tell_two_people_of_one_name_apart(unlearned: Rig) -> None:
    await contradict(unlearned, ANNA, OTHER_ANNA)
    await unlearned.learn()
    found = {m.text: m.speaker for m in await unlearned.memories(Kind.SEMANTIC)}
    assert found == {"Anna#901 is allergic to nuts": ANNA, "Anna#0937 likes nuts": OTHER_ANNA}


async def test_namesakes_in_different_episodes_keep_a_memory_each(unlearned: Rig) -> None:
    for speaker in (ANNA, OTHER_ANNA):
        await unlearned.say(GROUP, "I love nuts", by=speaker)
        await unlearned.learn()
    found = await unlearned.memories(Kind.SEMANTIC)
    assert [m.speaker for m in found] == [ANNA, OTHER_ANNA]


async def test_the_model_that_learns_sees_each_line_under_its_speaker(rig: Rig) -> None:
    await contradict(rig, ANNA, OTHER_ANNA)
    await rig.learn(learnt(item("Anna#0937 likes nuts", 2, about=["Anna#0937"])))
    (prompt,) = rig.model.prompts
    assert "Anna#901: I'm allergic to nuts" in prompt.user
    assert "Anna#0937: I love nuts" in prompt.user
    (memory,) = await rig.memories(Kind.SEMANTIC)
    assert (memory.speaker, memory.about) == (OTHER_ANNA, ("Anna#0937",))


async def say(rig: Rig, name: str, text: str, role: Role = Role.USER) -> int:
    return await rig.say(GROUP, text, role, by=Speaker(name, name))


async def answer(rig: Rig, seq: int, text: str) -> None:
    turn = NewTurn(place(GROUP), Role.ASSISTANT, BOT, text, rig.clock.at)
    await rig.engine.observe(replace(turn, message_id=reply_id(seq)))


async def told(rig: Rig) -> dict[str, str]:
    await rig.settle()
    found = await rig.memories(Kind.EVIDENCE)
    return {m.speaker.name: m.text.partition("↳ ")[2] for m in found if m.speaker}


async def test_two_questions_asked_before_the_first_answer_keep_their_own(rig: Rig) -> None:
    ann = await say(rig, "Ann", "Which tide carries the ferry?")
    bob = await say(rig, "Bob", "Which baker sells rye bread?")
    await answer(rig, ann, "The evening flood on Tuesdays")
    await answer(rig, bob, "Only Harrison beside the mill")
    assert await told(rig) == {
        "Ann": "The evening flood on Tuesdays",
        "Bob": "Only Harrison beside the mill",
    }


async def test_an_answer_to_chatter_is_not_given_to_the_question_before_it(rig: Rig) -> None:
    await say(rig, "Ann", "Which tide carries the ferry?")
    chatter = await say(rig, "Bob", "Nobody sells rye bread here", Role.BYSTANDER)
    await answer(rig, chatter, "Harrison does, beside the mill")
    assert await told(rig) == {"Ann": "", "Bob": "Harrison does, beside the mill"}


async def test_who_asks_where_somebody_lives_is_told_of_them_first(rig: Rig) -> None:
    for name, town in (("Ann", "Leeds"), ("Bob", "York")):
        await rig.keep(
            f"{name} lives in {town}",
            GROUP,
            id=name,
            speaker=Speaker(name, name),
            claim=Claim(f"@{name}", "residence", town, 0.0),
        )
        await say(rig, name, "Good morning to everybody")

    async def shown(text: str) -> list[str]:
        seq = await say(rig, "Ann", text)
        recalled = await rig.engine.recalls.recall(RecallRequest(GROUP, text, seq, asker="Ann"))
        assert all(each.text in recalled.block for each in recalled.memories)
        return [memory.id for memory in recalled.memories]

    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        ranked = await shown(f"Where does {name} live?")
        assert name in ranked
        assert other not in ranked or ranked.index(name) < ranked.index(other)


async def test_a_friend_named_only_in_an_older_turn_is_found_by_name(rig: Rig) -> None:
    await rig.say(ANNS, "My neighbour Rosalind has moved to a lighthouse")
    for number in range(5):
        await rig.say(ANNS, f"Hives and honey, day {number} of the season")
    await rig.settle()
    recalled = await rig.ask(ANNS, "Where does Rosalind live?")
    assert "lighthouse" in recalled.memories[0].text
    found = {hit.leg for candidate in recalled.trace.candidates for hit in candidate.hits}
    assert Leg.ENTITY in found


async def test_a_name_is_recognised_again_however_it_is_written(rig: Rig) -> None:
    await rig.say(ANNS, "I gave the key to Rosalind")
    await rig.settle()
    await rig.say(ANNS, "rosalind lost it in the snow")
    await rig.settle()
    mentions = [[entity.id for entity in raw.entities] for raw in await rig.memories()]
    assert mentions == [["rosalind"], ["rosalind"]]


async def test_who_has_changed_names_is_found_by_either(rig: Rig) -> None:
    for name, text in (("小明", "我的船停在北边的码头"), ("大明", "我养了三只山羊")):
        await rig.say(GROUP, text, by=Speaker("901", name))
    await rig.settle()
    for asked in ("小明有什么？", "大明有什么？"):
        recalled = await rig.ask(GROUP, asked)
        named = [c for c in recalled.trace.candidates if any(h.leg is Leg.ENTITY for h in c.hits)]
        assert len(named) == 2


ROWERS = Scope(ScopeKind.GROUP, "qq", "5000", "default")
SUPPORT = replace(ROWERS, subject="6000")
PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
ANN, CARD = Speaker("901", "Ann"), Speaker("901", "Ann-HIV-support")
BOAT = "I keep my boat at the northern pier"
QUESTION = "Who keeps a boat at the pier?"


@pytest.fixture(params=[False, True], ids=["running", "restarted"])
async def chats(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    """An engine over files, so that names can be read again after a restart."""
    rig = await open_rig(tmp_path, Settings(recall=PATIENT))
    rig.engine.start()
    await rig.say(ROWERS, BOAT, by=ANN)
    await rig.say(SUPPORT, "My boat helps me through the therapy", by=CARD)
    await rig.settle()
    if request.param:
        kept = await rig.memories()
        await rig.engine.close()
        rig = await open_rig(tmp_path, Settings(recall=PATIENT))
        rig.engine.start()
        await rig.store.put(kept)
    yield rig
    await rig.engine.close()


async def block_for(rig: Rig, scope: Scope, question: str = QUESTION, *, asker: str = "902") -> str:
    at = place(scope)
    recalled = await rig.engine.recalls.recall(
        RecallRequest(scope, question, None, asker=asker, place=at)
    )
    return recalled.block


async def test_no_card_of_a_group_is_in_another_prompt(chats: Rig) -> None:
    assert "northern pier" in (told := await block_for(chats, ROWERS))
    assert "HIV" not in told
    assert "] Ann: " in told
    assert "Ann-HIV-support" in await block_for(chats, SUPPORT, "Whose boat helps with therapy?")
    await chats.say(PRIVATE, "I sold the boat at the pier", by=Speaker("901", ""))
    await chats.settle()
    told = await block_for(chats, PRIVATE, asker="901")
    assert "sold" in told
    assert "HIV" not in told


async def test_a_name_of_a_private_chat_is_not_told_in_a_group_if_shared(chats: Rig) -> None:
    person = person_in(PRIVATE, "901")
    await chats.engine.consents.change(person, lambda consent: replace(consent, shared=True))
    await chats.say(PRIVATE, "My second boat is at the pier too", by=Speaker("901", "Countess"))
    await chats.settle()
    told = await block_for(chats, ROWERS, asker="901")
    assert "second boat" in told
    assert "Countess" not in told
    assert "Ann" in told


async def test_an_earlier_card_of_another_group_finds_nobody(chats: Rig) -> None:
    for name in ("Countess", "Ann"):
        await chats.say(SUPPORT, "Good morning", by=Speaker("901", name))
    assert "countess" in (await chats.engine.people.same([SUPPORT.owner]))["ann"]
    same = await chats.engine.people.same([ROWERS.owner])
    assert same == {}
    ask = RecallRequest(ROWERS, "What does Countess keep?", None, asker="902")
    recalled = await chats.engine.recalls.recall(ask)
    named = [c for c in recalled.trace.candidates if any(h.leg is Leg.ENTITY for h in c.hits)]
    assert named == []


async def test_an_alias_tells_no_name_from_one_group_in_another(chats: Rig) -> None:
    journal = chats.journal
    await chats.say(SUPPORT, "Good morning", by=Speaker("905", "Rain"))
    for user in ("901", "905"):
        await journal.set_alias("qq", user, "ann")
    assert await chats.engine.people.same([ROWERS.owner]) == {}
    joined = await chats.engine.people.same([SUPPORT.owner])
    assert joined == {"ann-hiv-support": ["rain"], "rain": ["ann-hiv-support"]}
    await chats.say(replace(PRIVATE, subject="905"), "Hello", by=Speaker("905", "Drizzle"))
    assert "drizzle" not in await chats.engine.people.called([ROWERS.owner])
