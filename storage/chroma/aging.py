"""A pass of decay over whole scopes. Blocks; runs on the writer's thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Memory
from ...core.ports import Change, DecayCount, Filter
from . import mapping, reading
from .client import batches
from .decay_deltas import DecayDelta, DecayPass
from .mapping import Metadata
from .namespace import Namespace
from .reading import PAGE, Region


@dataclass(slots=True)
class Aged:
    """What a pass did; `spent` are outlines of what went to the bin, by scope, as they were."""

    weakened: int = 0
    spent: dict[str, list[Memory]] = field(default_factory=dict[str, list[Memory]])

    @property
    def count(self) -> DecayCount:
        """The same in numbers."""
        return DecayCount(self.weakened, sum(map(len, self.spent.values())))


def age(namespace: Namespace, scopes: Sequence[str], applied: Change) -> Aged:
    """Apply a plan to live memories: spent ones record by record, the others as deltas."""
    aged = Aged()
    regions = reading.regions(namespace, Filter(scopes=frozenset(scopes)))
    namespace.deltas.write([_age_region(namespace, region, applied, aged) for region in regions])
    return aged


def _age_region(namespace: Namespace, region: Region, applied: Change, aged: Aged) -> DecayPass:
    deltas: dict[str, DecayDelta] = {}
    binned: dict[str, Metadata] = {}
    spent = aged.spent.setdefault(region.place.scope, [])
    for before, stamp in _outlines(namespace, region):
        after = applied(before)
        if after is before:
            continue
        weakened = after.vitality != before.vitality
        aged.weakened += weakened
        if after.standing != before.standing:
            binned[after.id] = mapping.life_of(after, region.place, mapping.new_stamp())
            spent.append(before)
        elif weakened:
            deltas[after.id] = DecayDelta(
                stamp, after.vitality.strength, after.vitality.last_decay_at
            )
    region.collection.update(binned)
    return DecayPass(region.place.tag, deltas, frozenset(region.ids))


def _outlines(namespace: Namespace, region: Region) -> Iterator[tuple[Memory, int]]:
    for page in batches(region.ids, PAGE):
        for id, metadata in region.collection.get(page).items():
            try:
                yield mapping.stamped_outline(id, region.place, metadata)
            except UnreadableRecord:
                namespace.doubt(region.place.scope, id)
