"""An updated memory comes after its update."""

from astrbot_plugin_tidemark.core.model.memory import Memory, Succession, Successor
from astrbot_plugin_tidemark.core.recall.moved import after_their_updates
from astrbot_plugin_tidemark.core.recall.trace import Fused

from ...samples import memory


def order(*records: Memory) -> list[str]:
    candidates = [Fused(record.id, (), 0.5) for record in records]
    known = {record.id: record for record in records}
    return [each.memory for each in after_their_updates(candidates, known)]


def test_an_updated_memory_comes_right_after_its_update() -> None:
    old = memory(id="old", successor=Successor("new", Succession.UPDATES))
    assert order(old, memory(id="other"), memory(id="new")) == ["other", "new", "old"]
    one = memory(id="one", successor=Successor("two", Succession.UPDATES))
    two = memory(id="two", successor=Successor("one", Succession.UPDATES))
    assert set(order(one, two)) == {"one", "two"}
