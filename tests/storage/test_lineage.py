"""The walk to ancestors asks for each memory once, and stops when nothing is left."""

import json
from collections.abc import Mapping, Sequence

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.storage.codec import decode, encode, encode_body
from astrbot_plugin_tidemark.storage.ranking import Provenance, walk
from hypothesis import example, given
from hypothesis import strategies as st

from .memories import memory, populations

graphs = st.dictionaries(
    st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefgh"), max_size=4)
)


class Records:
    """Memories with what they came from, and what was asked of them."""

    def __init__(self, graph: Mapping[str, Sequence[str]]) -> None:
        self._graph = graph
        self.asked: list[list[str]] = []

    def read(self, ids: Sequence[str]) -> Provenance:
        self.asked.append(list(ids))
        return {
            id: [Relation(id, "caused_by", other) for other in self._graph[id]]
            for id in ids
            if id in self._graph
        }


@given(graphs, st.lists(st.sampled_from("abcdefgh"), max_size=3), st.integers(0, 8))
def test_nothing_is_asked_for_twice_and_distances_are_shortest(
    graph: Mapping[str, Sequence[str]], ids: Sequence[str], depth: int
) -> None:
    records = Records(graph)
    found = walk(ids, depth, records.read)
    asked = [id for level in records.asked for id in level]
    assert len(set(asked)) == len(asked)
    assert len(records.asked) <= depth + 1
    assert {each.memory: each.distance for each in found} == _distances(graph, ids, depth)
    assert [each.distance for each in found] == sorted(each.distance for each in found)
    assert all(each.memory in graph[each.of] for each in found)


def _distances(
    graph: Mapping[str, Sequence[str]], ids: Sequence[str], depth: int
) -> dict[str, int]:
    reached = dict.fromkeys(ids, 0)
    for distance in range(1, depth + 1):
        ends = [id for id, far in reached.items() if far == distance - 1]
        for other in (other for id in ends for other in graph.get(id, ())):
            if other in graph:
                reached.setdefault(other, distance)
    return {id: distance for id, distance in reached.items() if distance}


any_text = st.text(st.characters(exclude_categories=()), max_size=30)


@example([], "half of a pair: \ud83d")
@given(populations, any_text)
def test_any_memory_comes_back(population: list[Memory], text: str) -> None:
    for one in [*population, memory("odd", text, cues=(text,))]:
        assert decode(encode(one)) == one


@given(any_text)
def test_the_document_is_always_valid_utf8(text: str) -> None:
    assert json.loads(encode(memory("a", text)).decode("utf-8"))["text"] == text


def test_defaults_are_left_out() -> None:
    assert set(json.loads(encode_body(memory("a", "tea")))) == {
        "text",
        "summary",
        "happened_at",
        "vitality",
        "access",
        "source",
        "extractor",
    }


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b"5", b"{}", b'{"id": "a"}', b"\xff\xfe"])
def test_anything_else_is_refused(document: bytes) -> None:
    with pytest.raises(StorageError, match="stored memory"):
        decode(document)
