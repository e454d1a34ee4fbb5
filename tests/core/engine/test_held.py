"""What is known is not asked about again, and an episode without news waits for the next call."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CORROBORATES, linked
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import Kind, Succession
from astrbot_plugin_tidemark.core.ports import WorkKind, WorkState
from astrbot_plugin_tidemark.storage import open_store

from ...kit import DOWN, item, learnt
from ...rig import Rig, open_rig
from ...samples import ANNS
from .conftest import PATIENT

HELD, READY = WorkState.HELD, WorkState.READY
CEDAR = "Ann plays a cedar guitar"
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")


async def left(rig: Rig) -> dict[WorkState, int]:
    """How many episodes are still to be learnt from, and how they wait."""
    found = await rig.journal.backlog()
    return {state: n for (kind, state), n in found.items() if kind is WorkKind.LEARN}


async def told(rig: Rig, text: str, scope: Scope = ANNS) -> None:
    """Something new, in a turn that recalls nothing."""
    await rig.say(scope, text)
    await rig.say(scope, "Oh dear", Role.ASSISTANT)


async def asked(rig: Rig, number: int = 0) -> None:
    """An episode without news in which a memory is shown."""
    recalled, _ = await rig.exchange(ANNS, "Cedar" + "?" * (number + 1), "The top")
    assert "cedar" in [memory.id for memory in recalled.memories]
    await rig.pass_time()


@pytest.fixture
async def known(rig: Rig) -> Rig:
    await rig.keep(CEDAR, ANNS, id="cedar", about=("Ann",))
    rig.clock.at += 3600
    return rig


async def test_an_episode_that_tells_nothing_costs_no_call(rig: Rig) -> None:
    await rig.exchange(ANNS, "Weather?", "Rain, I fear")
    await rig.pass_time()
    assert rig.model.prompts == []
    assert await left(rig) == {}


async def test_verdicts_wait_for_the_next_call_and_come_with_it(known: Rig) -> None:
    rig = known
    await asked(rig)
    assert await left(rig) == {HELD: 1}
    assert await rig.journal.verdict_counts() == (0, 0)
    rig.model.answers = [learnt(item("Ann broke her smoker", 3), useful=[1])]
    await told(rig, "I broke my smoker on the wall")
    await rig.pass_time()
    (prompt,) = rig.model.prompts
    assert "Ann: I broke my smoker on the wall" in prompt.user.splitlines()[2]
    (judging,) = rig.model.judging
    assert "A. (2025-06-15) Ann plays a cedar guitar" in judging.user
    assert await left(rig) == {}
    assert (await rig.store.get("cedar")).vitality.useful_count == 1
    (fresh,) = [m for m in await rig.memories(Kind.SEMANTIC) if m.id != "cedar"]
    assert fresh.text == "Ann broke her smoker"
    turns = [await rig.journal.turn(seq) for seq in fresh.origin.turns]
    assert [turn.text for turn in turns if turn] == ["I broke my smoker on the wall"]


async def test_a_memory_is_judged_for_each_episode_that_showed_it(known: Rig) -> None:
    rig = known
    for number in range(2):
        await asked(rig, number)
    rig.model.answers = [learnt(useful=[2, 3])]
    await told(rig, "I broke my smoker on the wall")
    await rig.pass_time()
    assert len(rig.model.prompts) == 1
    cedar = (await rig.store.get("cedar")).vitality
    assert (cedar.useful_count, len(cedar.judged)) == (1, 2)


async def test_what_is_held_is_asked_about_at_night(known: Rig) -> None:
    rig = known
    await asked(rig)
    rig.clock.at += DAY
    await rig.engine.jobs.tick()
    rig.engine.worker.wake()
    await rig.settle()
    assert len(rig.model.prompts) == 1
    assert await rig.journal.verdict_counts() == (0, 1)


async def test_who_asks_for_learning_does_not_wait(known: Rig) -> None:
    rig = known
    await asked(rig)
    await rig.exchange(ANNS, "And cedar?", "The top")
    await rig.learn(learnt())
    assert len(rig.model.prompts) == 2
    assert len((await rig.store.get("cedar")).vitality.judged) == 2
    assert HELD not in await left(rig)


async def test_thirty_messages_are_asked_about_by_themselves(known: Rig) -> None:
    rig = known
    for number in range(14):
        await asked(rig, number)
    assert await left(rig) == {HELD: 14}
    await asked(rig, 14)
    assert await left(rig) == {}
    assert len(rig.model.prompts) == 1
    assert len((await rig.store.get("cedar")).vitality.judged) == 15


async def test_another_chat_takes_nothing_along(known: Rig) -> None:
    rig = known
    await asked(rig)
    await told(rig, "I broke my smoker on the wall", BEN)
    await rig.pass_time()
    (prompt,) = rig.model.prompts
    assert "cedar" not in prompt.user
    assert await left(rig) == {HELD: 1}


async def test_a_call_that_fails_leaves_held_what_was_held(known: Rig) -> None:
    rig = known
    await asked(rig)
    rig.model.answers = ["no", "no again"]
    await told(rig, "I broke my smoker on the wall")
    await rig.pass_time()
    assert await left(rig) == {HELD: 1}
    rig.model.answers = [DOWN, learnt(useful=[1])]
    await told(rig, "I sold my old bicycle to Tom")
    await rig.pass_time()
    assert await left(rig) == {HELD: 1, READY: 1}
    rig.clock.at += 10
    rig.engine.worker.wake()
    await rig.settle()
    assert await left(rig) == {}
    assert (await rig.store.get("cedar")).vitality.useful_count == 1


async def test_what_is_held_outlives_a_restart(tmp_path: Path) -> None:
    first = await open_rig(tmp_path, PATIENT, store=await open_store("sqlite", tmp_path))
    first.engine.start()
    await first.keep(CEDAR, ANNS, id="cedar", about=("Ann",))
    first.clock.at += 3600
    await asked(first)
    await first.engine.close()
    again = await open_rig(tmp_path, PATIENT, store=await open_store("sqlite", tmp_path))
    again.clock.at = first.clock.at
    again.engine.start()
    again.model.answers = [learnt(useful=[1])]
    await told(again, "I broke my smoker on the wall")
    await again.pass_time()
    cedar = await again.store.get("cedar")
    assert (cedar.vitality.useful_count, await left(again)) == (1, {})
    await again.engine.close()


async def test_without_a_model_nothing_is_held(known: Rig) -> None:
    rig = known
    rig.model.present = False
    await asked(rig)
    assert await left(rig) == {}


async def test_what_is_told_again_is_surer_once_and_costs_no_call(known: Rig) -> None:
    rig = known
    await rig.say(ANNS, "I play a cedar guitar.")
    seq = await rig.say(ANNS, "Where were we?", Role.ASSISTANT)
    await rig.pass_time()
    assert rig.model.prompts == []
    cedar = await rig.store.get("cedar")
    assert len(linked(cedar, CORROBORATES)) == 1
    turn = await rig.journal.turn(seq)
    assert turn is not None
    kept, episode = (
        await rig.journal.extraction(turn.episode),
        await rig.journal.episode(turn.episode),
    )
    assert kept is not None
    assert episode is not None
    for _ in range(2):
        applied = await rig.engine.jobs.capture.apply(kept, episode)
        assert applied.repeated == {"cedar"}
    assert await rig.store.get("cedar") == cedar


async def test_a_known_fact_that_was_not_shown_is_updated_by_its_number(rig: Rig) -> None:
    await rig.keep("Ann's hives stand behind the chapel in Bath", ANNS, id="old", about=("Ann",))
    await rig.say(ANNS, "The hives behind the chapel stand in Wells since May")
    rig.model.answers = [learnt(item("Ann's hives stand in Wells", 1, updates=1))]
    await rig.pass_time()
    (judging,) = rig.model.judging
    assert "A. (2025-06-15) Ann's hives stand behind the chapel in Bath" in judging.user
    old = await rig.store.get("old")
    assert old.successor is not None
    assert old.successor.how is Succession.UPDATES
    (created, *_) = await rig.journal.audit_of(old.successor.memory)
    assert '"gap": "new_behaviour"' in created.detail


async def test_in_a_group_a_model_is_shown_nothing_of_private_chats(rig: Rig) -> None:
    await rig.keep("Ann keeps her bees behind the chapel", ANNS, id="private")
    await rig.keep("The group walks past the bees to the chapel on Sundays", GROUP, id="common")
    await rig.say(GROUP, "My bees behind the chapel are loud today, says Tom")
    rig.model.answers = [learnt(item("Ann's bees behind the chapel are loud", 1))]
    await rig.pass_time()
    (judging,) = rig.model.judging
    assert "The group walks" in judging.user
    assert "Ann keeps her bees" not in judging.user
