"""What a memory mentions and where it came from, told from the record alone."""

import uuid
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.graph.communities import LINEAGE, mentions, provenance
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Succession
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from astrbot_plugin_tidemark.tests.storage.memories import complete, memory
from hypothesis import given
from hypothesis import strategies as st

names = st.text(max_size=12)
relations = st.builds(Relation, names, st.sampled_from(["likes", *sorted(LINEAGE)]), names)


def test_entities_people_and_ends_of_relations_are_mentioned_once_by_name_in_order() -> None:
    assert mentions(complete("a")) == ("tea", "42", "ben")
    told = memory(
        "a",
        entities=(Entity("e-1", "Berlin"), Entity("Rome", "")),
        relations=(Relation("anna", "lives in", "e-1"),),
    )
    assert mentions(told) == ("berlin", "rome", "anna")
    told = memory("a", about=("Ann Lee", "ＡＮＮ  ＬＥＥ"), speaker=Speaker("1", "ann lee"))
    assert mentions(told) == ("ann lee",)
    assert mentions(memory("a", speaker=Speaker("42", ""), about=("", "  "))) == ()
    other = str(uuid.uuid4())
    told = memory(
        "a",
        relations=(
            Relation("a", "corrects", "b"),
            Relation("rain", "told in", "a"),
            Relation(other, "about", "storm"),
        ),
    )
    assert mentions(told) == ("rain", "storm")


@pytest.mark.parametrize("predicate", sorted(LINEAGE))
def test_a_memory_came_from_what_it_says(predicate: str) -> None:
    link = Relation("a", predicate, "b")
    assert provenance("a", (link, Relation("a", "likes", "b"))) == (link,)
    assert provenance("b", (link,)) == ()


def test_a_merge_is_no_origin() -> None:
    assert provenance("a", (Relation("a", Succession.MERGES, "b"),)) == ()


@given(st.lists(names, max_size=4), st.lists(relations, max_size=4), names)
def test_every_mention_is_told_once(about: list[str], stated: list[Relation], speaker: str) -> None:
    plain = memory("own id", about=tuple(about), speaker=Speaker("1", speaker))
    found = mentions(replace(plain, relations=tuple(stated)))
    assert len(set(found)) == len(found)
    assert all(name and entity_id(name) == name for name in found)
    assert {entity_id(name) for name in (*about, speaker)} - {""} <= set(found)
