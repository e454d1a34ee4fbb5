"""How much of what people said in an episode is told by what was learnt from it. Pure.

Algorithms, section 13.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..languages.telling import is_question, tells
from ..languages.terms import content_terms
from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.memory import Memory
from ..model.vectors import Vector
from .evidence import LONGEST_TURN, evidence_id

UNTOLD = 0.25
"""A turn of which a memory tells less has been overlooked."""

WELL_TOLD = 0.5
"""A turn of which a memory tells so much need not be read again."""

OVERLOOKED = 0.5
"""Share of what an episode says, by weight, that must be overlooked for it to be read again."""

LEAST = 4
"""Overlooked turns: of a few nobody overlooks any; there was nothing in them."""

ALIKE = 0.5
"""What a centred cosine counts: of a turn and a memory of it, half of it is about their share of
common words."""

FEW = 30
"""Texts among which a term that two have is rare."""

type Rarity = Mapping[str, float]
"""How much each term tells; one that is not in it as much as the rarest."""


type Weigh = Callable[[frozenset[str]], float]
"""How much some terms tell together."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A turn that says something: its `weight`, and how much of it the best memory tells, 0..1."""

    turn: Turn
    weight: float
    told: float


def rarities(texts: Sequence[str]) -> Rarity:
    """The idf of each term, as BM25 has it, by how few of the texts have it; few count as `FEW`."""
    counts = Counter(term for text in texts for term in content_terms(text))
    size = max(FEW, len(texts))
    return {
        term: math.log1p((size - count + 0.5) / (count + 0.5)) for term, count in counts.items()
    }


def weigher(rarity: Rarity) -> Weigh:
    """By how rare they are."""
    most = max(rarity.values(), default=1.0)
    return lambda terms: sum(rarity.get(term, most) for term in terms)


def compared(
    turns: Iterable[Turn],
    learnt: Sequence[Memory],
    rarity: Rarity,
    vectors: Mapping[str, Vector],
    journal: str,
) -> list[Compared]:
    """The turns that tell something, each compared with what was `learnt` about its speaker.

    `vectors` are those of memories and raw turns, by id, as far as they are known.
    """
    weight = weigher(rarity)

    def told(turn: Turn, terms: frozenset[str], own: float) -> float:
        raw = vectors.get(evidence_id(journal, turn.seq))
        best = 0.0
        for memory, told_terms, mass in known:
            if not may_tell(memory, turn):
                continue
            share = weight(terms & told_terms) / (min(own, mass) or 1.0)
            other = None if raw is None else vectors.get(memory.id)
            alike = 0.0 if raw is None or other is None else ALIKE * float(raw @ other)
            best = max(best, share, alike)
        return min(1.0, best)

    known = [(each, terms, weight(terms)) for each in learnt if (terms := content_terms(each.text))]
    found: list[Compared] = []
    for turn in (each for each in turns if says_something(each) and not is_question(each.text)):
        terms = content_terms(turn.text[:LONGEST_TURN])
        found.append(Compared(turn, own := weight(terms), told(turn, terms, own)))
    return found


def overlooked(said: Sequence[Compared]) -> float:
    """Share of what is said that no memory tells, by weight: 0..1."""
    whole = sum(each.weight for each in said)
    return sum(each.weight for each in said if each.told < UNTOLD) / whole if whole else 0.0


def needs_rereading(said: Sequence[Compared]) -> bool:
    """Whether more than half of an episode was overlooked."""
    missed = sum(each.told < UNTOLD for each in said)
    return missed >= LEAST and overlooked(said) > OVERLOOKED


def to_read_again(said: Sequence[Compared]) -> list[Turn]:
    """The turns of which not even half is told."""
    return [each.turn for each in said if each.told < WELL_TOLD]


def says_something(turn: Turn) -> bool:
    """Whether a person tells something in it that would be missed."""
    person = turn.role is not Role.ASSISTANT and not turn.private_reply
    return person and tells(turn.text[:LONGEST_TURN])


def may_tell(memory: Memory, turn: Turn) -> bool:
    """Whether it may be of this turn: in a group what another person said tells nothing of it."""
    if Scope.kind_of(turn.place.scope) is ScopeKind.PRIVATE or memory.speaker is None:
        return True
    return memory.speaker.id == turn.speaker.id
