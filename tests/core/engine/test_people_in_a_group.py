"""Two who contradict each other in a group: whose words are whose, from the turn to the prompt."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
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


async def test_rules_name_each_speaker_in_what_they_keep(unlearned: Rig) -> None:
    await contradict(unlearned)
    await unlearned.learn()
    found = {m.text: m for m in await unlearned.memories(Kind.SEMANTIC)}
    assert {text: (m.speaker, m.about) for text, m in found.items()} == {
        "Anna is allergic to nuts": (ANNA, ("Anna",)),
        "Ben likes nuts": (BEN, ("Ben",)),
    }


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


async def test_a_new_name_is_shown_for_what_was_said_under_the_old_one(unlearned: Rig) -> None:
    await contradict(unlearned)
    await unlearned.learn()
    await says(unlearned, Speaker("901", "Bella"), "See you tomorrow then")
    assert await asked(unlearned, BEN) == [
        ("Anna is allergic to nuts", "(Bella, then called Anna)"),
        ("Ben likes nuts", "(asker, Ben)"),
    ]
