"""The semantic leg, and the vector that every leg by meaning searches with."""

import asyncio

import numpy as np

from ...calibration import plain
from ...ports import Embedder, Vector
from ...text.language import language_of
from ..question import Meaning, Question, Sources
from ..trace import Leg
from .search import POOL, Ground, Search, ranked

FADING = 0.5
"""How much each earlier turn counts against the one after it in what is searched for."""


async def semantic_leg(ground: Ground) -> Search:
    """By cosine to the question's vector."""
    meaning = await ground.meaning()
    scored = await ground.sources.store.search_vector(
        meaning.vector, meaning.fingerprint, ground.understood.question.scopes, limit=POOL
    )
    found = ranked(Leg.SEMANTIC, scored, meaning.relevance)
    return Search(found, calibrated=meaning.frame.mean is not None)


async def meaning_of(question: Question, sources: Sources, embedder: Embedder) -> Meaning:
    """The question in the embedder's space, as its frame reads it. Raises EmbeddingUnavailable."""
    query = await _meant(question, embedder)
    identity = await embedder.identity()
    language = language_of(question.text)
    frame = plain(identity, language)
    if sources.frames is not None:
        frame = await sources.frames.frame(identity, question.scopes, language)
    return Meaning(frame.directed(query), identity.fingerprint, frame)


async def _meant(question: Question, embedder: Embedder) -> Vector:
    """The turn's vector with the fading ones of the turns before it.

    Those are in the cache since they were asked themselves.
    """
    texts = (question.text, *reversed(question.earlier))
    vectors = await asyncio.gather(*(embedder.embed_query(text) for text in texts))
    weighted = sum(FADING**age * vector for age, vector in enumerate(vectors))
    length = float(np.linalg.norm(weighted))
    return np.asarray(weighted / length, np.float32) if length > 0.0 else vectors[0]
