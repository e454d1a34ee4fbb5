"""What a reply names as the reason is linked, and told when somebody asks why."""

from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY, provenance
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

MOVED = "Ann moved across town"
DRILLS = "Somebody above Ann drilled through walls at seven every morning"
SOLD = "The flat above Ann was sold to a young couple"


async def told(rig: Rig, *texts: str) -> None:
    for text in texts:
        await rig.exchange(ANNS, text, "Noted")


async def causes(rig: Rig, text: str) -> list[str]:
    """What the memory with this text came of, by the ids that it names."""
    (memory,) = [one for one in await learnt_memories(rig) if one.text == text]
    return [
        link.object
        for link in provenance(memory.id, memory.relations)
        if link.predicate == CAUSED_BY
    ]


async def learnt_memories(rig: Rig) -> list[Memory]:
    return await rig.memories(*set(Kind) - {Kind.EVIDENCE})


async def by_id(rig: Rig, ids: list[str]) -> list[str]:
    return [memory.text for memory in await rig.store.find(ids)]


async def test_a_reason_that_is_a_memory_is_linked_and_so_is_its_own(rig: Rig) -> None:
    await told(
        rig, "I moved across town", "They drilled at seven", "The flat was sold, that is why"
    )
    await rig.learn(
        learnt(item(MOVED, 1, causes=[3]), item(DRILLS, 3, causes=[5]), item(SOLD, 5, causes=[5]))
    )
    assert await by_id(rig, await causes(rig, MOVED)) == [DRILLS]
    assert await by_id(rig, await causes(rig, DRILLS)) == [SOLD]
    assert await causes(rig, SOLD) == []


async def test_a_reason_of_which_nothing_was_learnt_is_the_turn_that_told_it(rig: Rig) -> None:
    await told(rig, "I moved across town", "They drilled through our walls at seven")
    await rig.learn(learnt(item(MOVED, 1, causes=[3])))
    (raw,) = await rig.store.find(await causes(rig, MOVED))
    assert raw.kind is Kind.EVIDENCE
    assert "drilled through our walls" in raw.text


async def test_why_tells_the_reasons_though_they_share_no_word_with_the_question(rig: Rig) -> None:
    await told(rig, "I moved across town", "They drilled at seven", "The flat was sold")
    await rig.learn(learnt(item(MOVED, 1, causes=[3]), item(DRILLS, 3, causes=[5]), item(SOLD, 5)))
    await rig.embedded()
    texts = await rig.texts(ANNS, "Why did I move across town?")
    assert {DRILLS, SOLD} <= set(texts)


async def test_without_a_model_raw_turns_are_linked_and_told_cause_last(rig: Rig) -> None:
    rig.model.present = False
    await rig.exchange(ANNS, "I moved across town to Leith", "Why did you move?")
    await rig.exchange(ANNS, "Somebody drilled through walls at seven", "How come?")
    await rig.exchange(ANNS, "A young couple had bought it to renovate", "I see.")
    await rig.engine.sleep(patience=20.0)
    rig.clock.at += 3 * 86_400.0
    recalled = await rig.ask(ANNS, "Why did I move across town to Leith?")
    texts = [memory.text for memory in recalled.memories]
    order = [next(n for n, t in enumerate(texts) if w in t) for w in ("Leith", "drilled", "bought")]
    assert order == sorted(order)
    assert recalled.block.splitlines()[2] == "2025-06-15"
