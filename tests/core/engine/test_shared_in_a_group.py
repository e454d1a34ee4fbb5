"""A private memory that is used in a group answers its person there and goes no further."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.consent import person_in
from astrbot_plugin_tidemark.core.conversation import Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.engine import Ask
from astrbot_plugin_tidemark.core.memory import Memory

from ...kit import item, learnt
from ...rig import Rig

ANNS = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")


async def shared_memory(rig: Rig) -> Memory:
    """Ann lets her private memories be used in groups, and has one."""
    person = person_in(ANNS, "901")
    await rig.engine.consents.change(person, lambda consent: replace(consent, shared=True))
    return await rig.keep("Ann keeps bees behind the chapel", ANNS, id="bees")


async def asked_in_the_group(rig: Rig, reply: str) -> str:
    """Ann asks about her bees in the group and gets the reply; the block it was made from."""
    seq = await rig.say(GROUP, "Where do I keep my bees?")
    ask = Ask(GROUP, "Where do I keep my bees?", seq, asker="901")
    recalled = await rig.engine.recall(ask)
    assert recalled is not None
    await rig.say(GROUP, reply, Role.ASSISTANT)
    return recalled.block


async def test_the_model_that_learns_from_the_group_is_not_told_it(rig: Rig) -> None:
    await shared_memory(rig)
    assert "chapel" in await asked_in_the_group(rig, "Where you always did.")
    await rig.learn()
    (prompt,) = rig.model.prompts
    assert "Where do I keep my bees?" in prompt.user
    assert "chapel" not in prompt.user


async def test_a_lesson_of_the_group_can_neither_correct_nor_judge_it(rig: Rig) -> None:
    bees = await shared_memory(rig)
    await asked_in_the_group(rig, "Where you always did.")
    await rig.learn(learnt(item("Ann sold her bees", 1, corrects=1)))
    assert len(rig.model.prompts) == 2, "a number that was not shown is refused, and repair asked"
    assert (await rig.store.get(bees.id)).successor is None


async def test_it_is_judged_by_the_answer_it_was_used_for(rig: Rig) -> None:
    bees = await shared_memory(rig)
    await asked_in_the_group(rig, "You keep your bees behind the chapel.")
    await rig.learn(learnt(useful=[]))
    assert (await rig.store.get(bees.id)).vitality.useful_count == 1


async def test_a_memory_of_the_group_itself_is_told_as_before(rig: Rig) -> None:
    await rig.keep("We keep bees behind the chapel", GROUP, id="hive")
    await asked_in_the_group(rig, "Behind the chapel.")
    await rig.learn()
    (prompt,) = rig.model.prompts
    assert "[1]" in prompt.user
    assert "We keep bees behind the chapel" in prompt.user
