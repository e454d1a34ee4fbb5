"""What was read last, by id: turn after turn a recall reads much the same memories and vectors.

What a commit changes is forgotten on the event loop before whoever waits for the commit is told,
and what was read beside a commit is not kept: it may be from before it. Only one process writes.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock

from ...core.model.memory import Memory
from .records import ID, Row, decoded

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


class MemoryCache:
    """The memories of the rows read last, by id. Thread-safe.

    A row is compared, all of it, with the one that the memory was made of: whatever has changed is
    read anew, whoever changed it.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[Row, Memory]] = OrderedDict()

    @property
    def ids(self) -> frozenset[str]:
        """Of what is kept."""
        with self._lock:
            return frozenset(self._known)

    def decoded(self, row: Row) -> Memory:
        """The memory of a row. Raises UnreadableRecord."""
        known = self._known.get(row[ID])
        memory = known[1] if known is not None and known[0] == row else decoded(row)
        with self._lock:
            self._known[memory.id] = (row, memory)
            self._known.move_to_end(memory.id)
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return memory

    def forget(self, ids: Iterable[str]) -> None:
        """Keep nothing of these: what is deleted should not stay in memory."""
        with self._lock:
            for id in ids:
                self._known.pop(id, None)
