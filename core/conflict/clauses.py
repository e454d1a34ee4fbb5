"""A text cut into clauses, each with what it says, of whom, and whether it denies it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..languages.kin import called_by_title
from ..languages.terms import terms, with_meaning
from .numbers import in_digits
from .word_patterns import CLAUSE_END, FILLING, KIN, NEGATION, NO_NEGATION, PREFERENCE

LONGEST = 1_000
"""Characters of a memory that are compared."""

_IDIOM = "\ufffc"
_NAME = re.compile(
    r"(?!(?:The|My|His|Her|Our|Their|This|That|It|He|She|They|We|I|A|An)\b)[A-Z][a-z]+"
)


@dataclass(frozen=True)
class Clause:
    """One clause as it is written."""

    text: str

    @cached_property
    def denies(self) -> bool:
        """Whether it says that something is not so; two denials cancel each other."""
        return len(NEGATION.findall(self._plain)) % 2 == 1

    @cached_property
    def content(self) -> frozenset[str]:
        """Index terms of what it is about, without words of denial, taste and filling."""
        bare = self._plain
        for pattern in (NEGATION, PREFERENCE, FILLING):
            bare = pattern.sub(" ", bare)
        return with_meaning(terms(bare))

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers it counts with, in digits."""
        return frozenset(re.findall(r"\d+(?:\.\d+)?", self._plain))

    @cached_property
    def prefers(self) -> bool:
        """Whether it tells of a taste."""
        return PREFERENCE.search(self.text) is not None

    @cached_property
    def others(self) -> frozenset[str]:
        """The people and animals it names by what they are to somebody."""
        # 刘姐 is nobody's sister.
        said = called_by_title().sub(" ", self.text)
        return frozenset(name for name, pattern in KIN if pattern.search(said))

    @cached_property
    def subject(self) -> str:
        """The name in Latin script that it begins with, lower case; empty without one."""
        name = _NAME.match(self.text.strip())
        return "" if name is None else name.group().lower()

    @cached_property
    def _plain(self) -> str:
        return NO_NEGATION.sub(_IDIOM, in_digits(self.text).replace("’", "'"))


def clauses(text: str) -> tuple[Clause, ...]:
    """Those with content, in order; the whole text if none has any."""
    parts = [Clause(part) for part in CLAUSE_END.split(text[:LONGEST]) if part.strip()]
    return tuple(part for part in parts if part.content) or (Clause(text[:LONGEST]),)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of terms in common, 0..1: Dice's coefficient. 0 where one has none."""
    every = len(one) + len(other)
    return 2 * len(one & other) / every if one and other else 0.0


@lru_cache(2_048)
def content(text: str) -> frozenset[str]:
    """Content of all clauses."""
    return content_of(clauses(text))


def content_of(told: Sequence[Clause]) -> frozenset[str]:
    """Content of these clauses together."""
    return frozenset[str]().union(*(clause.content for clause in told))


def nearest(one: Sequence[Clause], other: Sequence[Clause]) -> tuple[Clause, Clause]:
    """The clauses of two texts, each with one at least, that have most in common."""
    pairs = [(first, second) for first in one for second in other]
    return max(pairs, key=lambda pair: overlap(pair[0].content, pair[1].content))
