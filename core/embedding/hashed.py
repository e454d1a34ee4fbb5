"""An embedder that needs nothing: hashed n-grams. Finds shared words and parts of words.

Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (2009). It knows no
meaning: paraphrases without a common term are unrelated to it.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b

import numpy as np

from ..languages.terms import TERMS_VERSION, stop_words, terms
from ..ports import EmbedderIdentity, Vector
from ..text.quoting import normalise
from .cached import sound_text

DIMENSION = 512
SHORT_QUERY = 300
UNRELATED = 0.1
"""Over 95 % of unrelated Chinese and English chat sentences lie below; a test measures it."""

_LONGEST_TEXT = 8_000
_PART_WEIGHT = 0.5
_EMPTY = "\0empty"


class HashedEmbedder:
    """Embedder over terms and their characters or trigrams, `DIMENSION` wide.

    Deterministic across processes and machines; never unavailable.
    """

    async def identity(self) -> EmbedderIdentity:
        """The same for every instance; its version follows the index terms and the stop words."""
        model = f"ngrams-1.{TERMS_VERSION}-{_stop_words_digest()}"
        return EmbedderIdentity("hashed", model, DIMENSION, UNRELATED)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text; a text without any term gets one of its characters."""
        batch = tuple(texts)
        return await asyncio.to_thread(lambda: [vector(text) for text in batch])

    async def embed_query(self, text: str) -> Vector:
        """The same space as documents. A short text takes less time than a thread would."""
        return vector(text) if len(text) <= SHORT_QUERY else await asyncio.to_thread(vector, text)


def vector(text: str) -> Vector:
    """Signed feature hashing with weight * (1 + ln tf), float32, unit length."""
    sums = np.zeros(DIMENSION)
    for (feature, weight), times in Counter(_features(text)).items():
        index, sign = _place(feature)
        sums[index] += sign * weight * (1.0 + math.log(times))
    if not sums.any():
        index, sign = _place(_EMPTY)
        sums[index] = sign
    return (sums / np.linalg.norm(sums)).astype(np.float32)


@cache
def _stop_words_digest() -> str:
    return blake2b(" ".join(sorted(stop_words())).encode(), digest_size=4).hexdigest()


def _features(text: str) -> Iterator[tuple[str, float]]:
    sound = sound_text(text, _LONGEST_TEXT)
    every = terms(sound)
    empty = stop_words()
    content = [term for term in every if term not in empty] or every
    for term in content:
        yield term, 1.0
        for part in _parts(term):
            yield part, _PART_WEIGHT
    if not every:
        for character in normalise(sound):
            yield character, 1.0


def _parts(term: str) -> Iterator[str]:
    """Characters of an ideograph pair, trigrams of a longer word with its ends marked."""
    if len(term) <= 2:
        yield from (f"·{character}" for character in term)
        return
    marked = f"<{term}>"
    for start in range(len(marked) - 2):
        yield f"·{marked[start : start + 3]}"


def _place(feature: str) -> tuple[int, float]:
    digest = int.from_bytes(blake2b(feature.encode("utf-8"), digest_size=8).digest())
    return (digest >> 1) % DIMENSION, 1.0 if digest & 1 else -1.0
