"""How alike memories of one scope are: by vectors where these can be read, else by words."""

from collections.abc import Sequence

import numpy as np

from ..conflict.clauses import content
from ..languages.detection import language_of
from ..model.errors import EmbeddingUnavailable
from ..model.memory import Memory
from ..ports import Embedder, VectorSearch
from ..similarity.calibration import Frames
from ..similarity.measure import Matrix, words_alike


async def compared(
    memories: Sequence[Memory],
    store: VectorSearch,
    embedder: Embedder | None,
    frames: Frames | None,
) -> Matrix:
    """Similarity of each of these memories of one scope to each, 0..1. Raises StorageError."""
    alike = words_alike([content(memory.text) for memory in memories])
    if embedder is None or frames is None or len(memories) < 2:
        return alike
    try:
        identity = await embedder.identity()
    except EmbeddingUnavailable:
        return alike
    language = language_of(" ".join(memory.text for memory in memories))
    scopes = frozenset(memory.scope for memory in memories)
    likeness = await frames.likeness(identity, scopes, language)
    if likeness is None:
        return alike
    found = await store.vectors([memory.id for memory in memories])
    own = [found.get(memory.id) for memory in memories]
    vectors = {
        place: each.vector
        for place, each in enumerate(own)
        if each is not None and each.fingerprint == identity.fingerprint
    }
    if len(vectors) > 1:
        places = list(vectors)
        alike[np.ix_(places, places)] = likeness.similarities(np.stack(list(vectors.values())))
    return alike
