"""Personalised PageRank by power iteration over arrays. Pure. Algorithms, section 7.4."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.5
"""Chance to follow an edge rather than begin anew at a seed: what is far hardly counts.

Gutiérrez et al., "HippoRAG" (NeurIPS 2024), for the same use; a lower one also converges sooner.
"""

TOLERANCE = 1e-6
MOST_ROUNDS = 200

type Edges = NDArray[np.int64]
"""One row (from, to) an edge."""

type Mass = NDArray[np.float64]
"""A share for every node."""


def personalised_pagerank(
    edges: Edges,
    seeds: Mapping[int, float],
    *,
    nodes: int,
    weights: Mass | None = None,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
) -> Mass:
    """The share of time that a walk from the seeds spends at each node; shares sum to 1.

    Nodes are numbers from 0 up to `nodes`. Edges have a direction; parallel ones add up, one from
    a node to itself is walked like any other. At a node without a way out the walk begins anew.
    `seeds` need weights of 0 and more; without any, nothing has a share. `weights` of edges are
    positive, 1 each if not given. Ends when a round moves less than `tolerance` in all.
    """
    home = np.zeros(nodes)
    for node, weight in seeds.items():
        home[node] = weight
    if home.sum() <= 0.0:
        return home
    home /= home.sum()
    walk = _Walk(edges, weights, nodes)
    mass = home
    for _ in range(MOST_ROUNDS):
        stepped = walk.step(mass)
        # What is lost where no way leads out begins anew, with what does so anyway.
        following = damping * stepped + (1.0 - damping * stepped.sum()) * home
        moved = float(np.abs(following - mass).sum())
        mass = following
        if moved < tolerance:
            break
    return mass


class _Walk:
    """The edges, each with its share of its node's ways out."""

    def __init__(self, edges: Edges, weights: Mass | None, nodes: int) -> None:
        # Columns of their own: numpy is twice as fast on them.
        self._origins, self._targets = edges.T.copy()
        heavy = np.ones(len(edges)) if weights is None else weights
        leaving = np.bincount(self._origins, heavy, minlength=nodes)
        self._shares = heavy / leaving[self._origins]
        self._nodes = nodes

    def step(self, mass: Mass) -> Mass:
        """Where the mass is after one edge."""
        carried = mass[self._origins] * self._shares
        return np.bincount(self._targets, carried, minlength=self._nodes)
