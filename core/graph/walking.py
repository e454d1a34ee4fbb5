"""Shares and distances over a graph given as pairs of names. Pure."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

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


def bounded[N: Hashable](pairs: Iterable[tuple[N, N]], most: int) -> list[tuple[N, N]]:
    """Each pair once, in order; up to the first that would make more than `most` nodes."""
    kept: dict[tuple[N, N], None] = {}
    met: set[N] = set()
    for pair in pairs:
        met.update(pair)
        if len(met) > most:
            break
        kept[pair] = None
    return list(kept)


def shares[N: Hashable](pairs: Collection[tuple[N, N]], seeds: Collection[N]) -> dict[N, float]:
    """Personalised PageRank of every node, either way along each pair, from seeds that count alike.

    Shares sum to 1. Empty if no seed is in any pair.
    """
    numbers = {node: at for at, node in enumerate(dict.fromkeys(n for pair in pairs for n in pair))}
    home = {numbers[seed]: 1.0 for seed in seeds if seed in numbers}
    if not home:
        return {}
    one_way = np.array([(numbers[a], numbers[b]) for a, b in pairs], np.int64)
    both_ways = np.concatenate([one_way, one_way[:, ::-1]])
    mass = personalised_pagerank(both_ways, home, nodes=len(numbers))
    return dict(zip(numbers, mass.tolist(), strict=True))


def distances[N: Hashable](
    pairs: Iterable[tuple[N, N]], seeds: Iterable[N], farthest: int, cost: Callable[[N], int]
) -> dict[N, int]:
    """How far each node is from the nearest seed, as far as `farthest`; seeds are at 0.

    To enter a node costs 0 or 1.
    """
    beside: defaultdict[N, list[N]] = defaultdict(list)
    for one, other in pairs:
        beside[one].append(other)
        beside[other].append(one)
    found: dict[N, int] = {}
    waiting = deque((seed, 0) for seed in seeds)
    while waiting:
        node, distance = waiting.popleft()
        if node in found:
            continue
        found[node] = distance
        for other in beside[node]:
            # Free steps first, so that each node is met at its least distance.
            step = cost(other)
            if other not in found and distance + step <= farthest:
                (waiting.append if step else waiting.appendleft)((other, distance + step))
    return found
