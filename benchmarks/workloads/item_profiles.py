"""Profiles: what a memory is really for, and what of that shows when it is captured. Pure.

A judgement about ordinary chats, not a measurement; the comparison states it as such.
"""

from dataclasses import dataclass
from enum import IntEnum

from ...core.model.memory import Facet, Kind


class Rhythm(IntEnum):
    """When a memory is needed again."""

    DAILY = 0
    WEEKLY = 1
    SEASONAL = 2
    YEARLY = 3
    ONE_OFF = 4
    NEVER = 5


PERIOD = {
    Rhythm.DAILY: 2.0,
    Rhythm.WEEKLY: 7.0,
    Rhythm.SEASONAL: 90.0,
    Rhythm.YEARLY: 365.0,
    Rhythm.ONE_OFF: 20.0,
}
"""Mean days between two needs; of a single need, its mean distance from the creation."""


@dataclass(frozen=True, slots=True)
class ItemProfile:
    """A sort of memory: its latent usefulness, and what a capture makes of it.

    `share` is that of new memories; `lasts` the days after which it is needed no more. The
    importance that is captured is spread around `importance`; so many of `marked` are marked
    important by their user.
    """

    name: str
    share: float
    rhythm: Rhythm
    kind: Kind
    facet: Facet
    importance: float
    lasts: float = 1e9
    identity: bool = False
    marked: float = 0.0


ITEM_PROFILES: tuple[ItemProfile, ...] = (
    ItemProfile("chatter", 0.52, Rhythm.NEVER, Kind.EVIDENCE, Facet.EPISODIC, 0.0),
    ItemProfile("idle remark", 0.10, Rhythm.NEVER, Kind.SEMANTIC, Facet.PREFERENCE, 0.40),
    ItemProfile("quoted once", 0.06, Rhythm.ONE_OFF, Kind.EVIDENCE, Facet.EPISODIC, 0.0),
    ItemProfile("errand", 0.08, Rhythm.ONE_OFF, Kind.EPISODIC, Facet.EPISODIC, 0.45),
    ItemProfile("project", 0.08, Rhythm.WEEKLY, Kind.PROCEDURAL, Facet.WORKFLOW, 0.55, lasts=90),
    ItemProfile(
        "everyday habit", 0.02, Rhythm.DAILY, Kind.SEMANTIC, Facet.PREFERENCE, 0.60, lasts=200
    ),
    ItemProfile(
        "preference", 0.05, Rhythm.WEEKLY, Kind.SEMANTIC, Facet.PREFERENCE, 0.60, lasts=365
    ),
    ItemProfile("seasonal custom", 0.05, Rhythm.SEASONAL, Kind.SEMANTIC, Facet.PREFERENCE, 0.55),
    ItemProfile(
        "anniversary", 0.02, Rhythm.YEARLY, Kind.EPISODIC, Facet.EPISODIC, 0.55, marked=0.15
    ),
    ItemProfile(
        "identity, often",
        0.008,
        Rhythm.WEEKLY,
        Kind.SEMANTIC,
        Facet.PREFERENCE,
        0.86,
        identity=True,
        marked=0.3,
    ),
    ItemProfile(
        "identity, yearly",
        0.012,
        Rhythm.YEARLY,
        Kind.SEMANTIC,
        Facet.PREFERENCE,
        0.86,
        identity=True,
        marked=0.3,
    ),
)
