"""What somebody forgets or corrects before anything was learnt from it is not learnt afterwards."""

from astrbot_plugin_tidemark.core.engine.manual_edits import Corrected
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Place
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Source
from astrbot_plugin_tidemark.core.records.manual import Author

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANN, ANNS

CORRECTING = Author(
    ANN, Place("qq:private:901", "", ANNS.key), Source.CORRECTION, Extractor.COMMAND, "Ann (901)"
)
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


async def test_a_corrected_turn_does_not_teach_what_was_wrong(rig: Rig) -> None:
    await rig.say(ANNS, "I live in Paris")
    await rig.say(ANNS, "And I keep bees")
    await rig.settle()
    wrong, _ = await rig.memories(Kind.EVIDENCE)
    done = await rig.engine.curation.correct(wrong, "I live in Rome", CORRECTING)
    assert isinstance(done, Corrected)
    memories = await rig.learn(learnt(item("Ann lives in Paris", 1), item("Ann keeps bees", 2)))
    assert {memory.text for memory in memories} == {"I live in Rome", "Ann keeps bees"}
