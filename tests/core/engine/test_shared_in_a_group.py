"""A private memory that is used in a group answers its person there and goes no further."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.consent import person_in
from astrbot_plugin_tidemark.core.model.conversation import Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory

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
    ask = RecallRequest(GROUP, "Where do I keep my bees?", seq, asker="901")
    recalled = await rig.engine.recalls.recall(ask)
    await rig.say(GROUP, reply, Role.ASSISTANT)
    return recalled.block


async def something_new(rig: Rig) -> None:
    """Without it no model would be asked about the group."""
    await rig.say(GROUP, "The fair begins with a concert this year")


async def test_the_model_that_learns_from_the_group_is_not_told_it(rig: Rig) -> None:
    await shared_memory(rig)
    assert "chapel" in await asked_in_the_group(rig, "Where you always did.")
    await something_new(rig)
    await rig.learn()
    (prompt,) = rig.model.prompts
    assert "Where do I keep my bees?" in prompt.user
    assert "chapel" not in prompt.user


async def test_a_lesson_of_the_group_can_neither_correct_nor_judge_it(rig: Rig) -> None:
    bees = await shared_memory(rig)
    await asked_in_the_group(rig, "Where you always did.")
    await something_new(rig)
    await rig.learn(learnt(item("Ann sold her bees", 1, corrects=1)))
    assert rig.model.judging == []
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
    (judging,) = rig.model.judging
    assert ") We keep bees behind the chapel" in judging.user


async def group_evidence(rig: Rig) -> list[Memory]:
    await rig.settle()
    return [m for m in await rig.memories(Kind.EVIDENCE) if m.scope == GROUP.key]


async def test_the_model_that_learns_from_the_group_is_not_told_the_answer(rig: Rig) -> None:
    await shared_memory(rig)
    await asked_in_the_group(rig, "Behind the chapel, and rain is coming tomorrow.")
    await rig.say(GROUP, "Rain, how nice")
    await rig.say(GROUP, "As I said, by the chapel.", Role.ASSISTANT)
    await something_new(rig)
    await rig.learn()
    (prompt,) = rig.model.prompts
    assert "how nice" in prompt.user
    assert "chapel" not in prompt.user


async def test_the_answer_does_not_become_the_group_s_evidence(rig: Rig) -> None:
    await shared_memory(rig)
    await asked_in_the_group(rig, "Behind the chapel, and rain is coming tomorrow: take coats.")
    await rig.say(GROUP, "Rain, how nice")
    evidence = await group_evidence(rig)
    assert [memory.text for memory in evidence] == ["Where do I keep my bees?", "Rain, how nice"]
    assert not any("chapel" in cue for memory in evidence for cue in memory.cues)


async def test_what_was_answered_before_is_evidence_as_ever(rig: Rig) -> None:
    await shared_memory(rig)
    await rig.exchange(GROUP, "Who mends the fence?", "Olga from the village mends fences.")
    await asked_in_the_group(rig, "Behind the chapel.")
    evidence = await group_evidence(rig)
    assert "Olga" in evidence[0].text


async def test_an_answer_out_of_a_memory_that_is_gone_is_taken_for_private(rig: Rig) -> None:
    bees = await shared_memory(rig)
    await asked_in_the_group(rig, "Behind the chapel, and rain is coming tomorrow.")
    await rig.store.purge([bees.id])
    await something_new(rig)
    await rig.learn()
    (prompt,) = rig.model.prompts
    assert "chapel" not in prompt.user


async def test_the_same_answer_in_a_private_chat_is_evidence(rig: Rig) -> None:
    await shared_memory(rig)
    await rig.exchange(ANNS, "Where are my bees?", "Chapel; Olga will mend the fence on Friday.")
    await rig.settle()
    (evidence,) = await rig.memories(Kind.EVIDENCE)
    assert "Olga" in evidence.text
