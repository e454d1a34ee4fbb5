"""Shares and distances over pairs of names."""

import pytest
from astrbot_plugin_tidemark.core.graph.walking import bounded, distances, shares
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)
pairs = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=20)


@quick
@given(pairs, st.integers(0, 9))
def test_a_bounded_graph_begins_like_a_whole(given_pairs: list[tuple[str, str]], most: int) -> None:
    kept = bounded(given_pairs, most)
    assert len({node for pair in kept for node in pair}) <= most
    assert kept == list(dict.fromkeys(given_pairs))[: len(kept)]


@quick
@given(pairs, st.sampled_from("abcdefgh"))
def test_only_the_connected_have_a_share(given_pairs: list[tuple[str, str]], seed: str) -> None:
    found = shares(given_pairs, [seed])
    far = distances(given_pairs, [seed], 99, lambda node: 1)
    if found:
        assert sum(found.values()) == pytest.approx(1.0)
        assert {node for node, share in found.items() if share > 0} <= far.keys()


def test_the_nearer_has_the_larger_share() -> None:
    found = shares([("seed", "near"), ("near", "far")], ["seed"])
    assert found["seed"] > found["near"] > found["far"] > 0


def test_a_seed_that_nothing_is_connected_with_finds_nothing() -> None:
    assert shares([("a", "b")], ["c"]) == {}


def test_names_may_be_anything() -> None:
    assert shares([("🦊", ".*[")], ["🦊"]).keys() == {"🦊", ".*["}


def test_a_step_costs_what_the_node_entered_costs() -> None:
    chain = [("e1", "m1"), ("m1", "e2"), ("e2", "m2"), ("m2", "e3"), ("e3", "m3")]
    found = distances(chain, ["e1"], 1, lambda node: int(node[0] == "e"))
    assert found == {"e1": 0, "m1": 0, "e2": 1, "m2": 1}


def test_each_node_is_at_its_least_distance_in_a_graph_with_cycles() -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "a")]
    assert distances(ring, ["a"], 9, lambda node: 1) == {"a": 0, "b": 1, "d": 1, "c": 2}
