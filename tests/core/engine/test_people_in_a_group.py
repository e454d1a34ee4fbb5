"""People of a group: whose words are whose, from the turn to the prompt, and whose answer."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
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
from astrbot_plugin_tidemark.core.settings import LearningSettings, RecallSettings, Settings

from ...kit import item, learnt, place
from ...rig import Rig, open_rig

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
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


async def says(rig: Rig, by: Speaker, text: str) -> None:
    rig.clock.at += 1
    turn = NewTurn(place(GROUP), Role.USER, by, text, rig.clock.at)
    await rig.engine.observe(turn)


async def contradict(rig: Rig, first: Speaker = ANNA, second: Speaker = BEN) -> None:
    await says(rig, first, "I'm allergic to nuts")
    await says(rig, second, "I love nuts")
    await rig.settle()


async def asked(rig: Rig, by: Speaker) -> list[tuple[str, str]]:
    recalled = await rig.engine.recall(
        RecallRequest(GROUP, "Shall I eat the nuts?", None, asker=by.id)
    )
    assert recalled is not None
    lines = [re.fullmatch(r"\[\d\] (.+[):]) (.+)", row) for row in recalled.block.splitlines()]
    return sorted((line[2], line[1]) for line in lines if line)


async def test_one_sentence_from_two_mouths_is_two_memories(rig: Rig) -> None:
    for speaker in (ANNA, BEN):
        await says(rig, speaker, "I love nuts")
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
    await says(unlearned, Speaker("901", "Bella"), "See you tomorrow then")
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
        await says(unlearned, speaker, "I love nuts")
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


BOT = Speaker("bot", "")


async def say(rig: Rig, name: str, text: str, role: Role = Role.USER) -> int:
    turn = NewTurn(place(GROUP), role, Speaker(name, name), text, rig.clock.at)
    return (await rig.engine.observe(turn)).turn.seq


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
        recalled = await rig.engine.recall(RecallRequest(GROUP, text, seq, asker="Ann"))
        assert recalled is not None
        assert all(each.text in recalled.block for each in recalled.memories)
        return [memory.id for memory in recalled.memories]

    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        ranked = await shown(f"Where does {name} live?")
        assert name in ranked
        assert other not in ranked or ranked.index(name) < ranked.index(other)
