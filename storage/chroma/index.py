"""One index of words, mentions and times per scope, in memory, made from the records when wanted.

The same terms and the same BM25 as every other store, so that results agree.
"""

import heapq
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from ...core.graph.communities import mentions
from ...core.languages.terms import index_terms
from ...core.model.memory import Kind, Memory
from ...core.ports import Filter, Scored
from ...core.records.serialisation import indexed_text
from ..partitions import Fillable, Loaded, ScopeKey
from ..term_partition import MOST_HELD, TermPartition, TermRow
from .client import batches

INDEXED = 300
"""Records read into an index at a time: a writer waits for so many at most."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A recallable memory as the index sees it; `turns` are those it distils.

    `mentions` are ids of entities, each once; times are Unix seconds, `due_at` as in `Memory`.
    """

    id: str
    text: str
    turns: Sequence[int]
    kind: Kind = Kind.SEMANTIC
    created_at: float = 0.0
    happened_at: float = 0.0
    mentions: Sequence[str] = ()
    due_at: float | None = None

    def lies_in(self, where: Filter) -> bool:
        """Whether its times and its kind are those of the filter."""
        happened, due = where.happened, where.due
        return (
            (where.kinds is None or self.kind in where.kinds)
            and (happened is None or happened[0] <= self.happened_at <= happened[1])
            and (due is None or (self.due_at is not None and due[0] <= self.due_at <= due[1]))
        )


def entry_of(memory: Memory) -> IndexEntry:
    """The entry of a memory."""
    return IndexEntry(
        memory.id,
        indexed_text(memory),
        () if memory.kind is Kind.EVIDENCE else memory.origin.turns,
        memory.kind,
        memory.created_at,
        memory.happened_at,
        mentions(memory),
        memory.due_at,
    )


class ScopeIndex(Fillable[Iterable[IndexEntry]]):
    """One scope's recallable memories. Thread-safe; filled before the first search."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._entries: dict[str, IndexEntry] = {}
        self._having: defaultdict[str | int, set[str]] = defaultdict(set)
        """Ids by the entities they mention and the turns they distil."""
        self._terms = TermPartition()
        self._rows: dict[str, int] = {}
        self._numbered = 0
        self._unread: dict[int, TermRow] = {}
        """Rows that the terms have not taken up yet."""
        self._newer: set[str] = set()
        """Memories that have changed since what is filled in was read."""

    @property
    def size(self) -> int:
        """See `TermPartition.size`."""
        return self._terms.size

    @property
    def rows(self) -> int:
        """Memories in it."""
        return len(self._entries)

    @property
    def worn(self) -> bool:
        return self._terms.worn

    def fill(self, entries: Iterable[IndexEntry], /) -> None:
        """Add stored memories, unless they have changed meanwhile."""
        told = [(entry, index_terms(entry.text)) for entry in entries]
        with self._lock:
            rows = [
                self._replaced(entry, terms) for entry, terms in told if entry.id not in self._newer
            ]
        self._terms.fill(rows)

    def filled(self) -> None:
        self._terms.filled()
        with self._lock:
            super().filled()
            self._newer.clear()

    def change(self, gone: Iterable[str], come: Iterable[IndexEntry]) -> None:
        """Remove, then add; one step for every search. An id that is known is replaced."""
        told = [(entry, index_terms(entry.text)) for entry in come]
        with self._lock:
            gone = list(gone)
            if not self.complete:
                self._newer.update(gone, (entry.id for entry, _ in told))
            for id in gone:
                self._remove(id)
            for entry, terms in told:
                row = self._replaced(entry, terms)
                self._unread[row.row] = row
                self._terms.follow(0, row.row)

    def search(
        self, query: list[str], limit: int, kinds: Collection[Kind] | None = None, own: str = ""
    ) -> list[Scored]:
        """The best of these kinds by this scope's own statistics, without `own`."""
        row = self._rows.get(own)
        return self._terms.search(query, limit, kinds, row, 0, self._taken)

    def having(self, name: str | int) -> list[str]:
        """Ids of what mentions an entity, or distils a turn."""
        with self._lock:
            return sorted(self._having.get(name, ()))

    def newest(self, entity: str, limit: int) -> list[tuple[float, str]]:
        """The newest memories that mention it, ties by id: minus when they were made, their ids."""
        with self._lock:
            found = ((-self._entries[id].created_at, id) for id in self._having.get(entity, ()))
            return heapq.nsmallest(max(0, limit), found)

    def of_kinds(self, kinds: Collection[Kind]) -> frozenset[str]:
        """Ids of the memories of these kinds."""
        with self._lock:
            return frozenset(id for id, each in self._entries.items() if each.kind in kinds)

    def dated(self, where: Filter) -> list[tuple[float, str]]:
        """What lies in a filter's times: minus when it happened, and the memory's id."""
        with self._lock:
            inside = (each for each in self._entries.values() if each.lies_in(where))
            return [(-each.happened_at, each.id) for each in inside]

    def _replaced(self, entry: IndexEntry, terms: Sequence[str]) -> TermRow:
        self._remove(entry.id)
        self._numbered += 1
        # The text has become terms.
        self._entries[entry.id] = replace(entry, text="")
        self._rows[entry.id] = self._numbered
        for name in (*entry.mentions, *entry.turns):
            self._having[name].add(entry.id)
        return TermRow(self._numbered, entry.id, entry.kind.value, " ".join(terms))

    def _remove(self, id: str) -> None:
        if (entry := self._entries.pop(id, None)) is None:
            return
        for name in (*entry.mentions, *entry.turns):
            self._having[name].discard(id)
            if not self._having[name]:
                del self._having[name]
        row = self._rows.pop(id)
        self._unread.pop(row, None)
        self._terms.follow(0, row)

    def _taken(self, rows: Sequence[int]) -> list[TermRow]:
        with self._lock:
            return [row for row in (self._unread.pop(each, None) for each in rows) if row]


class Load(Protocol):
    """Runs blocking work in turn with what writes."""

    async def __call__[T](self, work: Callable[[], T]) -> T:
        """What the work returns."""
        ...


class Indexes(Loaded[ScopeKey[str], ScopeIndex]):
    """The indexes in memory.

    `ids` tells the recallable memories of a scope, `entries` reads some of them.
    """

    def __init__(
        self,
        load: Load,
        ids: Callable[[str], list[str]],
        entries: Callable[[list[str]], list[IndexEntry]],
        most_held: int = MOST_HELD,
    ) -> None:
        super().__init__(self._pages, lambda _: ScopeIndex(), most_held)
        self._in_turn, self._ids, self._entries = load, ids, entries

    async def of(self, scope: str) -> ScopeIndex:
        """The index of a scope, filled once for all who wait for it."""
        key = ScopeKey(scope)
        index = self.at_hand(key) or await self.load(key)
        # A failure meanwhile may have made it doubtful.
        return index if self.at_hand(key) is index else await self.load(key)

    def change(self, scope: str, gone: Iterable[str], come: Iterable[IndexEntry]) -> None:
        """Keep the index of a scope in step, if it is in memory or being filled."""
        for _, index in self._of_scopes([scope]):
            index.change(gone, come)

    def drop(self, scopes: Iterable[str]) -> None:
        """Forget what may no longer be true. From any thread."""
        with self._lock:
            for scope in scopes:
                self._slots.pop(ScopeKey(scope), None)

    async def _pages(self, key: ScopeKey[str]) -> AsyncGenerator[list[IndexEntry]]:
        # Between two pages others write: the index is told of that.
        for some in batches(await self._in_turn(lambda: self._ids(key.scope)), INDEXED):
            yield await self._in_turn(lambda some=some: self._entries(some))
