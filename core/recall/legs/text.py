"""The text leg: BM25 over the question's words."""

from ...model.memory import Kind
from ..trace import Leg
from .leg import POOL, Found, Ground, Search, planned, ranked

PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""


async def text_leg(ground: Ground) -> Search:
    """By the words that are neither markers nor times."""
    words, scopes = ground.understood.words, ground.understood.question.scopes

    async def search(kinds: frozenset[Kind] | None) -> Found:
        scored = await ground.sources.store.search_text(words, scopes, limit=POOL, kinds=kinds)
        return ranked(Leg.TEXT, scored, lambda score: min(1.0, score / PLAIN_MATCH))

    return Search(await planned(ground, search))
