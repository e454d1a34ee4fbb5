"""What memories mention and came from, and which names belong together."""

import uuid
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.graph.communities import (
    LINEAGE,
    Mentions,
    mentions,
    named_as_before,
    provenance,
)
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Succession
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from astrbot_plugin_tidemark.tests.storage.memories import complete, memory
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.sampled_from([f"n{number}" for number in range(12)])
FAMILY, WORK = {"mum", "dad", "sis"}, {"office", "boss", "desk"}


def communities(*told: set[str]) -> set[frozenset[str]]:
    mentions = Mentions()
    for names in told:
        mentions.add(names)
    return set(mentions.communities())


def test_what_is_mentioned_together_is_a_community_and_keeps_its_id() -> None:
    found = communities(FAMILY, FAMILY, WORK, WORK, {"dad", "office"})
    assert found == {frozenset(FAMILY), frozenset(WORK)}
    told = [{*names, "town"} for names in (FAMILY, WORK)] * 15
    assert communities(*told) == {frozenset(FAMILY), frozenset(WORK)}
    assert communities({"a", "b"}, {"c"}, set()) == set()
    known = {"f": frozenset(FAMILY), "w": frozenset(WORK)}
    grown = frozenset({*FAMILY, "aunt"})
    moved = frozenset({"boss", "desk", "lift", "dad"})
    named = named_as_before([moved, grown, frozenset({"x", "y", "z"})], known)
    assert named == {"f": grown, "w": moved, "x": frozenset({"x", "y", "z"})}


@given(st.lists(st.sets(NAMES, max_size=5), max_size=30))
def test_communities_are_disjoint_and_the_same_in_any_order(told: list[set[str]]) -> None:
    found = communities(*told)
    assert sum(map(len, found)) == len(frozenset().union(*found))
    assert communities(*reversed(told)) == found


@given(
    st.lists(st.frozensets(NAMES, min_size=3), max_size=4),
    st.dictionaries(NAMES, st.frozensets(NAMES, min_size=3), max_size=4),
)
def test_every_community_gets_an_id_of_its_own(
    found: list[frozenset[str]], known: dict[str, frozenset[str]]
) -> None:
    apart: list[frozenset[str]] = []
    for own in found:
        if all(own.isdisjoint(other) for other in apart):
            apart.append(own)
    assert sorted(named_as_before(apart, known).values(), key=sorted) == sorted(apart, key=sorted)


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
