"""The terms of large scopes in memory: loaded behind the first search, dropped when unused.

Until one is there, and in a small scope, the text index itself is asked.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from sqlite3 import Connection
from threading import RLock

from ...core.model.errors import StorageError
from ..connections import Database
from ..term_partition import TermPartition, TermRow
from .records import IN_LIST, listed, select

logger = logging.getLogger(__name__)

SMALLEST = 2_000
"""Rows of a scope from which it is worth it."""

MOST_TERMS = 10_000_000
"""Occurrences of terms held over all scopes, some 6 bytes each: a scope with more is not held."""

PAGE = 2_000
"""Rows read at a time when a partition is loaded."""

_ROWS = f"""
    SELECT memory.row, memory.id, memory.kind, text_index.terms
    FROM memory JOIN text_index ON text_index.rowid = memory.row
    WHERE memory.row {IN_LIST} AND memory.recallable = 1
"""


@dataclass(frozen=True, slots=True)
class TermKey:
    """A scope by its number and its secret: a scope that is made anew has another one."""

    scope: int
    salt: bytes


def rows_of(snapshot: Connection, rows: Iterable[int]) -> list[TermRow]:
    """Those of these rows that are recallable."""
    return [TermRow(*each) for each in select(snapshot, _ROWS, (listed(rows),))]


def _indexed(snapshot: Connection, scope: int) -> list[int]:
    """The recallable rows of a scope; none while some of them are not in the text index yet."""
    rows = select(
        snapshot,
        "SELECT row, indexed FROM memory WHERE scope = ? AND recallable = 1 ORDER BY row",
        (scope,),
    )
    return [row for row, _ in rows] if all(indexed for _, indexed in rows) else []


class TermPartitions:
    """The partitions in memory. Whoever made it closes it, before the file.

    Used on the event loop, but for `at_hand`.
    """

    def __init__(self, database: Database, smallest: int, most: int = MOST_TERMS) -> None:
        self.changes = 0
        """Committed changes so far; a search looks at those from before it was asked for."""
        self._database = database
        self._smallest = smallest
        self._most = most
        self._lock = RLock()
        self._of: OrderedDict[TermKey, TermPartition] = OrderedDict()
        self._tasks: dict[TermKey, asyncio.Task[None]] = {}

    @property
    def held(self) -> int:
        """Scopes that are in memory, or being loaded."""
        with self._lock:
            return len(self._of)

    def wants(self, rows: int, terms: int) -> bool:
        """Whether a scope with so many rows, and terms in them, is to be held."""
        return rows >= self._smallest and terms <= self._most

    def at_hand(self, key: TermKey) -> TermPartition | None:
        """The partition if it is loaded. May be called in any thread."""
        with self._lock:
            partition = self._of.get(key)
            if partition is None or not partition.complete:
                return None
            if partition.worn:
                self._forget(key)
                return None
            self._of.move_to_end(key)
            return partition

    def load(self, keys: Iterable[TermKey]) -> None:
        """Begin to load these. Returns at once."""
        for key in keys:
            if key not in self._tasks:
                task = asyncio.create_task(self._load(key))
                self._tasks[key] = task
                task.add_done_callback(lambda _, key=key: self._tasks.pop(key))

    def follow(self, changed: Mapping[int, Iterable[int]]) -> None:
        """These rows, by scope, have changed with a commit. Call before the next commit."""
        self.changes += 1
        with self._lock:
            followed = [(key, each) for key, each in self._of.items() if key.scope in changed]
        for key, partition in followed:
            for row in changed[key.scope]:
                partition.follow(self.changes, row)

    async def loaded(self) -> None:
        """Wait until nothing is being loaded."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def aclose(self) -> None:
        """Drop everything."""
        for task in list(self._tasks.values()):
            task.cancel()
        await self.loaded()
        self._of.clear()

    async def _load(self, key: TermKey) -> None:
        partition = TermPartition()
        with self._lock:
            # There before it is filled: it is to be told of what changes meanwhile.
            self._of[key] = partition
        try:
            every = await self._database.read(lambda con: _indexed(con, key.scope))
            for start in range(0, len(every), PAGE):
                some = every[start : start + PAGE]
                page = await self._database.read(lambda con, some=some: rows_of(con, some))
                await asyncio.to_thread(partition.fill, page)
            if every:
                await asyncio.to_thread(partition.filled)
                self._make_room()
        except StorageError as error:
            logger.warning("the terms of a scope were not loaded: %s", error)
        finally:
            if not partition.complete:
                self._forget(key)

    def _make_room(self) -> None:
        with self._lock:
            while len(self._of) > 1 and sum(each.size for each in self._of.values()) > self._most:
                self._forget(next(iter(self._of)))

    def _forget(self, key: TermKey) -> None:
        with self._lock:
            self._of.pop(key, None)
