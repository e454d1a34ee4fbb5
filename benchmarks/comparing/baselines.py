"""What anybody could build in an afternoon: words, vectors, and both by their ranks."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from ...core.model.conversation import Role
from ...core.ports import Embedder
from ..living.script import Line, Recorded
from .system import Answer, Item, Question
from .word_index import WordIndex

RANK_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

SHOWN = 10
"""Lines that a baseline shows: it never knows that nothing is needed."""

type Count = Callable[[str], int]
type Scores = Sequence[float]


def fused(rankings: Sequence[Sequence[int]], size: int) -> list[float]:
    """Reciprocal rank fusion of rankings of the numbers below `size`."""
    scores = [0.0] * size
    for ranking in rankings:
        for rank, index in enumerate(ranking, start=1):
            scores[index] += 1 / (RANK_CONSTANT + rank)
    return scores


@dataclass(slots=True)
class Baseline:
    """Every message, with the answer to it, is remembered as it was said, in a group by whom.

    `legs` are some of "words" and "vectors". Equal scores stand in an order drawn by chance: the
    order of the data would tell what belongs together. Learnt facts are remembered beside the
    turns if there are any.
    """

    embedder: Embedder | None
    count: Count
    chance: Random
    legs: frozenset[str]
    _items: list[Item] = field(default_factory=list[Item])
    _waiting: defaultdict[str, list[Recorded]] = field(
        default_factory=lambda: defaultdict[str, list[Recorded]](list)
    )
    _vectors: np.ndarray | None = None
    _index: WordIndex | None = None
    _last: tuple[str, list[Item], float] | None = None

    async def learn(self, fact: Recorded) -> None:
        """Remembered when the last of its turns in time is heard."""
        for each in fact.rests_on:
            self._waiting[each].append(fact)

    async def add(self, line: Line) -> None:
        """Remember it, with what is learnt of it."""
        overheard = line.role is Role.BYSTANDER
        said = f"{line.speaker.name}: {line.text}" if overheard else line.text
        text = f"{said}\n{line.answer}" if line.answer else said
        self._items.append(Item(frozenset({line.label} - {""}), text))
        for fact in self._waiting.pop(line.label, []):
            if not any(fact in others for others in self._waiting.values()):
                self._items.append(Item(fact.rests_on, fact.text, learnt=True))

    async def rest(self, at: float) -> None:
        """Count the words of what was heard, and embed it."""
        self._last = None
        if "words" in self.legs:
            self._index = WordIndex([item.text for item in self._items])
        if self._items and "vectors" in self.legs and self.embedder is not None:
            made = await self.embedder.embed_documents([item.text for item in self._items])
            self._vectors = np.stack(made)

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        """The best ten, or as many as fit; nothing without a leg."""
        if not self.legs:
            return Answer((), (), 0, 0.0)
        if self._last is None or self._last[0] != question.text:
            ranked, certainty = await self._ranking(question.text)
            self._last = question.text, ranked, certainty
        _, ranked, certainty = self._last
        return self._shown(ranked, budget, certainty)

    async def _ranking(self, text: str) -> tuple[list[Item], float]:
        """Everything, best first, and the best one's score."""
        legs: list[Scores] = []
        if self._index is not None:
            legs.append(self._index.scores(text).tolist())
        if self._vectors is not None and self.embedder is not None:
            legs.append((self._vectors @ await self.embedder.embed_query(text)).tolist())
        scores = (
            legs[0] if len(legs) == 1 else fused(list(map(self._ranked, legs)), len(self._items))
        )
        order = self._ranked(scores)
        return [self._items[index] for index in order], scores[order[0]] if order else 0.0

    async def answered(self) -> None:
        """Questions leave no trace."""

    async def memories(self) -> Sequence[Item]:
        """Everything, for ever."""
        return self._items

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
