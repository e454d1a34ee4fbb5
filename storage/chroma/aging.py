"""A pass of time over whole scopes. Blocks; runs on the writer's thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Memory
from ...core.ports import Change, DecayCount, Filter
from . import mapping, reading
from .client import batches
from .decay_deltas import DecayPass, Fade
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
    """Apply a plan to the live memories of scopes: the spent by record, the faded in sheets."""
    aged = Aged()
    regions = reading.regions(namespace, Filter(scopes=frozenset(scopes)))
    namespace.fades.write([_age_region(namespace, region, applied, aged) for region in regions])
    return aged


def _age_region(namespace: Namespace, region: Region, applied: Change, aged: Aged) -> DecayPass:
    fades: dict[str, Fade] = {}
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
            fades[after.id] = Fade(stamp, after.vitality.strength, after.vitality.last_decay_at)
    region.shelf.update(binned)
    return DecayPass(region.place.tag, fades, frozenset(region.ids))


def _outlines(namespace: Namespace, region: Region) -> Iterator[tuple[Memory, int]]:
    for page in batches(region.ids, PAGE):
        for id, metadata in region.shelf.get(page).items():
            try:
                yield mapping.stamped_outline(id, region.place, metadata)
            except UnreadableRecord:
                namespace.doubt(region.place.scope, id)
