"""Many memories as numpy columns: what the policies compute on, one row a memory. Pure."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from ..model.memory import RAW, Facet, Kind, Memory, Status

type Floats = NDArray[np.float64]
type Ints = NDArray[np.int64]
type Codes = NDArray[np.int8]
type Flags = NDArray[np.bool_]

KINDS = tuple(Kind)
"""The code of a kind is its place here."""

FACETS = tuple(Facet)
"""The code of a facet is its place here; `NO_FACET` for none."""

NO_FACET = -1


UNWEIGHED = 0.5
"""The importance of raw turns that nobody has weighed."""


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """One array per column, all of the same length. Times are Unix seconds, 0.0 means never.

    `recalls` counts judged recalls, creation not among them; `last_access_at` is the last of
    them or the creation. `kept`: pinned or marked important; `holds`: what claims something that
    is so; `sole`: what nothing else says. `luck`, 0..1, is what chance has given to the memory,
    once and for all. `stability` (days) and `difficulty` (1..10) are FSRS's; 0.0 before it has
    seen a verdict.
    """

    strength: Ints
    useful_count: Ints
    useful_score: Floats
    recalls: Ints
    created_at: Floats
    settled_at: Floats
    last_recalled_at: Floats
    last_decay_at: Floats
    last_access_at: Floats
    importance: Floats
    trust: Floats
    kind: Codes
    facet: Codes
    kept: Flags
    holds: Flags
    sole: Flags
    archived: Flags
    luck: Floats
    stability: Floats
    difficulty: Floats

    def __len__(self) -> int:
        return len(self.strength)

    @property
    def prospective(self) -> Flags:
        """Which rows are intentions."""
        return self.kind == KINDS.index(Kind.PROSPECTIVE)

    @property
    def born_at(self) -> Floats:
        """When the memory began to age: created, restored, or no longer exempt."""
        return np.maximum(self.created_at, self.settled_at)

    def take(self, rows: Ints | Flags) -> "Population":
        """Those rows, by number or by mask."""
        columns = {column.name: getattr(self, column.name)[rows] for column in fields(self)}
        return Population(**columns)

    def touched(self, rows: Ints, *, now: float) -> "Population":
        """Each of these rows, none of them twice, recalled once more."""
        recalls, seen = self.recalls.copy(), self.last_access_at.copy()
        recalls[rows] += 1
        seen[rows] = np.maximum(seen[rows], now)
        return replace(self, recalls=recalls, last_access_at=seen)

    @classmethod
    def of(cls, memories: Sequence[Memory]) -> "Population":
        """The columns of these memories, in their order."""
        lives = [memory.vitality for memory in memories]
        return cls(
            strength=_ints(v.strength for v in lives),
            useful_count=_ints(v.useful_count for v in lives),
            useful_score=_floats(v.useful_score for v in lives),
            recalls=_ints(max(0, m.access.count - 1) for m in memories),
            created_at=_floats(m.created_at for m in memories),
            settled_at=_floats(v.settled_at for v in lives),
            last_recalled_at=_floats(v.last_recalled_at for v in lives),
            last_decay_at=_floats(v.last_decay_at for v in lives),
            last_access_at=_floats(m.access.last_at for m in memories),
            importance=_floats(map(_importance, memories)),
            trust=_floats(m.trust for m in memories),
            kind=_codes(KINDS.index(m.kind) for m in memories),
            facet=_codes(FACETS.index(m.facet) if m.facet else NO_FACET for m in memories),
            kept=_flags(m.exempt for m in memories),
            holds=_flags(m.holds for m in memories),
            sole=_flags(v.sole for v in lives),
            archived=_flags(m.standing.status is Status.ARCHIVED for m in memories),
            luck=_floats(luck_of(m.id) for m in memories),
            stability=_floats(v.stability for v in lives),
            difficulty=_floats(v.difficulty for v in lives),
        )


def _importance(memory: Memory) -> float:
    return memory.importance or (UNWEIGHED if memory.kind in RAW else 0.0)


FACET_OF_KIND: dict[Kind, Facet] = {
    Kind.EVIDENCE: Facet.EPISODIC,
    Kind.EPISODIC: Facet.EPISODIC,
    Kind.NARRATIVE: Facet.WORKFLOW,
    Kind.PROCEDURAL: Facet.WORKFLOW,
    Kind.SEMANTIC: Facet.PREFERENCE,
    Kind.PROSPECTIVE: Facet.INSTRUCTION,
}
"""What a memory without a facet ages like."""


def by_facet(population: Population, value: Callable[[Facet], float]) -> Floats:
    """The value of each row's facet, or of the facet that its kind ages like."""
    of_facet = np.array([value(facet) for facet in FACETS])
    of_kind = np.array([value(FACET_OF_KIND[kind]) for kind in KINDS])
    faceted = of_facet[np.maximum(population.facet, 0)]
    return np.where(population.facet == NO_FACET, of_kind[population.kind], faceted)


def luck_of(memory_id: str) -> float:
    """A number in 0..1 that follows from the id and is spread evenly over ids."""
    digest = hashlib.blake2b(memory_id.encode("utf-8", "replace"), digest_size=7).digest()
    return int.from_bytes(digest) / 2.0**56


def joined(parts: Sequence[Population]) -> Population:
    """The rows of all parts, in order; at least one part."""
    columns = {
        column.name: np.concatenate([getattr(part, column.name) for part in parts])
        for column in fields(Population)
    }
    return Population(**columns)


def _floats(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float64)


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _codes(values: Iterable[int]) -> Codes:
    return np.fromiter(values, dtype=np.int8)


def _flags(values: Iterable[bool]) -> Flags:
    return np.fromiter(values, dtype=np.bool_)
