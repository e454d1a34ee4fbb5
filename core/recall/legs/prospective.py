"""The prospective leg: intentions, by meaning alone. Algorithms, section 8."""

from ...model.memory import Kind
from ...similarity.thresholds import PROSPECTIVE_FLOOR
from ..trace import Leg
from .leg import Ground, Search, ranked

MOST = 20
"""Intentions of one recall; two are shown at most."""


async def prospective_leg(ground: Ground) -> Search:
    """By cosine to the question's vector, those from the floor up."""
    meaning = await ground.meaning()
    scored = await ground.sources.store.search_vector(
        meaning.vector,
        meaning.fingerprint,
        ground.understood.question.scopes,
        limit=MOST,
        kinds=frozenset({Kind.PROSPECTIVE}),
    )
    hits = ranked(Leg.PROSPECTIVE, scored, meaning.relevance)
    found = [(id, hit) for id, hit in hits if hit.relevance >= PROSPECTIVE_FLOOR]
    return Search(found, calibrated=meaning.frame.mean is not None)
