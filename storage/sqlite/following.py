"""What is in memory of the file, and follows each commit before whoever waits for it is told."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ...core.model.memory import Memory
from ...core.ports import Embedded
from ..connections import Database
from ..partitions import Partitions, VectorChange
from . import vector_table
from .read_cache import CacheById, MemoryCache
from .term_partitions import TermPartitions
from .writing import Amended, Rows


class InMemory:
    """Vectors and terms to search, and what was read last. Of one store, on the event loop."""

    def __init__(self, database: Database, partitions: int, terms_from: int) -> None:
        self.partitions = Partitions(lambda key: vector_table.pages(database, key), partitions)
        self.terms = TermPartitions(database, terms_from)
        self.rows = MemoryCache()
        self.memories = CacheById[Memory]()
        self.vectors = CacheById[Embedded]()

    def inserted(self, rows: Rows) -> None:
        """New rows."""
        self.terms.follow(rows)

    def amended(self, ids: Sequence[str], amended: Amended) -> None:
        """Some of these memories are others now."""
        self.partitions.follow(amended.vectors)
        self.terms.follow(amended.rows)
        self._forget(ids)

    def deleted(self, ids: Sequence[str], changes: Sequence[VectorChange]) -> None:
        """Some of these memories are gone, with these rows."""
        self.partitions.follow(changes)
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for change in changes:
            rows[change.scope].append(change.row)
        self.terms.follow(rows)
        self._forget(ids)

    def decayed(self, gone: Mapping[int, Sequence[int]]) -> None:
        """Any memory may have faded, and these rows are not recalled any more."""
        self.memories.forget_all()
        if gone:
            self.partitions.withdraw(gone)
            self.terms.follow(gone)

    def embedded(self, ids: Iterable[str], changes: Sequence[VectorChange]) -> None:
        """Some of these memories have other vectors."""
        self.partitions.follow(changes)
        self.vectors.forget(ids)

    async def aclose(self) -> None:
        """Drop everything."""
        await self.terms.aclose()
        await self.partitions.close()

    def _forget(self, ids: Sequence[str]) -> None:
        # What is deleted should not stay in memory.
        self.rows.forget(ids)
        self.memories.forget(ids)
        self.vectors.forget(ids)
