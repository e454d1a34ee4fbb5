"""BM25 over texts that are counted once. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

K1, B = 1.2, 0.75
"""Of BM25: saturation of a word's frequency, and how far a text's length counts."""


def words(text: str) -> list[str]:
    """Words in small letters where spaces part them; pairs of neighbours of Chinese characters."""
    found: list[str] = []
    run: list[str] = []
    for each in text.casefold() + " ":
        if run and (_wide(each) != _wide(run[-1]) or not each.isalnum()):
            found += _pairs(run) if _wide(run[0]) else ["".join(run)]
            run = []
        if each.isalnum():
            run.append(each)
    return found


class WordIndex:
    """Okapi BM25 (Robertson and Zaragoza 2009): what a word adds to each text that holds it."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(words(text)) for text in texts]
        lengths = [each.total() for each in counted]
        mean = max(1.0, sum(lengths) / max(1, len(lengths)))
        holding: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for index, each in enumerate(counted):
            length = 1 - B + B * lengths[index] / mean
            for word, count in each.items():
                holding[word].append((index, count * (K1 + 1) / (count + K1 * length)))
        self._size = len(texts)
        self._weights = {word: self._weighted(found) for word, found in holding.items()}

    def scores(self, query: str) -> np.ndarray:
        """Of every text, in their order."""
        scores = np.zeros(self._size)
        for word in sorted(set(words(query))):
            if word in self._weights:
                indices, weights = self._weights[word]
                scores[indices] += weights
        return scores

    def _weighted(self, found: Sequence[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
        indices, counts = zip(*found, strict=True)
        rarity = math.log(1 + (self._size - len(found) + 0.5) / (len(found) + 0.5))
        return np.array(indices), rarity * np.array(counts)


def _wide(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff"


def _pairs(run: Sequence[str]) -> list[str]:
    pairs = ["".join(pair) for pair in pairwise(run)]
    return pairs or list(run)
