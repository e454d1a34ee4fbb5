"""What somebody forgets before anything was learnt from it is not learnt afterwards."""

from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.memory import Kind

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

SECRET = "My locker opens with 4410"


async def test_a_forgotten_turn_teaches_nothing(rig: Rig) -> None:
    await rig.say(ANNS, SECRET)
    await rig.say(ANNS, "And I keep bees")
    await rig.settle()
    secret, _ = await rig.memories(Kind.EVIDENCE)
    await rig.engine.curation.forget([secret.id], by="901")
    memories = await rig.learn(
        learnt(item("Ann's locker opens with 4410", 1), item("Ann keeps bees", 2))
    )
    assert [memory.text for memory in memories] == ["Ann keeps bees"]
    assert not any("4410" in text for text in await rig.texts(ANNS, "locker 4410"))


async def test_a_turn_that_merely_faded_still_teaches(rig: Rig) -> None:
    await rig.say(ANNS, SECRET)
    await rig.settle()
    await rig.engine.sweeper.decay(rig.clock.at + 30 * DAY)
    memories = await rig.learn(learnt(item("Ann's locker opens with 4410", 1)))
    assert [memory.text for memory in memories] == ["Ann's locker opens with 4410"]
