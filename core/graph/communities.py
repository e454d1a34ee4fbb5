"""Names of a scope that belong together: Louvain over what its memories mention. Pure.

Blondel et al., "Fast unfolding of communities in large networks" (2008), as networkx computes it.
The package is imported when communities are computed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

LEAST_MEMBERS = 3
MOST_NAMES = 2_000
"""Names of a scope that are put together, those with the most memories."""

MOST_OF_ONE = 12
"""Names of one memory that count: of n there are n * (n - 1) / 2 pairs."""

COMMON = 0.5
"""Share of the memories beyond which a name is in all communities, and so in none."""

FEW = 20
"""Memories up to which no name is too common."""

SEED = 1


@dataclass(slots=True)
class Mentions:
    """Takes what each memory of a scope mentions."""

    _memories: int = 0
    _names: Counter[str] = field(default_factory=Counter[str])
    _pairs: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def add(self, names: Iterable[str]) -> None:
        """The ids of the entities of one memory."""
        own = sorted(set(names))[:MOST_OF_ONE]
        self._memories += 1
        self._names.update(own)
        self._pairs.update(combinations(own, 2))

    def communities(self) -> list[frozenset[str]]:
        """Those of `LEAST_MEMBERS` names or more; the same mentions give the same ones."""
        import networkx as nx

        few = self._memories <= FEW
        most = self._names.most_common(MOST_NAMES)
        kept = {name for name, n in most if few or n <= COMMON * self._memories}
        told = sorted(pair for pair in self._pairs if kept.issuperset(pair))
        if not told:
            return []
        graph = nx.Graph()
        graph.add_weighted_edges_from((*pair, self._pairs[pair]) for pair in told)
        found = nx.community.louvain_communities(graph, weight="weight", seed=SEED)
        return [frozenset(names) for names in found if len(names) >= LEAST_MEMBERS]


def named_as_before(
    found: Sequence[frozenset[str]], known: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    """Those `found`, under the ids of the `known` ones with which they share most of all members.

    The greatest share first; a new one is called after its first member, in order, that names none.
    """
    shares = sorted(
        (
            (-len(own & members) / len(own | members), id, place)
            for place, own in enumerate(found)
            for id, members in known.items()
            if own & members
        )
    )
    ids: dict[int, str] = {}
    for _, id, place in shares:
        if place not in ids and id not in ids.values():
            ids[place] = id
    taken = {*known}
    for place, own in enumerate(found):
        if place not in ids:
            ids[place] = next((name for name in sorted(own) if name not in taken), min(own))
            taken.add(ids[place])
    return {ids[place]: own for place, own in enumerate(found)}
