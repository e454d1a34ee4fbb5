"""Names that belong together, under the same ids from night to night."""

from astrbot_plugin_tidemark.core.graph.communities import Mentions, named_as_before
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
