"""What is searched in memory, by scope; and vectors, one partition per scope and fingerprint.

A partition is loaded on first use, follows every committed change, and is dropped when it has
been the least recently used of too much. Nothing of it is persisted, so a crash loses nothing.
"""

import asyncio
from abc import abstractmethod
from collections import OrderedDict, defaultdict, deque
from collections.abc import AsyncGenerator, Callable, Container, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import repeat
from threading import Lock, RLock
from typing import Any

import numpy as np

from ..core.model.memory import Kind
from ..core.ports import Vector
from .flat_index import FlatIndex, Rows, VectorPage, codes


@dataclass(frozen=True, slots=True)
class ScopeKey[S: (int, str)]:
    """What is held by: a scope, by its key or by its number, which no other one ever gets."""

    scope: S


@dataclass(frozen=True, slots=True)
class PartitionKey(ScopeKey[int]):
    """Scope number, embedder fingerprint and dimension: vectors that may be compared."""

    fingerprint: str
    dimension: int


@dataclass(frozen=True, slots=True)
class VectorChange:
    """The vector a row has from now on, and its kind; None if it has none or may not be found.

    `views` are those of its further views, by their place.
    """

    scope: int
    row: int
    fingerprint: str = ""
    vector: Vector | None = None
    kind: Kind = Kind.SEMANTIC
    views: Mapping[int, Vector] = field(default_factory=dict[int, Vector])


MOST_HELD = 160_000_000
"""Bytes of vectors, of however many scopes: a search of everybody needs those of all."""

MOST_WAITING = 500
"""Changes that wait for a search. In a scope that is written to and never asked they would pile up.
"""

PLACES = 16
"""Views that a row may have: the whole at place 0, the others at `row * PLACES + place`."""

type _Findable = tuple[Kind, Mapping[int, Vector]]
"""The kind, and the vectors by place."""


class Fillable[Page]:
    """A part of a file in memory, for searches."""

    complete = False
    """Whether everything stored has been filled in."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How much it holds, see `Loaded`."""

    @property
    @abstractmethod
    def worn(self) -> bool:
        """Whether so much of it waits, or is gone, that making it anew costs no more."""

    @abstractmethod
    def fill(self, page: Page, /) -> None:
        """Add what is stored. Blocks: call in a thread, and `filled` after the last."""

    def filled(self) -> None:
        """Everything stored has been filled in."""
        self.complete = True


class Partition(Fillable[VectorPage]):
    """One flat index and the committed changes that it has not taken up yet. Thread-safe."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._index: FlatIndex | None = None
        self._lock = Lock()
        self._pending: deque[tuple[int, _Findable | None]] = deque()
        self._places = 1
        self._held = 0

    @property
    def size(self) -> int:
        """Bytes of the vectors that were ever added."""
        return self._held

    @property
    def worn(self) -> bool:
        rows = self._held // (2 * self._dimension)
        return len(self._pending) > max(MOST_WAITING, rows // 4)

    def follow(self, row: int, kind: Kind, vectors: Mapping[int, Vector]) -> None:
        """Take note of a committed change, vectors by place; the next search sees it."""
        self._pending.append((row, (kind, vectors) if vectors else None))

    def withdraw(self, rows: Iterable[int]) -> None:
        """Take note that these rows may not be found any more."""
        self._pending.extend(zip(rows, repeat(None)))

    def fill(self, page: VectorPage, /) -> None:
        with self._lock:
            self._add(page)

    def nearest(
        self, query: Vector, limit: int, kinds: Iterable[Kind] | None = None
    ) -> tuple[Rows, Vector]:
        """Best vectors of these kinds and their cosines, pending changes included.

        They come as `row * PLACES + place`. Blocks: call in a thread.
        """
        with self._lock:
            self._catch_up()
            return self._opened().nearest(query, limit, None if kinds is None else codes(kinds))

    def _catch_up(self) -> None:
        changed: dict[int, _Findable | None] = {}
        while self._pending:
            row, findable = self._pending.popleft()
            changed[row] = findable
        if not changed:
            return
        rows = np.fromiter(changed, np.int64) * PLACES
        self._opened().remove((rows[:, None] + np.arange(self._places)).reshape(-1))
        added = [
            (row * PLACES + place, kind, vector)
            for row, findable in changed.items()
            if findable is not None
            for kind, vectors in [findable]
            for place, vector in vectors.items()
        ]
        if added:
            numbers, kinds, vectors = zip(*added, strict=True)
            self._add(VectorPage(np.array(numbers, np.int64), codes(kinds), np.stack(vectors)))

    def _add(self, page: VectorPage) -> None:
        # What has no further views is removed as one row, not as sixteen.
        if self._places == 1 and np.any(page.rows % PLACES):
            self._places = PLACES
        self._opened().add(page)
        self._held += 2 * page.matrix.size

    def _opened(self) -> FlatIndex:
        if self._index is None:
            self._index = FlatIndex(self._dimension)
        return self._index


@dataclass(frozen=True, slots=True)
class _Slot[P]:
    """A partition and the task that loads it."""

    partition: P
    loading: asyncio.Task[None]


class Loaded[K: ScopeKey[Any], P: Fillable[Any]]:
    """Parts of a file in memory: loaded on first use, told of each commit, dropped when unused.

    What `new` makes, `load` tells the pages of; together they may be of the size `most`, and one
    is held however large it is. Whoever made it closes it, before the file.
    """

    def __init__(
        self, load: Callable[[K], AsyncGenerator[Any]], new: Callable[[K], P], most: int
    ) -> None:
        self._load, self._new, self._most = load, new, most
        self._lock = RLock()
        self._slots: OrderedDict[K, _Slot[P]] = OrderedDict()
        self._dropped: set[asyncio.Task[None]] = set()

    @property
    def loaded(self) -> tuple[K, ...]:
        """What is in memory, least recently used first."""
        with self._lock:
            return tuple(self._slots)

    def at_hand(self, key: K) -> P | None:
        """The partition if it is loaded. May be called in any thread."""
        with self._lock:
            slot = self._slots.get(key)
            if slot is None or not slot.partition.complete:
                return None
            if slot.partition.worn:
                del self._slots[key]
                return None
            self._slots.move_to_end(key)
            return slot.partition

    async def load(self, key: K) -> P:
        """The partition, loaded if it was not. A load goes on if the caller is cancelled."""
        slot = self._slot(key)
        await asyncio.shield(slot.loading)
        return slot.partition

    async def close(self) -> None:
        """Drop everything and wait for running loads to stop."""
        with self._lock:
            for key, slot in list(self._slots.items()):
                self._forget(key, slot)
        for task in self._dropped:
            task.cancel()
        if self._dropped:
            await asyncio.wait(self._dropped)

    def _drop(self, key: K) -> None:
        with self._lock:
            if (slot := self._slots.get(key)) is not None:
                self._forget(key, slot)

    def _of_scopes(self, scopes: Container[int | str]) -> list[tuple[K, P]]:
        with self._lock:
            return [
                (key, slot.partition) for key, slot in self._slots.items() if key.scope in scopes
            ]

    def _slot(self, key: K) -> _Slot[P]:
        with self._lock:
            if key not in self._slots:
                partition = self._new(key)
                # There before it is filled: it is to be told of what changes meanwhile.
                slot = _Slot(partition, asyncio.create_task(self._fill(key, partition)))
                slot.loading.add_done_callback(lambda _: self._settle(key, slot))
                self._slots[key] = slot
            self._slots.move_to_end(key)
            self._trim()
            return self._slots[key]

    def _trim(self) -> None:
        with self._lock:
            while len(self._slots) > 1 and self._held() > self._most:
                self._forget(*next(iter(self._slots.items())))

    def _held(self) -> int:
        return sum(slot.partition.size for slot in self._slots.values())

    def _forget(self, key: K, slot: _Slot[P]) -> None:
        with self._lock:
            if self._slots.get(key) is slot:
                del self._slots[key]
        if not slot.loading.done():
            self._dropped.add(slot.loading)
            slot.loading.add_done_callback(self._dropped.discard)

    def _settle(self, key: K, slot: _Slot[P]) -> None:
        """A load that failed must not stay: the next search loads anew."""
        if slot.loading.cancelled() or slot.loading.exception() is not None:
            self._forget(key, slot)
        self._trim()

    async def _fill(self, key: K, partition: P) -> None:
        async with aclosing(self._load(key)) as pages:
            async for page in pages:
                await asyncio.to_thread(partition.fill, page)
        await asyncio.to_thread(partition.filled)


class Partitions(Loaded[PartitionKey, Partition]):
    """The vectors in memory, at most so many bytes of them."""

    def __init__(
        self, load: Callable[[PartitionKey], AsyncGenerator[VectorPage]], most: int
    ) -> None:
        super().__init__(load, lambda key: Partition(key.dimension), most)

    def follow(self, changes: Iterable[VectorChange]) -> None:
        """Keep the partitions in memory in step with a commit. Call before the next commit."""
        by_scope: defaultdict[int, list[VectorChange]] = defaultdict(list)
        for change in changes:
            by_scope[change.scope].append(change)
        for key, partition in self._of_scopes(by_scope):
            for change in by_scope[key.scope]:
                partition.follow(change.row, change.kind, _fitting(change, key))
            if partition.complete and partition.worn:
                self._drop(key)

    def withdraw(self, gone: Mapping[int, Sequence[int]]) -> None:
        """`follow` for rows, by scope, that are no longer found: fast for many."""
        for key, partition in self._of_scopes(gone):
            partition.withdraw(gone[key.scope])


def _fitting(change: VectorChange, key: PartitionKey) -> Mapping[int, Vector]:
    """The vectors of a change that belong into a partition."""
    vector, own = change.vector, (key.fingerprint, key.dimension)
    if vector is None or (change.fingerprint, vector.size) != own:
        return {}
    return {0: vector, **change.views}
