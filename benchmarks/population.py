"""Generated memories as they look in use, and filling a store with them."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched, chain, islice
from uuid import UUID, uuid5

import numpy as np

from ..core.embedding.backfill import embedding_texts, mean_vectors
from ..core.forgetting.lifecycle import DAY
from ..core.model.conversation import Scope, ScopeKind, Speaker
from ..core.model.memory import Access, Extractor, Kind, Memory, Origin, Source, Vitality
from ..core.ports import Embedder, MemoryStore, Vector

BATCH, SCOPES = 1_000, 64
VECTORS = 200
"""Vectors written at a time."""

_NAMESPACE = UUID("8d6f4f0e-6f6e-5c4e-9a55-0c6a5b1f2f11")
_FIRST_TURN = 10_000_000
"""Source turns start beyond any turn of the measured journal, so that none is taken for it."""

LEARNT_KINDS = (*(Kind.SEMANTIC,) * 8, Kind.EPISODIC, Kind.PROCEDURAL)
KINDS = (*(Kind.EVIDENCE,) * 6, Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.NARRATIVE)


@dataclass(frozen=True, slots=True)
class GeneratedScope:
    """One scope's memories: `texts` in order, the `number` of the scope, the present time.

    Six in ten are evidence with the sentence before as cue; a semantic memory is distilled from
    one of the evidence before it. One in a hundred is spent after each of the next cycles. Of
    several `people`, who speak in turn, it is a group.
    """

    number: int
    texts: Sequence[str]
    now: float
    people: int = 1
    kinds: Sequence[Kind] = KINDS

    @property
    def scope(self) -> Scope:
        """Whose they are."""
        kind = ScopeKind.PRIVATE if self.people == 1 else ScopeKind.GROUP
        return Scope(kind, "bench", f"user{self.number}", "default")

    def speaker(self, index: int) -> Speaker:
        """The person of the memory at this place."""
        member = index % self.people
        return Speaker(f"user{self.number}" + (f".{member}" if member else ""), "Ann")

    def __iter__(self) -> Iterator[Memory]:
        return (self._memory(index) for index in range(len(self.texts)))

    def _memory(self, index: int) -> Memory:
        kind = self.kinds[index % len(self.kinds)]
        evidence = kind is Kind.EVIDENCE
        created = self.now - (index % 90) * DAY - 1.0
        return Memory(
            id=memory_id(self.number, index),
            scope=self.scope.key,
            kind=kind,
            text=self.texts[index],
            summary="",
            created_at=created,
            happened_at=created,
            vitality=_vitality(index, self.now),
            access=Access(created, created),
            source=Source.USER,
            extractor=Extractor.TURN if evidence else Extractor.RULES,
            speaker=self.speaker(index),
            cues=(self.texts[index - 1],) if evidence and index else (),
            origin=Origin("bench", "", "", self._turns(kind, index)),
        )

    def _turns(self, kind: Kind, index: int) -> tuple[int, ...]:
        first = _FIRST_TURN + self.number * 1_000_000
        match kind:
            case Kind.EVIDENCE:
                return (first + index,)
            case Kind.SEMANTIC:
                return (first + index - 3,)
            case _:
                return ()


def learnt_memory(id: str, who: str, text: str, at: float) -> Memory:
    """A fact as a model learns it of what somebody told in private."""
    return Memory(
        id=id,
        scope=Scope(ScopeKind.PRIVATE, "bench", who).key,
        kind=Kind.SEMANTIC,
        text=text,
        summary="",
        created_at=at,
        happened_at=at,
        vitality=Vitality(4),
        access=Access(at, at),
        source=Source.USER,
        extractor=Extractor.MODEL,
        speaker=Speaker(who, who),
    )


def memory_id(scope: int, index: int) -> str:
    """The id of a scope's memory."""
    return str(uuid5(_NAMESPACE, f"{scope}:{index}"))


def _vitality(index: int, now: float) -> Vitality:
    strength = index % 100 + 1 if index % 100 < 3 else 5 + index % 8
    return Vitality(strength, last_decay_at=now - (index % 3) * DAY - 1.0)


async def fill(store: MemoryStore, memories: Iterator[Memory]) -> None:
    """Put them all in batches. Making them does not hold up the event loop."""
    while some := await asyncio.to_thread(lambda: tuple(islice(memories, BATCH))):
        await store.put(some)


async def attach(
    store: MemoryStore, fingerprint: str, number: int, vectors: Sequence[Vector]
) -> None:
    """Set the vectors of a scope's memories in batches."""
    by_id = {memory_id(number, index): vector for index, vector in enumerate(vectors)}
    for some in batched(by_id.items(), VECTORS):
        await store.set_vectors(fingerprint, dict(some))


async def fill_alike(
    store: MemoryStore,
    fingerprint: str,
    vectors: Sequence[Vector],
    scopes: Sequence[GeneratedScope],
) -> None:
    """Put the memories of scopes of the same texts, and their vectors."""
    for some in batched(scopes, SCOPES):
        await fill(store, chain.from_iterable(some))
        for scope in some:
            await attach(store, fingerprint, scope.number, vectors)


async def embedded(embedder: Embedder, memories: Iterator[Memory]) -> list[Vector]:
    """The vector of each memory, as the backfill would make it."""
    return await mean_vectors(embedder, [embedding_texts(memory) for memory in memories])


async def resembling(
    embedder: Embedder, memories: Iterator[Memory], *, models: int, seed: int, noise: float = 0.01
) -> list[Vector]:
    """Vectors near those of the first `models` memories: a slow embedder's space, quickly filled.

    Searching costs the same as with real ones; what it finds means nothing. `noise` is what each
    number of a vector is off by: with .01 the like are nearly the same, with .03 related.
    """
    every = list(memories)
    known = np.stack(await embedded(embedder, iter(every[:models])))
    random = np.random.default_rng(seed)

    def near(index: int) -> Vector:
        close = known[index % len(known)] + random.normal(0, noise, known.shape[1])
        return (close / np.linalg.norm(close)).astype(np.float32)

    return await asyncio.to_thread(lambda: [near(index) for index in range(len(every))])
