"""The prospective leg: intentions, by meaning alone. Algorithms, section 8."""

from ...model.memory import Kind
from ...similarity.thresholds import PROSPECTIVE_FLOOR
from ..trace import Leg
from .leg import Found, LegInputs
from .nearest import nearest

MOST = 20
"""Intentions of one recall; two are shown at most."""


async def prospective_leg(inputs: LegInputs) -> Found:
    """By cosine to the question's vector, those from the floor up."""
    kinds = frozenset({Kind.PROSPECTIVE})
    hits = await nearest(inputs, Leg.PROSPECTIVE, limit=MOST, kinds=kinds)
    return [(id, hit) for id, hit in hits if hit.relevance >= PROSPECTIVE_FLOOR]
