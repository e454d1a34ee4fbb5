"""What the engine needs from outside: small protocols, each defined by its contract tests.

Every call may be cancelled; a cancelled write is either whole or absent. Times are Unix seconds.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .conversation import Episode, EpisodeEnd, Injected, NewTurn, Turn
from .forgetting.lifecycle import BinPolicy
from .forgetting.tmd import Tmd
from .memory import Kind, Memory, Status

type Vector = NDArray[np.float32]
type Change = Callable[[Memory], Memory]


class Clock(Protocol):
    """The only source of the present time."""

    def now(self) -> float:
        """Unix time in seconds."""
        ...


# --- memory store -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories; None means any. `scopes` empty means none at all."""

    scopes: frozenset[str] | None = None
    status: Status | None = Status.LIVE
    kinds: frozenset[Kind] | None = None
    recallable: bool | None = None


class Order(StrEnum):
    """Order of a listing; ties by id."""

    NEWEST = "newest"
    OLDEST = "oldest"
    STRONGEST = "strongest"


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory's id and its score on one leg, 0..1, higher is better."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Amendment:
    """A memory before and after a change that did change it."""

    before: Memory
    after: Memory


@dataclass(frozen=True, slots=True)
class DecayCount:
    """What one natural-decay pass did: memories weakened, memories moved to the bin."""

    weakened: int
    binned: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over a set of scopes; `tiers` counts live memories by TMD tier 0, 1, 2."""

    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, int]
    tiers: tuple[int, int, int]


class MemoryStore(Protocol):
    """Canonical memory records with text and vector search. Interchangeable backends.

    Scope isolation: every search takes scopes and finds nothing outside them. Searches see only
    recallable memories (live and not replaced). Order of a search: score descending, then id.
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

    async def purge(self, ids: Sequence[str]) -> frozenset[str]:
        """Delete for good, with every index entry and vector. Returns those that existed."""
        ...

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        """Ids of binned memories whose `purge_at` has passed."""
        ...

    async def search_text(
        self, query: str, scopes: frozenset[str], *, limit: int = 50
    ) -> list[Scored]:
        """BM25 over the terms of text, summary and cues (`core.text`)."""
        ...

    async def search_vector(
        self, query: Vector, fingerprint: str, scopes: frozenset[str], *, limit: int = 50
    ) -> list[Scored]:
        """Cosine, negative ones as 0, over vectors of exactly this fingerprint."""
        ...

    async def set_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> int:
        """Attach one vector per memory, replacing any; unknown ids are skipped. Returns count.

        Unit length is ensured here. One vector per memory: the newest fingerprint wins.
        """
        ...

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        """Recallable memories with no vector of this fingerprint, newest first."""
        ...

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        """(recallable memories with a vector of this fingerprint, recallable memories)."""
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...


# --- journal ------------------------------------------------------------------------------


class WorkKind(StrEnum):
    """Kinds of queued work."""

    INDEX_TURN = "index_turn"
    LEARN = "learn"
    SWEEP = "sweep"
    PURGE = "purge"


class WorkState(StrEnum):
    """READY to run (perhaps later), DONE, or DEAD after too many failures."""

    READY = "ready"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Work:
    """One unit of queued work. `key` is unique: queueing the same key again does nothing."""

    id: int
    kind: WorkKind
    key: str
    payload: Mapping[str, Any]
    attempts: int
    not_before: float


@dataclass(frozen=True, slots=True)
class Appended:
    """A turn that is on disk. `duplicate` if the same message was journaled before."""

    turn: Turn
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class EpisodeLimits:
    """When an open episode is closed: seconds of silence, turns, characters."""

    silence: float = 1800.0
    turns: int = 40
    characters: int = 12_000


@dataclass(frozen=True, slots=True)
class Extraction:
    """A model's or the rules' reply for one episode, kept before it is applied.

    `known` maps the numbers shown in the prompt to memory ids; `body` is the reply as JSON
    text; `source` names the extractor.
    """

    episode: str
    known: Mapping[int, str]
    body: str
    source: str


@dataclass(frozen=True, slots=True)
class Recollection:
    """What one recall did for one turn: the trace as JSON text and the block as injected."""

    turn: int
    at: float
    trace: str
    block: str
    injected: tuple[Injected, ...]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One change to a memory. `key` makes it unique, so repeating the work repeats no entry.

    `action` is created, judged, corrected, binned, restored, purged, pinned...; `by` is a
    policy, a person or "learning"; `detail` is JSON text with the numbers.
    """

    key: str
    memory: str
    scope: str
    action: str
    by: str
    at: float
    detail: str = "{}"


@dataclass(frozen=True, slots=True)
class Usage:
    """Model calls and tokens of one UTC day (ISO date)."""

    day: str
    calls: int
    tokens: int


type Segmenter = Callable[[Episode, NewTurn], EpisodeEnd | None]


class Journal(Protocol):
    """Always a local file: turns, injections, episodes, work queue, ledger, audit, aliases."""

    @property
    def id(self) -> str:
        """UUID of this journal, fixed at its creation: namespace of derived ids."""
        ...

    async def append(self, turn: NewTurn, segment: Segmenter) -> Appended:
        """Write the turn, its place in an episode and its INDEX_TURN work in one transaction.

        The open episode of the turn's session is continued unless `segment` ends it or the
        conversation or scope differs (EpisodeEnd.CONVERSATION; an unknown conversation, "",
        differs from none and takes the first name that comes); then it is closed, its LEARN
        work queued, and a new one opened. A turn with the role and non-empty message id of a
        turn already in this session is a duplicate: the stored turn comes back, nothing is
        written. INDEX_TURN key: "turn:<seq>", payload {"turn": seq}. Assistant turns queue it
        too. LEARN key: "learn:<episode id>", payload {"episode": id}.
        """
        ...

    async def turn(self, seq: int) -> Turn | None:
        """The turn, or None."""
        ...

    async def turns_of(self, episode: str) -> list[Turn]:
        """Turns of an episode by seq."""
        ...

    async def neighbours(self, seq: int) -> tuple[Turn | None, Turn | None]:
        """Turns just before and after within the same episode."""
        ...

    async def last_turns(self, session: str, limit: int) -> list[Turn]:
        """The newest turns of a session, oldest first."""
        ...

    async def episode(self, episode: str) -> Episode | None:
        """The episode, or None."""
        ...

    async def open_episode(self, session: str) -> Episode | None:
        """The open episode of a session."""
        ...

    async def close_episode(
        self, session: str, end: EpisodeEnd, *, at: float, before: int | None = None
    ) -> Episode | None:
        """Close the session's open episode and queue its LEARN work; None if none is open.

        With `before`, turns from that seq on move to a new open episode; None if nothing is
        earlier.
        """
        ...

    async def close_silent(self, *, quiet_since: float, at: float) -> list[Episode]:
        """Close every open episode whose last turn is at or before `quiet_since` (SILENCE)."""
        ...

    async def enqueue(
        self, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
    ) -> bool:
        """Queue work; False if the key is known (in any state)."""
        ...

    async def due(
        self, now: float, *, kinds: frozenset[WorkKind], limit: int, skip: frozenset[int]
    ) -> list[Work]:
        """READY work of `kinds` whose time has come, oldest first, without the ids in `skip`."""
        ...

    async def finish(self, work_id: int) -> None:
        """Mark DONE."""
        ...

    async def postpone(self, work_id: int, *, until: float, error: str) -> None:
        """Count a failed attempt and try again at `until`."""
        ...

    async def bury(self, work_id: int, error: str) -> None:
        """Give up: DEAD, kept for `/memory health`."""
        ...

    async def backlog(self) -> Mapping[tuple[WorkKind, WorkState], int]:
        """Counts of READY and DEAD work."""
        ...

    async def dead(self, *, limit: int = 10) -> list[tuple[Work, str]]:
        """Dead work with its last error, newest first."""
        ...

    async def save_extraction(self, extraction: Extraction) -> Extraction:
        """Keep the first reply of an episode; returns the one that is kept."""
        ...

    async def extraction(self, episode: str) -> Extraction | None:
        """The kept reply, or None."""
        ...

    async def record_recall(self, recollection: Recollection) -> None:
        """Write what was injected in a turn, replacing an earlier record of that turn.

        Raises StorageError if the journal has no such turn.
        """
        ...

    async def recollection(self, session: str) -> Recollection | None:
        """The newest recall of a session."""
        ...

    async def injected_in(self, episode: str) -> list[Injected]:
        """Everything injected in the turns of an episode, by turn and number."""
        ...

    async def record_verdicts(
        self, turn_and_memory: Sequence[tuple[int, str]], *, useful: bool, source: str, at: float
    ) -> None:
        """Write to the feedback ledger; the first verdict of a (turn, memory) stays."""
        ...

    async def verdict_counts(self) -> tuple[int, int]:
        """(useful, useless) over the whole ledger."""
        ...

    async def audit(self, entries: Sequence[AuditEntry]) -> None:
        """Append; entries whose key exists are skipped."""
        ...

    async def audit_of(self, memory: str, *, limit: int = 50) -> list[AuditEntry]:
        """The newest entries on one memory, oldest first."""
        ...

    async def usage(self, day: str) -> Usage:
        """Calls and tokens counted for the day."""
        ...

    async def count_usage(self, day: str, *, calls: int, tokens: int) -> None:
        """Add to the day's usage."""
        ...

    async def aliases(self) -> Mapping[tuple[str, str], str]:
        """(platform, user id) -> person."""
        ...

    async def set_alias(self, platform: str, user: str, person: str | None) -> None:
        """Set, or with None remove, an alias."""
        ...

    async def note(self, name: str) -> str | None:
        """A small persistent value, such as the time of the last sweep."""
        ...

    async def set_note(self, name: str, value: str) -> None:
        """Set it."""
        ...

    async def statistics(self) -> Mapping[str, int]:
        """Rows, by name: `turns`, `episodes`, `open_episodes`, `recalls`."""
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...


# --- models -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Which vector space: vectors of different identities are never compared.

    `unrelated` is the cosine at or below which this space says nothing (e5's unrelated pairs
    sit at .82), `unrelated_latin` the same for queries in Latin script where that differs;
    `dimension` is what the model really returned.
    """

    provider: str
    model: str
    dimension: int
    unrelated: float = 0.3
    unrelated_latin: float | None = None

    @property
    def fingerprint(self) -> str:
        """Stored with each vector."""
        return f"{self.provider}:{self.model}:{self.dimension}"


class Embedder(Protocol):
    """Text to unit vectors. Raises EmbeddingUnavailable, nothing else."""

    async def identity(self) -> EmbedderIdentity:
        """Probes the provider once if its dimension is not known yet."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """One vector per text, in order, float32, unit length."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """The vector to search with."""
        ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """One model call: system text, user text and the JSON schema of the reply."""

    system: str
    user: str
    schema: Mapping[str, Any]
    name: str


@dataclass(frozen=True, slots=True)
class Completion:
    """The model's text and the tokens the call cost (0 if unknown)."""

    text: str
    tokens: int = 0


class ChatModel(Protocol):
    """A chat model for background work. Raises ModelUnavailable, nothing else."""

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """One call. `session` tells the host which provider applies."""
        ...


class ModelSource(Protocol):
    """Chooses the chat model for background work, anew at each use."""

    async def choose(self, session: str) -> ChatModel | None:
        """None if no model is configured or present: the rules then do the work."""
        ...


class EmbedderSource(Protocol):
    """Chooses the embedder, anew at each use."""

    async def choose(self) -> Embedder | None:
        """None if vectors are switched off or nothing is available."""
        ...

    @property
    def settled(self) -> bool:
        """Whether the choice is final for now: before, background embedding waits."""
        ...
