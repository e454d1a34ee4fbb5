"""The semantic leg, and the vector that every leg by meaning searches with."""

import asyncio
from collections.abc import Sequence

import numpy as np

from ...languages.detection import language_of
from ...languages.entity_matching import named_among, without_names
from ...languages.scripts import in_one_script
from ...model.errors import StorageError
from ...model.memory import Kind
from ...ports import Embedder, Vector
from ...similarity.calibration import plain
from ..question import Meaning, Question, Sources
from ..trace import Leg
from .leg import POOL, Found, LegInputs, planned
from .nearest import nearest

FADING = 0.7
"""How much each earlier turn counts against the one after it in what is searched for."""


async def semantic_leg(inputs: LegInputs) -> Found:
    """By cosine to the question's vector."""

    async def search(kinds: frozenset[Kind] | None) -> Found:
        return await nearest(inputs, Leg.SEMANTIC, limit=POOL, kinds=kinds)

    return await planned(inputs, search)


async def meaning_of(question: Question, sources: Sources, embedder: Embedder) -> Meaning:
    """The question in the embedder's space, as its frame reads it. Raises EmbeddingUnavailable."""
    query, alone = await _meant(await _nameless(question, sources), embedder)
    identity = await embedder.identity()
    language = language_of(question.text)
    frame = plain(identity, language)
    if sources.frames is not None:
        frame = await sources.frames.frame(identity, question.scopes, language)
    return Meaning(query, alone, identity.fingerprint, frame)


async def _nameless(question: Question, sources: Sources) -> list[str]:
    """The turn and those before it, newest first, without names of people who speak in scope."""
    texts = [question.text, *reversed(question.earlier)]
    names = named_among(texts, question.style.participants.called)
    if not names:
        return texts
    try:
        here = await sources.store.known_entities(names, question.scopes)
    except StorageError:
        # The entity leg tells; what is meant does not hang on the names.
        return texts
    return [without_names(text, [name for name in names if name in here]) for text in texts]


async def _meant(texts: Sequence[str], embedder: Embedder) -> tuple[Vector, Vector]:
    """The first text's vector with the fading ones of those after it, and by itself.

    Those are in the cache since they were asked themselves.
    """
    vectors = await asyncio.gather(*(embedder.embed_query(in_one_script(text)) for text in texts))
    weighted = sum(FADING**age * vector for age, vector in enumerate(vectors))
    length = float(np.linalg.norm(weighted))
    both = np.asarray(weighted / length, np.float32) if length > 0.0 else vectors[0]
    return both, vectors[0]
