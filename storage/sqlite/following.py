"""What is in memory of the file, and follows each commit before whoever waits for it is told."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ...core.model.memory import Memory
from ...core.ports import Embedded
from ..changes import Changes
from ..connections import Database
from ..partitions import Partitions, VectorChange
from . import vector_table
from .text import TermPartitions
from .writing import Amended, Rows

MOST = 4_000
"""Some 12 MB of memories, and 6 of vectors."""


class CacheById[T]:
    """What is known by id, the last used ones. Used on the event loop."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._known: OrderedDict[str, T] = OrderedDict()
        self.changes = 0
        """How often something was forgotten."""

    @property
    def ids(self) -> frozenset[str]:
        """Of what is kept."""
        return frozenset(self._known)

    def known(self, ids: Iterable[str]) -> dict[str, T]:
        """Those of these that are known."""
        found = {id: self._known[id] for id in ids if id in self._known}
        for id in found:
            self._known.move_to_end(id)
        return found

    def keep(self, found: Mapping[str, T], changes: int) -> None:
        """Keep what was read, unless something was forgotten since `changes`."""
        if changes != self.changes:
            return
        self._known.update(found)
        for id in found:
            self._known.move_to_end(id)
        while len(self._known) > self._most:
            self._known.popitem(last=False)

    def forget(self, ids: Iterable[str]) -> None:
        """These have changed, or are gone."""
        self.changes += 1
        for id in ids:
            self._known.pop(id, None)

    def forget_all(self) -> None:
        """Any of them may have changed."""
        self.changes += 1
        self._known.clear()


class InMemory:
    """Vectors and terms to search, and what was read last. Of one store, on the event loop."""

    def __init__(self, database: Database, most_held: int) -> None:
        self.partitions = Partitions(lambda key: vector_table.pages(database, key), most_held)
        self.terms = TermPartitions(database)
        self.memories = CacheById[Memory]()
        self.vectors = CacheById[Embedded]()
        self.changes = Changes[int]()

    def inserted(self, rows: Rows) -> None:
        """New rows."""
        self.terms.follow(rows)
        self.changes.note(rows)

    def amended(self, ids: Sequence[str], amended: Amended) -> None:
        """Some of these memories are others now."""
        self.partitions.follow(amended.vectors)
        self.terms.follow(amended.rows)
        self.changes.note(amended.news)
        self._forget(ids)

    def deleted(self, ids: Sequence[str], changes: Sequence[VectorChange]) -> None:
        """Some of these memories are gone, with these rows."""
        self.partitions.follow(changes)
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for change in changes:
            rows[change.scope].append(change.row)
        self.terms.follow(rows)
        self._forget(ids)

    def decayed(self, gone: Mapping[int, Sequence[int]], learnt: Iterable[int]) -> None:
        """Any memory may have faded, and these rows are not recalled any more.

        Of the scopes `learnt` it is not raw turns alone.
        """
        self.changes.note(learnt)
        self.memories.forget_all()
        if gone:
            self.partitions.withdraw(gone)
            self.terms.follow(gone)

    def embedded(self, ids: Iterable[str], changes: Sequence[VectorChange]) -> None:
        """Some of these memories have other vectors."""
        self.partitions.follow(changes)
        self.changes.note(change.scope for change in changes)
        self.vectors.forget(ids)

    async def aclose(self) -> None:
        """Drop everything."""
        await self.terms.close()
        await self.partitions.close()

    def _forget(self, ids: Sequence[str]) -> None:
        # What is deleted should not stay in memory.
        self.memories.forget(ids)
        self.vectors.forget(ids)
