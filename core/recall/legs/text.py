"""The text leg: BM25 over the question's words."""

from ..trace import Leg
from .search import POOL, Ground, Search, ranked

PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""


async def text_leg(ground: Ground) -> Search:
    """By the words that are neither markers nor times."""
    words, scopes = ground.understood.words, ground.understood.question.scopes
    scored = await ground.sources.store.search_text(words, scopes, limit=POOL)
    return Search(ranked(Leg.TEXT, scored, lambda score: min(1.0, score / PLAIN_MATCH)))
