"""Of several values of a slot the older say that they are."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.recall.newer import of_one_slot
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from astrbot_plugin_tidemark.storage.ephemeral import EphemeralStore

from ...samples import ANN
from .legs.asked import said as told
from .legs.conftest import question as question


async def test_what_was_only_said_later_is_not_told_as_newer(question: Question) -> None:
    peanuts, weather = (
        told(f"{text}\n↳ All right, I have heard you.", days_ago, kind=Kind.EVIDENCE, speaker=ANN)
        for text, days_ago in (("I am allergic to peanuts", 9), ("What fine weather", 2))
    )
    store = EphemeralStore()
    await store.put([peanuts, weather])
    asked = replace(question, text="What am I allergic to?")
    recalled = await recall(asked, Sources(store))
    assert recalled.memories[0].id == peanuts.id
    assert "said before" not in recalled.block


def test_of_several_values_of_a_slot_the_older_say_that_they_are() -> None:
    cat, dog = (
        replace(one, id=one.text, claim=Claim("@", "pet", one.text, one.created_at))
        for one in (told("a cat", 90), told("a dog", 4))
    )
    job = replace(told("a baker", 200), claim=Claim("@", "job", "baker", 0.0))
    records = {each.id: each for each in (cat, dog, job)}
    judged = [Fused(id, (), 0.5) for id in (dog.id, job.id, cat.id)]
    assert of_one_slot(judged, records) == {cat.id: dog.id}
    assert of_one_slot([judged[0].dropped(Drop.LIMIT), *judged[1:]], records) == {}
    assert of_one_slot([judged[2], judged[0]], records) == {}
