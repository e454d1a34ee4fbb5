"""The memory store: records with text and vector search, interchangeable backends.

Every call may be cancelled; a cancelled write is either whole or absent. Times are Unix seconds.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from ..forgetting.lifecycle import BinPolicy
from ..forgetting.tmd import Tmd
from ..model.memory import Kind, Memory, Status
from .models import Vector

type Change = Callable[[Memory], Memory]
type Condition = Callable[[Memory], bool]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories; None means any. `scopes` empty means none at all.

    `score` is a half-open range of TMD's useful score, so that a tier can be listed;
    `created_before` a Unix time, exclusive; `happened` a closed interval of `happened_at`.
    """

    scopes: frozenset[str] | None = None
    status: Status | None = Status.LIVE
    kinds: frozenset[Kind] | None = None
    recallable: bool | None = None
    exempt: bool | None = None
    score: tuple[float, float] | None = None
    created_before: float | None = None
    happened: tuple[float, float] | None = None


class Order(StrEnum):
    """Order of a listing; ties by id. `LATEST` is by `happened_at`, the last thing first."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LATEST = "latest"
    STRONGEST = "strongest"


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory's id and its score on one leg, 0..1, higher is better."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Mention:
    """That a memory mentions an entity, given by its id (`core.text.names.entity_id`)."""

    entity: str
    memory: str


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A memory that another one, `of`, came from, and how many steps it is from where one began.

    `predicate` is what the relation says, in the words of `core.links.LINEAGE`.
    """

    memory: str
    of: str
    predicate: str
    distance: int


@dataclass(frozen=True, slots=True)
class Embedded:
    """A memory's vector, at unit length, and the fingerprint of what it came from."""

    fingerprint: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Amendment:
    """A memory before and after a change that did change it."""

    before: Memory
    after: Memory


@dataclass(frozen=True, slots=True)
class DecayCount:
    """What one pass of forgetting did: memories weakened, binned, archived, summarised.

    Those summarised are among those binned.
    """

    weakened: int
    binned: int
    archived: int = 0
    summarised: int = 0

    def __add__(self, other: "DecayCount") -> "DecayCount":
        return DecayCount(
            self.weakened + other.weakened,
            self.binned + other.binned,
            self.archived + other.archived,
            self.summarised + other.summarised,
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over a set of scopes; `tiers` counts live memories by TMD tier 0, 1, 2."""

    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, int]
    tiers: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A stored record that is no memory: damaged, or with values that nobody knows.

    `raw` is all that is stored of it, as JSON values; `problem` says what does not fit.
    """

    id: str
    scope: str
    problem: str
    raw: Mapping[str, Any]


class MemoryStore(Protocol):
    """Canonical memory records with text and vector search. Interchangeable backends.

    Scope isolation: every search takes scopes and finds nothing outside them. Searches see only
    recallable memories (live and not replaced). Order of a search: score descending, then id.

    A record that cannot be read is set aside by the first call that comes upon it, and fails no
    call: from then on it is in no answer and no count but `unreadable`. A vector that is broken
    is none, and is dropped.
    """

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        """Add those whose id is new; ids already known, in any status, stay untouched.

        Returns the ids that were added. One transaction.
        """
        ...

    async def get(self, memory_id: str, scopes: frozenset[str] | None = None) -> Memory:
        """Raises MemoryNotFound if absent or outside `scopes` (None: any scope)."""
        ...

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

    async def count(self, where: Filter) -> int:
        """How many match."""
        ...

    async def tally(self, policy: Tmd, scopes: frozenset[str] | None = None) -> Tally:
        """Counts for statistics."""
        ...

    async def scopes(self) -> Mapping[str, int]:
        """Every scope that has a memory in any status, with its number of live memories."""
        ...

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        """For each turn, the recallable non-evidence memories whose origin names it."""
        ...

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        """Read, apply the pure `change`, write back, in one transaction; unknown ids are skipped.

        Indexes follow. `change` must keep id and scope (ValueError otherwise). A memory that
        comes back equal is neither written nor reported. If `change` raises, nothing is changed.
        """
        ...

    async def decay(self, now: float, policy: Tmd, bin_policy: BinPolicy) -> DecayCount:
        """Natural decay of every live memory, then spent ones to the bin with reason "decayed".

        `standing.since` of those binned is exactly `now`. Running it twice changes nothing more.
        """
        ...

    async def binned_at(self, now: float, *, after: str = "", limit: int = 500) -> list[Memory]:
        """Memories whose `standing.since` is exactly `now` and that are binned, by id."""
        ...

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        """Delete for good, with every index entry and vector. Returns those that are gone.

        With `only`, those alone for which it holds at the moment of the deletion.
        """
        ...

    async def unreadable(self) -> list[Unreadable]:
        """What has been set aside so far, by id. `purge` deletes it, `put` of its id replaces it.

        Looks for what is plainly damaged first, where that costs no reading of every record.
        """
        ...

    async def wiped(self) -> None:
        """Wait until no byte is left of what was purged, if the backend can; else it is soon so."""
        ...

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        """Ids of binned memories whose `purge_at` has passed."""
        ...

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        """BM25 over the terms of text, summary and cues (`core.text`).

        With `kinds`, the best among memories of these; the statistics are still of all.
        """
        ...

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

        With `kinds`, the best among memories of these.
        """
        ...

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        """How many recallable memories mention each of these entities, where any does.

        What a memory mentions is told by `core.links.mentions`.
        """
        ...

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        """Entity by entity the recallable memories that mention it, at most `limit` of each.

        The newest first, ties by id.
        """
        ...

    async def mentioned(self, memories: Sequence[str], scopes: frozenset[str]) -> list[Mention]:
        """Memory by memory all that it mentions, by name; only of recallable ones."""
        ...

    async def ancestors(
        self, ids: Sequence[str], scopes: frozenset[str], *, depth: int = 5
    ) -> list[Ancestor]:
        """What these memories came from, in any status, and so on for at most `depth` steps.

        Breadth first over the relations of `core.links.LINEAGE`, each memory once, those of
        `ids` not at all; the way never leads through what is outside the scopes or purged.
        """
        ...

    async def set_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> int:
        """Attach one vector per memory, replacing any; unknown ids are skipped. Returns count.

        Unit length is ensured here. One vector per memory: the newest fingerprint wins.
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
