"""`MemoryStore` over one SQLite file. Every method is one transaction or one snapshot."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from ...core.errors import MemoryNotFound, StorageError
from ...core.forgetting.lifecycle import BinPolicy
from ...core.forgetting.tmd import Tmd
from ...core.memory import Memory
from ...core.ports import (
    Amendment,
    Change,
    DecayCount,
    Filter,
    MemoryStore,
    Order,
    Scored,
    Tally,
    Vector,
)
from .. import ranking
from ..connections import Database
from ..migrations import migrate
from ..partitions import PartitionKey, Partitions, VectorChange
from . import census, text, vector_table, writing
from .decay import decay
from .migrations import STEPS
from .records import IN_LIST, ORDERS, Condition, fetch, listed, matching, select, within

logger = logging.getLogger(__name__)

FILE = "memories.db"
READERS = 3
SETTLE_PAGE = 500
"""Index entries brought into step per transaction: a writer waits for one page at most."""


class SqliteStore(MemoryStore):
    """Opened by `open`. Owns the file, the partitions and the task that settles the index."""

    def __init__(self, database: Database, partitions_in_memory: int) -> None:
        self._database = database
        self._partitions = Partitions(
            lambda key: vector_table.pages(database, key), partitions_in_memory
        )
        self._settling: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, folder: Path, *, partitions_in_memory: int = 32) -> Self:
        """Open or create `memories.db`; nothing is loaded.

        Raises SchemaTooNew for a newer file and StorageError for one that cannot be used.
        """
        database = await Database.open(folder / FILE, readers=READERS)
        try:
            await migrate(database, STEPS)
            async with database.read() as snapshot:
                current = await text.is_current(snapshot)
            if not current:
                async with database.write() as transaction:
                    await text.reset(transaction)
            async with database.read() as snapshot:
                settled = await text.is_settled(snapshot)
        except BaseException:
            await database.close()
            raise
        store = cls(database, partitions_in_memory)
        if not settled:
            store._settle()
        return store

    @property
    def partitions(self) -> Partitions:
        """The vectors in memory."""
        return self._partitions

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        if not memories:
            return frozenset()
        async with self._database.write() as transaction:
            return await writing.insert(transaction, memories)

    async def get(self, memory_id: str, scopes: frozenset[str] | None = None) -> Memory:
        for memory in await self.find([memory_id], scopes):
            return memory
        raise MemoryNotFound(memory_id)

    async def find(self, ids: Sequence[str], scopes: frozenset[str] | None = None) -> list[Memory]:
        condition = Condition(f"memory.id {IN_LIST}", (listed(ids),)) & within(scopes)
        async with self._database.read() as snapshot:
            found = {memory.id: memory for memory in await fetch(snapshot, condition)}
        return [found[id] for id in dict.fromkeys(ids) if id in found]

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        inside = within(scopes)
        start = prefix.encode("utf-8", "replace").decode()
        async with self._database.read() as snapshot:
            rows = await select(
                snapshot,
                f"SELECT id FROM memory WHERE {inside.sql}"
                " AND lower(substr(id, 1, ?)) = lower(?) ORDER BY id LIMIT 10",
                (*inside.values, len(start), start),
            )
        return [id for (id,) in rows]

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        tail = f"ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?"
        return await self._fetch(matching(where), tail, limit, offset)

    async def iterate(self, where: Filter, *, page: int = 200) -> AsyncIterator[Memory]:
        after = ""
        while True:
            further = matching(where) & Condition("memory.id > ?", (after,))
            found = await self._fetch(further, "ORDER BY memory.id LIMIT ?", page)
            for memory in found:
                yield memory
            if len(found) < page:
                return
            after = found[-1].id

    async def count(self, where: Filter) -> int:
        condition = matching(where)
        async with self._database.read() as snapshot:
            [(count,)] = await select(
                snapshot, f"SELECT count(*) FROM memory WHERE {condition.sql}", condition.values
            )
        return count

    async def tally(self, policy: Tmd, scopes: frozenset[str] | None = None) -> Tally:
        async with self._database.read() as snapshot:
            return await census.tally(snapshot, policy, scopes)

    async def scopes(self) -> Mapping[str, int]:
        async with self._database.read() as snapshot:
            return await census.scopes(snapshot)

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        async with self._database.read() as snapshot:
            return await census.distilled(snapshot, turns, scopes)

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        changes: list[VectorChange] = []
        async with self._database.write(
            on_commit=lambda: self._partitions.follow(changes)
        ) as transaction:
            amendments, moved = await writing.amend(transaction, ids, change)
            changes += moved
        return amendments

    async def decay(self, now: float, policy: Tmd, bin_policy: BinPolicy) -> DecayCount:
        count = DecayCount(0, 0)

        def follow() -> None:
            if count.binned:
                self._partitions.forget_all()
                self._settle()

        async with self._database.write(on_commit=follow) as transaction:
            count = await decay(transaction, now, policy, bin_policy)
        return count

    async def binned_at(self, now: float, *, after: str = "", limit: int = 500) -> list[Memory]:
        condition = Condition(
            "memory.status = 'binned' AND memory.since = ? AND memory.id > ?", (now, after)
        )
        return await self._fetch(condition, "ORDER BY memory.id LIMIT ?", limit)

    async def purge(self, ids: Sequence[str]) -> frozenset[str]:
        changes: list[VectorChange] = []
        async with self._database.write(
            on_commit=lambda: self._partitions.follow(changes)
        ) as transaction:
            purged, gone = await writing.delete(transaction, ids)
            changes += gone
        if purged:
            async with self._database.write() as transaction:
                await text.expunge(transaction)
        return purged

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        async with self._database.read() as snapshot:
            rows = await select(
                snapshot,
                "SELECT id FROM memory WHERE status = 'binned' AND purge_at <= ?"
                " ORDER BY purge_at, id LIMIT ?",
                (now, limit),
            )
        return [id for (id,) in rows]

    async def search_text(
        self, query: str, scopes: frozenset[str], *, limit: int = 50
    ) -> list[Scored]:
        terms = ranking.searched_terms(query)
        if not terms or limit <= 0:
            return []
        async with self._database.read() as snapshot:
            found = await text.search(snapshot, terms, scopes, limit)
        return ranking.best(found, limit)

    async def search_vector(
        self, query: Vector, fingerprint: str, scopes: frozenset[str], *, limit: int = 50
    ) -> list[Scored]:
        if limit <= 0:
            return []
        straight = ranking.unit(query)
        async with self._database.read() as snapshot:
            numbers = await select(
                snapshot,
                f"SELECT number FROM scope WHERE key {IN_LIST} AND rows > 0",
                (listed(scopes),),
            )
        scores: dict[int, float] = {}
        for (scope,) in numbers:
            key = PartitionKey(scope, fingerprint, straight.size)
            scores |= await vector_table.nearest(self._partitions, key, straight, limit)
        async with self._database.read() as snapshot:
            return ranking.best(await vector_table.named(snapshot, scores), limit)

    async def set_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> int:
        changes: list[VectorChange] = []
        units = ranking.same_length(vectors)
        async with self._database.write(
            on_commit=lambda: self._partitions.follow(changes)
        ) as transaction:
            changes += await vector_table.attach(transaction, fingerprint, units)
        return len(changes)

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        async with self._database.read() as snapshot:
            return await census.unembedded(snapshot, fingerprint, limit)

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        async with self._database.read() as snapshot:
            return await census.embedded_count(snapshot, fingerprint)

    async def close(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
            await asyncio.wait({self._settling})
        await self._partitions.close()
        await self._database.close()

    async def settled(self) -> None:
        """Wait until exactly the recallable memories are in the text index."""
        if self._settling is not None:
            await asyncio.wait({self._settling})

    async def _fetch(self, condition: Condition, tail: str, *values: object) -> list[Memory]:
        async with self._database.read() as snapshot:
            return await fetch(snapshot, condition, tail, values)

    def _settle(self) -> None:
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle_all())

    async def _settle_all(self) -> None:
        try:
            while True:
                async with self._database.write() as transaction:
                    if not await text.settle(transaction, limit=SETTLE_PAGE):
                        return
        except StorageError as error:
            logger.warning("text index not settled, next start goes on: %s", error)
