"""The walk from memories to what they came from, the same for every store. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..core.model.knowledge import Relation
from ..core.ports import Ancestor

type Provenance = Mapping[str, Sequence[Relation]]
"""By the id of each memory that exists: the relations that say what it came from."""


def walk(
    ids: Sequence[str], depth: int, read: Callable[[Sequence[str]], Provenance]
) -> list[Ancestor]:
    """Breadth first from `ids`; `read` is asked once per step, for ids not asked for before."""
    level = list(dict.fromkeys(ids))
    met = set(level)
    provenance = read(level)
    found: list[Ancestor] = []
    for distance in range(1, depth + 1):
        parents = {each.memory: each for each in _parents(level, provenance, distance, met)}
        if not parents:
            break
        met |= parents.keys()
        provenance = read(list(parents))
        level = [id for id in parents if id in provenance]
        found += [parents[id] for id in level]
    return found


def _parents(
    level: Sequence[str], provenance: Provenance, distance: int, met: set[str]
) -> Iterator[Ancestor]:
    named: set[str] = set()
    for id in level:
        for relation in provenance.get(id, ()):
            if relation.object not in met and relation.object not in named:
                named.add(relation.object)
                yield Ancestor(relation.object, id, relation.predicate, distance)
