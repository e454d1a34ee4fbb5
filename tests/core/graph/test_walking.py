"""Shares and distances in a graph, held against networkx."""

import networkx
import numpy as np
import pytest
from astrbot_plugin_tidemark.core.graph.walking import (
    bounded,
    distances,
    personalised_pagerank,
    shares,
)
from hypothesis import given
from hypothesis import strategies as st

pairs = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=20)


@given(pairs, st.integers(0, 9))
def test_a_bounded_graph_begins_like_a_whole(given_pairs: list[tuple[str, str]], most: int) -> None:
    kept = bounded(given_pairs, most)
    assert len({node for pair in kept for node in pair}) <= most
    assert kept == list(dict.fromkeys(given_pairs))[: len(kept)]


@given(pairs, st.sampled_from("abcdefgh"))
def test_only_the_connected_have_a_share(given_pairs: list[tuple[str, str]], seed: str) -> None:
    found = shares(given_pairs, [seed])
    far = distances(given_pairs, [seed], 99, lambda node: 1)
    if found:
        assert sum(found.values()) == pytest.approx(1.0)
        assert {node for node, share in found.items() if share > 0} <= far.keys()


def test_only_near_a_seed_is_there_a_share() -> None:
    found = shares([("seed", "near"), ("near", "far")], ["seed"])
    assert found["seed"] > found["near"] > found["far"] > 0
    assert shares([("a", "b")], ["c"]) == {}
    assert shares([("🦊", ".*[")], ["🦊"]).keys() == {"🦊", ".*["}
    chain = [("e1", "m1"), ("m1", "e2"), ("e2", "m2"), ("m2", "e3"), ("e3", "m3")]
    found = distances(chain, ["e1"], 1, lambda node: int(node[0] == "e"))
    assert found == {"e1": 0, "m1": 0, "e2": 1, "m2": 1}
    ring = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "a")]
    assert distances(ring, ["a"], 9, lambda node: 1) == {"a": 0, "b": 1, "d": 1, "c": 2}
    assert not personalised_pagerank(array([(0, 1)]), {}, nodes=2).any()
    assert not personalised_pagerank(array([(0, 1)]), {0: 0.0}, nodes=2).any()
    found = personalised_pagerank(array(SHAPES["apart"]), {0: 1.0}, nodes=NODES)
    assert not found[2:].any()


NODES = 12
node = st.integers(0, NODES - 1)
edge_lists = st.lists(st.tuples(node, node), max_size=40)
seeds = st.dictionaries(node, st.floats(0.1, 10.0), min_size=1, max_size=4)

SHAPES = {
    "nothing": [],
    "a self-edge": [(0, 0)],
    "a cycle": [(0, 1), (1, 2), (2, 0)],
    "a dangling end": [(0, 1), (1, 2)],
    "parallel edges": [(0, 1), (0, 1), (0, 2)],
    "apart": [(0, 1), (1, 0), (2, 3), (3, 2)],
    "a giant hub": [pair for leaf in range(1, NODES) for pair in ((0, leaf), (leaf, 0))],
}


def array(edges: list[tuple[int, int]]) -> np.ndarray:
    return np.array(edges, np.int64).reshape(-1, 2)


def reference(
    edges: list[tuple[int, int]], home: dict[int, float], damping: float, heavy: list[float]
) -> np.ndarray:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(NODES))
    for (one, other), weight in zip(edges, heavy, strict=True):
        known = graph.get_edge_data(one, other, {"weight": 0.0})["weight"]
        graph.add_edge(one, other, weight=known + weight)
    # Its own power iteration needs scipy; the matrix it iterates over does not.
    matrix = np.asarray(networkx.google_matrix(graph, damping, home))
    still = np.vstack([matrix.T - np.eye(NODES), np.ones(NODES)])
    return np.linalg.lstsq(still, np.append(np.zeros(NODES), 1.0))[0]


@given(edge_lists, seeds, st.sampled_from((0.2, 0.5, 0.85)))
def test_it_agrees_with_networkx(
    edges: list[tuple[int, int]], home: dict[int, float], damping: float
) -> None:
    found = personalised_pagerank(array(edges), home, nodes=NODES, damping=damping, tolerance=1e-9)
    wanted = reference(edges, home, damping, [1.0] * len(edges))
    assert np.abs(found - wanted).max() < 1e-6


@given(st.lists(st.tuples(node, node, st.floats(0.1, 5.0)), min_size=1, max_size=30), seeds)
def test_it_agrees_with_networkx_on_edges_with_weights(
    edges: list[tuple[int, int, float]], home: dict[int, float]
) -> None:
    pairs = [(one, other) for one, other, _ in edges]
    heavy = [weight for _, _, weight in edges]
    found = personalised_pagerank(
        array(pairs), home, nodes=NODES, weights=np.array(heavy), tolerance=1e-9
    )
    assert np.abs(found - reference(pairs, home, 0.5, heavy)).max() < 1e-6


@pytest.mark.parametrize("edges", SHAPES.values(), ids=SHAPES.keys())
def test_odd_shapes_agree_with_networkx(edges: list[tuple[int, int]]) -> None:
    found = personalised_pagerank(array(edges), {0: 1.0}, nodes=NODES, tolerance=1e-9)
    wanted = reference(edges, {0: 1.0}, 0.5, [1.0] * len(edges))
    assert np.abs(found - wanted).max() < 1e-6


@given(edge_lists, seeds)
def test_shares_are_shares(edges: list[tuple[int, int]], home: dict[int, float]) -> None:
    found = personalised_pagerank(array(edges), home, nodes=NODES)
    assert found.min() >= 0.0
    assert found.sum() == pytest.approx(1.0)
