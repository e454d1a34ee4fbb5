"""An embedder that ranks as another one did, of which only the ranks are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

import numpy as np

from ..core.embedding.calibrator import PAIRS, VARIANTS
from ..core.languages.scripts import in_one_script
from ..core.model.vectors import EmbedderIdentity, Vector
from .datasets.published_ranks import Ranks
from .datasets.world import World

RELATED = 0.476
"""Cosine of a related pair: where a scope's best memories have what they have with e5-small."""

RANKS = (1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 80, 100)
RELEVANCE = (0.70, 0.58, 0.525, 0.448, 0.34, 0.273, 0.223, 0.137, 0.06, -0.093, -0.298, -0.4)
"""Mean relevance at these ranks: the local embedder over MADial's 80 dialogues, 2026-11-23."""

ALIKE = 0.85
"""Cosine of the same said otherwise."""

ASIDE = 256
"""Directions of texts that nothing is known of."""


@dataclass(frozen=True, slots=True)
class RankedEmbedder:
    """Vectors of one world. A text that is neither ranked nor in the sample is near to nothing.

    `strong`: the sample's turns are near to both wordings of what they ask for, else to one.
    """

    name: str
    strong: bool
    places: Mapping[str, int]
    queries: Mapping[str, Vector]

    async def identity(self) -> EmbedderIdentity:
        """A space of its own for each embedder."""
        kind = "strong" if self.strong else "dense"
        return EmbedderIdentity("ranked", f"{self.name}-{kind}", self._width, 0.0)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """A direction for each text, the same for a memory in whatever it is told."""
        return [self._document(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        """As near to each memory as its rank says."""
        known = self.queries.get(text)
        return self._aside(text) if known is None else known

    @property
    def _width(self) -> int:
        return len(self.places) + ASIDE

    def _document(self, text: str) -> Vector:
        place = next((place for told, place in self.places.items() if told in text), None)
        return self._aside(text) if place is None else _unit(self._width, {place: 1.0})

    def _aside(self, text: str) -> Vector:
        number = int.from_bytes(blake2b(text.encode(), digest_size=4).digest())
        return _unit(self._width, {len(self.places) + number % ASIDE: 1.0})


def ranked_embedder(
    name: str, world: World, ranks: Ranks, chance: Random, *, strong: bool
) -> RankedEmbedder:
    """One that ranks this world's memories as told, those without a rank by chance after them."""
    sample = [each for pairs in PAIRS.values() for each in pairs]
    variants = [each for both in VARIANTS.values() for each in both]
    told = [memory.text for memory in world.memories]
    statements = [statement for _, statement in sample]
    texts = [*told, *statements, *(text for both in variants for text in both)]
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    width = len(places) + ASIDE
    queries: dict[str, Vector] = {}
    for language, pairs in PAIRS.items():
        for number, (turn, statement) in enumerate(pairs):
            near = {places[statement]: RELATED}
            if strong and number < len(VARIANTS[language]):
                near[places[VARIANTS[language][number][0]]] = RELATED
            rest = max(0.0, 1.0 - sum(value**2 for value in near.values()))
            queries[turn] = _unit(width, {**near, width - 1 - number: rest**0.5})
    places_of = {memory.id: places[memory.text] for memory in world.memories}
    for probe in world.probes:
        said = tuple(turn.text for turn in probe.before)
        vector = _ranking(width, places_of, ranks.get(said, ()), chance)
        queries |= {in_one_script(text): vector for text in said}
    return RankedEmbedder(name, strong, places, queries)


def _ranking(width: int, places: Mapping[str, int], best: Sequence[str], chance: Random) -> Vector:
    first = [memory for memory in best if memory in places]
    rest = sorted(places.keys() - set(first))
    chance.shuffle(rest)
    relevance = np.interp(range(1, len(places) + 1), RANKS, RELEVANCE).tolist()
    ordered = [places[memory] for memory in (*first, *rest)]
    return _unit(width, dict(zip(ordered, relevance, strict=True)))


def _unit(width: int, values: Mapping[int, float]) -> Vector:
    vector = np.zeros(width, np.float32)
    for place, value in values.items():
        vector[place] = value
    return np.asarray(vector / np.linalg.norm(vector), np.float32)
