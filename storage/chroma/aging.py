"""A pass of time over whole scopes. Blocks; runs on the writer's thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...core.forgetting.lifecycle import BinPolicy, to_bin
from ...core.forgetting.tmd import Tmd
from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Memory
from ...core.ports import DecayCount, Filter
from . import mapping, reading
from .client import batches
from .decay_deltas import Fade, Pass
from .mapping import Metadata
from .namespace import Namespace
from .reading import PAGE, Region


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Natural decay up to `now`, then what is spent goes to the bin."""

    now: float
    policy: Tmd
    bin_policy: BinPolicy

    def aged(self, memory: Memory) -> Memory:
        """The memory after it; the same object if it is not touched."""
        vitality = self.policy.fade(memory, now=self.now)
        faded = memory if vitality is memory.vitality else replace(memory, vitality=vitality)
        if self.policy.forgets(faded):
            return to_bin(faded, now=self.now, reason="decayed", policy=self.bin_policy)
        return faded


@dataclass(slots=True)
class Aged:
    """What a pass did; `spent` are outlines of what went to the bin, by scope, as they were."""

    weakened: int = 0
    spent: dict[str, list[Memory]] = field(default_factory=dict[str, list[Memory]])

    @property
    def count(self) -> DecayCount:
        """The same in numbers."""
        return DecayCount(self.weakened, sum(map(len, self.spent.values())))


def age(namespace: Namespace, scopes: Sequence[str], time: Clockwork) -> Aged:
    """Age the live memories of the scopes: the spent record by record, the faded in sheets."""
    aged = Aged()
    regions = reading.regions(namespace, Filter(scopes=frozenset(scopes)))
    namespace.fades.write([_age_region(namespace, region, time, aged) for region in regions])
    return aged


def _age_region(namespace: Namespace, region: Region, time: Clockwork, aged: Aged) -> Pass:
    fades: dict[str, Fade] = {}
    binned: dict[str, Metadata] = {}
    spent = aged.spent.setdefault(region.place.scope, [])
    for before, stamp in _outlines(namespace, region):
        after = time.aged(before)
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
    return Pass(region.place.tag, fades, frozenset(region.ids))


def _outlines(namespace: Namespace, region: Region) -> Iterator[tuple[Memory, int]]:
    for page in batches(region.ids, PAGE):
        for id, metadata in region.shelf.get(page).items():
            try:
                yield mapping.stamped_outline(id, region.place, metadata)
            except UnreadableRecord:
                namespace.doubt(region.place.scope, id)
