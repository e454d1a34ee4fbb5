"""Shares and distances over a graph given as pairs of names. Pure."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable

import numpy as np

from .pagerank import personalised_pagerank


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
