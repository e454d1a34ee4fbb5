"""Part of the memory store: reading and writing memory records."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from ..forgetting.population import Population
from ..model.errors import MemoryNotFound
from ..model.intentions import IntentionStatus
from ..model.memory import Kind, Memory, Status

type Change = Callable[[Memory], Memory]
type Condition = Callable[[Memory], bool]

COLUMNS_AT_ONCE = 2_000
"""Memories read before they are made columns, so that few of them are in memory as memories."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories; None means any. `scopes` empty means none at all.

    `score` is a half-open range of TMD's useful score, so that a tier can be listed;
    `created_before` a Unix time, exclusive; `happened` a closed interval of `happened_at`;
    `slots` are those of `Memory.claim`, and `holds` what `Memory.holds` says. `intentions` are the
    states of `Memory.intention`; `due` is a closed interval of `Memory.due_at`. `tag` is one that
    the memory has, in whatever case and Chinese script.
    """

    scopes: frozenset[str] | None = None
    status: Status | None = Status.LIVE
    kinds: frozenset[Kind] | None = None
    recallable: bool | None = None
    exempt: bool | None = None
    score: tuple[float, float] | None = None
    created_before: float | None = None
    happened: tuple[float, float] | None = None
    slots: frozenset[str] | None = None
    holds: bool | None = None
    intentions: frozenset[IntentionStatus] | None = None
    due: tuple[float, float] | None = None
    tag: str | None = None


class Order(StrEnum):
    """Order of a listing; ties by id. `LATEST` is by `happened_at`, newest first."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LATEST = "latest"
    STRONGEST = "strongest"


@dataclass(frozen=True, slots=True)
class Amendment:
    """A memory before and after a change that did change it."""

    before: Memory
    after: Memory


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Memories as a forgetting policy looks at them, with the id and the scope of each row."""

    ids: Sequence[str]
    scopes: Sequence[str]
    population: Population

    @classmethod
    def of(cls, memories: Sequence[Memory]) -> "Columns":
        """Of these memories, in their order."""
        ids, scopes = [m.id for m in memories], [m.scope for m in memories]
        return cls(ids, scopes, Population.of(memories))


class Tiers(Protocol):
    """The useful scores at which tiers 1 and 2 begin."""

    def tier(self, useful_score: float) -> int:
        """0, 1 or 2."""
        ...


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over a set of scopes; `tiers` counts live memories by tier 0, 1, 2."""

    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, int]
    tiers: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A stored record that cannot be read as a memory: damaged, or with unknown values.

    `raw` is all that is stored of it, as JSON values; `problem` says what does not fit.
    """

    id: str
    scope: str
    problem: str
    raw: Mapping[str, Any]


class MemoryReader(Protocol):
    """Looking records up."""

    async def get(self, memory_id: str, scopes: frozenset[str] | None = None) -> Memory:
        """Raises MemoryNotFound if absent or outside `scopes` (None: any scope)."""
        for memory in await self.find([memory_id], scopes):
            return memory
        raise MemoryNotFound(memory_id)

    async def find(self, ids: Sequence[str], scopes: frozenset[str] | None = None) -> list[Memory]:
        """Those that exist (any status) and lie within `scopes`, in the order of `ids`."""
        ...

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        """Ids that start with `prefix` (case-insensitive, any status) in `scopes`; at most 10.

        `%` and `_` have no special meaning.
        """
        ...

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        """One page."""
        ...

    def iterate(self, where: Filter, *, page: int = 200) -> AsyncIterator[Memory]:
        """Every match once, in id order, read page by page; never holds a transaction open."""
        ...

    async def columns(self, where: Filter, *, lean: bool = False) -> AsyncIterator[Columns]:
        """Every match, in no order, some at a time: quicker to read than memories.

        Those of a `lean` one need hold no more than what a decay plan looks at. What is no memory
        may be among them until a call that reads it comes upon it.
        """
        page: list[Memory] = []
        async for memory in self.iterate(where):
            page.append(memory)
            if len(page) == COLUMNS_AT_ONCE:
                yield Columns.of(page)
                page = []
        yield Columns.of(page)

    async def count(self, where: Filter) -> int:
        """How many match."""
        ...

    async def tally(self, tiers: Tiers, scopes: frozenset[str] | None = None) -> Tally:
        """Counts for statistics."""
        ...

    async def scopes(self) -> Mapping[str, int]:
        """Every scope that has a memory in any status, with its number of live memories."""
        ...

    async def unreadable(self) -> list[Unreadable]:
        """What has been set aside so far, by id. `purge` deletes it, `put` of its id replaces it.

        Looks for obviously damaged records first, where that does not mean reading every record.
        """
        ...


class MemoryWriter(Protocol):
    """Changing records. Indexes follow."""

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        """Add those whose id is new; ids already known, in any status, stay untouched.

        Returns the ids that were added. One transaction.
        """
        ...

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        """Read, apply the pure `change`, write back, in one transaction; unknown ids are skipped.

        Indexes follow. `change` must keep id and scope (ValueError otherwise). A memory that
        comes back equal is neither written nor reported. If `change` raises, nothing is changed.
        """
        ...

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        """Delete for good, with every index entry and vector. Returns the ids that were deleted.
        With `only`, just those for which it holds at the moment of deletion.
        """
        ...

    async def wiped(self) -> None:
        """Wait until no byte is left of what was purged, if the backend can tell.

        Without waiting, this happens soon after.
        """
        ...


class MemoryRecords(MemoryReader, MemoryWriter, Protocol):
    """Reading and writing records."""
