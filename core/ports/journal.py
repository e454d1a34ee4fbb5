"""The journal: turns, what was done with them, and the work still to do.

Every call may be cancelled; a cancelled write is either whole or absent. Times are Unix seconds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..model.consent import Consent
from ..model.conversation import Account, Episode, EpisodeEnd, Injected, NewTurn, Turn
from .condensing import Condensing
from .disclosures import Disclosures
from .erasure import ErasureLog
from .outcomes import Judged, Outcome
from .work import Work, WorkKind, WorkState


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


@dataclass(frozen=True, slots=True)
class Showing:
    """One time a memory was shown to the model: in which turn, under which number, when."""

    turn: int
    number: int
    at: float


type Segmenter = Callable[[Episode, NewTurn], EpisodeEnd | None]


class Journal(Condensing, Disclosures, ErasureLog, Protocol):
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
        """Queue work; False if the key is known (in any state), or that of a condensed turn."""
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

        What was injected is kept; the trace and block of recalls some forty turns back in the
        session are dropped. Raises StorageError if the journal has no such turn.
        """
        ...

    async def recollection(
        self, session: str, scopes: frozenset[str] | None = None
    ) -> Recollection | None:
        """The newest recall of a session, for a turn in one of these scopes (None: in any)."""
        ...

    async def injected_in(self, episode: str) -> list[Injected]:
        """Everything injected in the turns of an episode, by turn and number."""
        ...

    async def record_verdicts(
        self, turn_and_memory: Sequence[tuple[int, str]], *, useful: bool, source: str, at: float
    ) -> None:
        """Write to the feedback ledger; the first verdict of a (turn, memory) stays."""
        ...

    async def outcomes(self) -> Mapping[str, Outcome]:
        """What came of recalls, by the scope they were made in."""
        ...

    async def judged(self, *, after: str = "", limit: int = 500) -> list[Judged]:
        """Memories with a verdict in the ledger, by id, those after `after`."""
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

    async def audit_by_action(self, actions: frozenset[str]) -> list[AuditEntry]:
        """Every entry with one of the actions, in the order of writing."""
        ...

    async def showings(self, memory: str, *, limit: int = 20) -> list[Showing]:
        """The newest times the memory was shown to the model, oldest first."""
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

    async def consents(self) -> Mapping[str, Consent]:
        """What owners (`Scope.owner`) have chosen; without those who have chosen nothing."""
        ...

    async def set_consent(self, owner: str, consent: Consent) -> None:
        """Replace the owner's choices."""
        ...

    async def overrides(self) -> Mapping[str, str]:
        """Settings changed at run time: dotted name -> JSON text."""
        ...

    async def set_override(self, name: str, value: str | None) -> None:
        """Set, or with None remove, one."""
        ...

    async def names(self) -> Mapping[str, Mapping[Account, str]]:
        """Chat (`Scope.owner`) -> account -> the name it last spoke under there.

        Kept by `append`; empty names are not noted.
        """
        ...

    async def scopes(self) -> frozenset[str]:
        """Keys of every scope in which something is recorded."""
        ...

    async def note(self, name: str) -> str | None:
        """A small persistent value, such as the time of the last sweep."""
        ...

    async def set_note(self, name: str, value: str) -> None:
        """Set it."""
        ...

    async def statistics(self) -> Mapping[str, int]:
        """How many, by name: `turns`, `episodes`, `open_episodes`, `recalls`.

        Those that `condense` has dropped are counted, what was erased is not.
        """
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...
