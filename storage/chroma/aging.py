"""A pass of time over whole scopes. Blocks; runs on the writer's thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...core.forgetting.lifecycle import BinPolicy, to_bin
from ...core.forgetting.tmd import Tmd
from ...core.memory import Memory
from ...core.ports import DecayCount, Filter
from . import mapping, reading
from .client import batches
from .fades import Fade, Pass
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
        """The memory after it."""
        faded = replace(memory, vitality=self.policy.fade(memory, now=self.now))
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
    namespace.fades.write([_age_region(region, time, aged) for region in regions])
    return aged


def _age_region(region: Region, time: Clockwork, aged: Aged) -> Pass:
    fades: dict[str, Fade] = {}
    spent = aged.spent.setdefault(region.place.scope, [])
    for page in batches(region.ids, PAGE):
        binned: dict[str, Metadata] = {}
        for id, metadata in region.shelf.get(page).items():
            before = mapping.outline(id, region.place, metadata)
            after = time.aged(before)
            aged.weakened += after.vitality != before.vitality
            if after.standing != before.standing:
                binned[id] = mapping.life_of(after, region.place, mapping.new_stamp())
                spent.append(before)
            elif after.vitality != before.vitality:
                fades[id] = _fade(id, metadata, after)
        region.shelf.update(binned)
    return Pass(region.place.tag, fades, frozenset(region.ids))


def _fade(id: str, metadata: Metadata, after: Memory) -> Fade:
    stamp = mapping.stamp_of(id, metadata)
    return Fade(stamp, after.vitality.strength, after.vitality.last_decay_at)
