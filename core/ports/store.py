"""The memory store: its roles, and their sum. Backends are interchangeable."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from ..forgetting.lifecycle import BinPolicy, DecayPlan
from ..forgetting.population import Population
from ..model.errors import MemoryNotFound
from ..model.knowledge import IntentionStatus
from ..model.memory import Kind, Memory, Status
from .models import Vector

type Change = Callable[[Memory], Memory]
type Condition = Callable[[Memory], bool]

AT_ONCE = 2_000
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

    def pages(self, where: Filter, *, size: int = 200) -> AsyncIterator[list[Memory]]:
        """Every match once, in id order, at most so many at a time and at least one.

        Never holds a transaction open.
        """
        ...

    async def planned(self, where: Filter) -> AsyncIterator[tuple[Sequence[str], Population]]:
        """Ids of every match, some at a time, with what a decay plan looks at of each.

        A store may read that quicker than memories; what is no memory may be among them until a
        call that reads it comes upon it.
        """
        async for page in self.pages(where, size=AT_ONCE):
            yield [memory.id for memory in page], await asyncio.to_thread(Population.of, page)

    async def iterate(self, where: Filter, *, page: int = 200) -> AsyncIterator[Memory]:
        """The same one by one."""
        async for some in self.pages(where, size=page):
            for memory in some:
                yield memory

    async def count(self, where: Filter) -> int:
        """How many match."""
        ...

    async def tally(self, tiers: Tiers, scopes: frozenset[str] | None = None) -> Tally:
        """Counts for statistics."""
        ...

    async def scopes(self) -> Mapping[str, int]:
        """Every scope that has a memory in any status, with its number of live memories."""
        ...

    async def changes(self, scope: str) -> str:
        """A mark that is another one once something changed in the scope that a sleep looks at.

        What fades is no change, nor is a raw turn that leaves. It holds while the store is open.
        """
        ...

    async def unreadable(self) -> list[Unreadable]:
        """What has been set aside so far, by id. `purge` deletes it, `put` of its id replaces it.

        Looks for obviously damaged records first, where that does not mean reading every record.
        """
        ...


class MemoryRecords(MemoryReader, Protocol):
    """Reading and changing records; indexes follow."""

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


@dataclass(frozen=True, slots=True)
class Mention:
    """That a memory mentions an entity, given by its id (`core.text.display_names.entity_id`)."""

    entity: str
    memory: str


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A memory from which another one, `of`, was made, and how many steps it lies from the memory
    the search began with.

    `predicate` is what the relation says, in the words of `core.graph.links.LINEAGE`.
    """

    memory: str
    of: str
    predicate: str
    distance: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory's id and its score on one leg, 0..1, higher is better.

    `rarest`, of a search for words: how rare the rarest one is that matches, 0..1; `nats`: the
    BM25 itself, whatever the rest of the query reaches. `view`, of a search by meaning: which view
    was nearest, "" for the whole.
    """

    id: str
    score: float
    rarest: float = 0.0
    view: str = ""
    nats: float = 0.0


@dataclass(frozen=True, slots=True)
class DecayCount:
    """What one pass of forgetting did: memories weakened, binned, archived, summarised, demoted.

    Those summarised are among those binned; those demoted are not among those weakened.
    """

    weakened: int
    binned: int
    archived: int = 0
    summarised: int = 0
    demoted: int = 0

    def __add__(self, other: "DecayCount") -> "DecayCount":
        return DecayCount(
            self.weakened + other.weakened,
            self.binned + other.binned,
            self.archived + other.archived,
            self.summarised + other.summarised,
            self.demoted + other.demoted,
        )


type Views = Mapping[str, Vector]
"""Vectors of the views of a memory beside the whole, by name."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A memory's vector, at unit length, and the fingerprint of what it came from.

    `views` are the vectors of its further views by name (`core/model/memory.py`), none if it has
    only the one.
    """

    fingerprint: str
    vector: Vector
    views: Views = field(default_factory=dict[str, Vector])


class MemoryVectors(Protocol):
    """Vectors of records: searched, read and attached."""

    async def search_vector(
        self,
        query: Vector,
        fingerprint: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        """Cosine, negative ones as 0, over vectors of exactly this fingerprint.

        A memory counts once, by its nearest view, which the hit names. With `kinds`, the best
        among memories of these.
        """
        ...

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        """The vectors of those of these memories that have one, in any status."""
        ...

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        """Recallable memories with no vector of this fingerprint, newest first."""
        ...

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        """(recallable memories with a vector of this fingerprint, recallable memories)."""
        ...

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        """Attach a vector to each memory, with its `views`; unknown ids are skipped.

        Returns the count of memories. What a memory had before, further views too, is replaced as
        a whole: the newest fingerprint wins. Unit length is ensured here. ValueError for vectors
        that differ in dimension and for views of unknown names.
        """
        ...


class MemoryStore(MemoryRecords, MemoryVectors, Protocol):
    """Canonical memory records with text and vector search. Interchangeable backends.

    Scope isolation: every search takes scopes and finds nothing outside them. Searches see only
    recallable memories (live and not replaced). Order of a search: score descending, then id.

    A record that cannot be read is set aside by the first call that comes upon it, and fails no
    call: from then on it is in no answer and no count but `unreadable`. A vector that is broken
    is none, and is dropped.
    """

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        """How many recallable memories mention each of these entities; entities with none are left
        out.

        What a memory mentions is told by `core.graph.links.mentions`.
        """
        ...

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        """Entity by entity the recallable memories that mention it, at most `limit` of each.

        The newest first, ties by id.
        """
        ...

    async def ancestors(
        self, ids: Sequence[str], scopes: frozenset[str], *, depth: int = 5
    ) -> list[Ancestor]:
        """What these memories came from, in any status, and so on for at most `depth` steps.

        Breadth first over the relations of `core.graph.links.LINEAGE`, each memory once, those of
        `ids` not at all; the way never leads through what is outside the scopes or purged.
        """
        ...

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        """For each turn, the recallable non-evidence memories whose origin names it."""
        ...

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
        own: str = "",
    ) -> list[Scored]:
        """BM25 over the terms of text, summary and cues (`core.text`).

        With `kinds`, the best among memories of these; the statistics are still of all but `own`,
        the id of the turn that asks: it says every word of itself.
        """
        ...

    async def indexed(self, scopes: frozenset[str]) -> dict[str, int]:
        """How many memories of each of these scopes the index holds, at no cost of their number.

        Scopes without any may be missing.
        """
        ...

    async def decay(
        self,
        now: float,
        plan: DecayPlan,
        bin_policy: BinPolicy,
        scopes: frozenset[str] | None = None,
    ) -> DecayCount:
        """`plan.applied` to every live memory of these scopes (None: of all).

        `standing.since` of those binned is exactly `now`. Running it twice changes nothing more.
        """
        ...

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        """Ids of binned memories whose `purge_at` has passed."""
        ...

    async def check(self) -> None:
        """Raises StorageError while memories cannot be read and written. Changes nothing."""
        ...

    async def owner(self) -> str | None:
        """The id of the journal that these memories belong to; None if none was ever named."""
        ...

    async def belong_to(self, journal: str) -> None:
        """Name that journal, in place of any other."""
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...
