"""What is made of a memory is kept with that memory, and with no other."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.derived import once
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.records.serialisation import fields_of

from ...samples import memory


def test_a_memory_is_asked_once_by_each_question_and_anew_when_it_changed() -> None:
    asked: list[str] = []

    @once
    def length(memory: Memory) -> int:
        asked.append(memory.id)
        return len(memory.text)

    own = memory("tea", id="a")
    assert [length(own), length(own), length(memory("coffee", id="b"))] == [3, 3, 6]
    assert asked == ["a", "b"]
    length = once(lambda memory: len(memory.text))
    own = memory("tea", id="a")
    assert length(own) == 3
    assert length(replace(own, text="coffee")) == 6
    first, last = once(lambda memory: memory.text[0]), once(lambda memory: memory.text[-1])
    own = memory("tea", id="a")
    assert (first(own), last(own)) == ("t", "a")
    own, other = memory("tea", id="a"), memory("tea", id="a")
    once(lambda memory: memory.text)(own)
    assert own == other
    assert hash(own) == hash(other)
    assert fields_of(own) == fields_of(other)
