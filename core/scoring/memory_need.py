"""Whether a turn asks for what only a memory can tell, by its words and its meaning. Pure.

"Who signs off my holiday" does, "write a card for my aunt" does not, and no list of words holds
all that differ. So it is a logistic regression on the turn's n-grams, and on its vector
where the embedder is one that was fitted for. Algorithms, section 7.8.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from ..languages.scripts import in_one_script
from ..model.vectors import Vector
from ..text.normalisation import IDEOGRAPHIC
from .odds import probability

LONGEST = 400
"""Characters of a turn that are read."""

_UNIT = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")
_ALONE = re.compile(f"[{IDEOGRAPHIC}]")
_NUMBER = "0"
_BEGINNING, _END = "^", "$"

type Grams = Mapping[str, float]
"""The weight of each n-gram, see `grams_of`."""


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """The weights of a vector of one space and of the n-grams beside it, and the intercept."""

    vector: Vector
    grams: Grams
    base: float


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """`grams` where there is no vector, and by an embedder's fingerprint what its vectors weigh."""

    grams: Grams = field(default_factory=dict[str, float])
    meaning: Mapping[str, ByMeaning] = field(default_factory=dict[str, ByMeaning])

    def probability(self, text: str, vector: Vector | None = None, fingerprint: str = "") -> float:
        """Of the turn's asking for what is remembered, 0..1; .5 where nothing is known.

        `vector` is the turn's own, at unit length, of the space that `fingerprint` names.
        """
        grams = grams_of(text)
        model = None if vector is None else self.meaning.get(fingerprint)
        if model is None or vector is None or vector.shape != model.vector.shape:
            return probability(_weighed(grams, self.grams))
        told = model.base + float(model.vector @ vector)
        return probability(told + _weighed(grams, model.grams))


UNREAD = MemoryNeed()
"""Knows of no turn what it asks for."""


def grams_of(text: str) -> frozenset[str]:
    """Words, or characters of Chinese and Japanese, and pairs of neighbours, in one script.

    Its beginning and its end are neighbours too; a number is one whatever it is, and punctuation
    is left out: in chat a question has a mark or has none.
    """
    units = [_BEGINNING]
    for found in _UNIT.finditer(in_one_script(text[:LONGEST]).lower()):
        word = found.group()
        if word[0].isdigit():
            units.append(_NUMBER)
        else:
            units += _characters(word)
    units.append(_END)
    pairs = (f"{one} {other}" for one, other in pairwise(units))
    return frozenset((*units[1:-1], *pairs))


def _characters(word: str) -> list[str]:
    """The word, taken apart into characters where it is not written with spaces."""
    if not _ALONE.search(word):
        return [word]
    return [part for part in _ALONE.sub(lambda one: f" {one.group()} ", word).split() if part]


def _weighed(grams: frozenset[str], weights: Grams) -> float:
    return sum(weights.get(each, 0.0) for each in grams) / math.sqrt(max(1, len(grams)))
