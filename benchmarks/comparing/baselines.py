"""What anybody could build in an afternoon: words, vectors, and both by their ranks."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

import numpy as np

from ...core.ports import Embedder
from .system import Answer, Fact, Item, Question, Turn

K1, B = 1.2, 0.75
"""Of BM25: saturation of a word's frequency, and how far a text's length counts."""

RANK_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

SHOWN = 10
"""Lines that a baseline shows: it never knows that nothing is needed."""

type Count = Callable[[str], int]
type Scores = Sequence[float]


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


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Okapi BM25 of every text (Robertson and Zaragoza 2009)."""
    counted = [Counter(words(text)) for text in texts]
    lengths = [each.total() for each in counted]
    mean = max(1.0, sum(lengths) / max(1, len(lengths)))
    scores = [0.0] * len(texts)
    for word in set(words(query)):
        holding = [index for index, each in enumerate(counted) if word in each]
        rarity = math.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for index in holding:
            count = counted[index][word]
            length = 1 - B + B * lengths[index] / mean
            scores[index] += rarity * count * (K1 + 1) / (count + K1 * length)
    return scores


def fused(rankings: Sequence[Sequence[int]], size: int) -> list[float]:
    """Reciprocal rank fusion of rankings of the numbers below `size`."""
    scores = [0.0] * size
    for ranking in rankings:
        for rank, index in enumerate(ranking, start=1):
            scores[index] += 1 / (RANK_CONSTANT + rank)
    return scores


@dataclass(slots=True)
class Baseline:
    """Every message, with the answer to it, is remembered as it was said.

    `legs` are some of "words" and "vectors". Equal scores stand in an order drawn by chance: the
    order of the data would tell what belongs together. Learnt facts are remembered beside the
    turns if there are any.
    """

    embedder: Embedder | None
    count: Count
    chance: Random
    legs: frozenset[str]
    _items: list[Item] = field(default_factory=list[Item])
    _waiting: defaultdict[str, list[Fact]] = field(
        default_factory=lambda: defaultdict[str, list[Fact]](list)
    )
    _vectors: np.ndarray | None = None

    async def learn(self, fact: Fact) -> None:
        """Remembered when the last of its turns in time is heard."""
        for each in fact.rests_on:
            self._waiting[each].append(fact)

    async def add(self, turn: Turn) -> None:
        """Remember it, with what is learnt of it."""
        text = f"{turn.text}\n{turn.answer}" if turn.answer else turn.text
        self._items.append(Item(frozenset({turn.id} - {""}), text))
        for fact in self._waiting.pop(turn.id, []):
            if not any(fact in others for others in self._waiting.values()):
                self._items.append(Item(fact.rests_on, fact.text))

    async def rest(self, at: float) -> None:
        """Embed what was heard."""
        if self._items and "vectors" in self.legs and self.embedder is not None:
            made = await self.embedder.embed_documents([item.text for item in self._items])
            self._vectors = np.stack(made)

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        """The best ten, or as many as fit."""
        rankings: list[Sequence[int]] = []
        scores: Scores = ()
        if "words" in self.legs:
            scores = bm25(question.text, [item.text for item in self._items])
            rankings.append(self._ranked(scores))
        if "vectors" in self.legs and self.embedder is not None and self._vectors is not None:
            scores = (self._vectors @ await self.embedder.embed_query(question.text)).tolist()
            rankings.append(self._ranked(scores))
        if len(rankings) > 1:
            scores = fused(rankings, len(self._items))
            rankings = [self._ranked(scores)]
        if not rankings:
            return Answer((), (), 0, 0.0)
        ranked = [self._items[index] for index in rankings[0]]
        certainty = scores[rankings[0][0]] if ranked else 0.0
        return self._shown(ranked, budget, certainty)

    async def close(self) -> int:
        """No model was called."""
        return 0

    def _ranked(self, scores: Scores) -> list[int]:
        tied = [(-score, self.chance.random(), index) for index, score in enumerate(scores)]
        return [index for _, _, index in sorted(tied)]

    def _shown(self, ranked: Sequence[Item], budget: int | None, certainty: float) -> Answer:
        shown: list[Item] = []
        tokens = 0
        for item in ranked[:SHOWN] if budget is None else ranked:
            cost = self.count(item.text) + 1
            if budget is not None and tokens + cost > budget:
                break
            shown.append(item)
            tokens += cost
        return Answer(tuple(ranked), tuple(shown), tokens, certainty)


def _wide(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff"


def _pairs(run: Sequence[str]) -> list[str]:
    pairs = ["".join(pair) for pair in pairwise(run)]
    return pairs or list(run)
