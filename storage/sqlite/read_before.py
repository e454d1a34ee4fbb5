"""A cache of decoded memories: recalls of one chat read much the same ones."""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

from ...core.model.memory import Memory
from .records import ID, Row, decoded

MOST = 4_000
"""Some 12 MB of them."""


class ReadBefore:
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
