"""What a question asks for decides which legs count, and how much. Pure."""

from collections.abc import Mapping

from .fusion import Found, fuse
from .intent import leg_weights
from .question import Understood
from .trace import Fused, Leg


def goes_by_time(understood: Understood, found: Mapping[Leg, Found]) -> bool:
    """Whether a time is all that is asked for, and something is known of it."""
    return understood.time_alone and bool(found.get(Leg.TIME))


def pooled(understood: Understood, found: Mapping[Leg, Found]) -> list[Fused]:
    """The candidates of all legs, best first.

    Where a question goes by time, what it says besides says nothing: the time leg alone counts.
    """
    if goes_by_time(understood, found):
        return fuse({Leg.TIME: found[Leg.TIME]}, {Leg.TIME: 1.0})
    return fuse(found, leg_weights(understood.intents))
