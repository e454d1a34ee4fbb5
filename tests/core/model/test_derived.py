"""What is made of a memory is kept with that memory, and with no other."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.derived import once
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.records.serialisation import fields_of

from ...samples import memory


def test_a_memory_is_asked_once() -> None:
    asked: list[str] = []

    @once
    def length(memory: Memory) -> int:
        asked.append(memory.id)
        return len(memory.text)

    own = memory("tea", id="a")
    assert [length(own), length(own), length(memory("coffee", id="b"))] == [3, 3, 6]
    assert asked == ["a", "b"]


def test_a_changed_memory_is_asked_anew() -> None:
    length = once(lambda memory: len(memory.text))
    own = memory("tea", id="a")
    assert length(own) == 3
    assert length(replace(own, text="coffee")) == 6


def test_two_questions_have_their_own_answers() -> None:
    first, last = once(lambda memory: memory.text[0]), once(lambda memory: memory.text[-1])
    own = memory("tea", id="a")
    assert (first(own), last(own)) == ("t", "a")


def test_a_memory_that_was_asked_is_the_same_as_before() -> None:
    own, other = memory("tea", id="a"), memory("tea", id="a")
    once(lambda memory: memory.text)(own)
    assert own == other
    assert hash(own) == hash(other)
    assert fields_of(own) == fields_of(other)
