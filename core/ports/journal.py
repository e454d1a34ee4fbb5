"""The journal as a whole, and its parts that are about memories, work and erasures."""

import hmac
import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, Self

from ..model.consent import Consent
from ..model.conversation import Account, Episode, Place, Turn
from ..model.memory import Memory
from ..model.sleeping import Decided, Decision, Sleep, SleepCause, StepState
from .turns import Accounts, Disclosure, Recalls, Turns


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

    @classmethod
    def of(
        cls, memory: Memory, key: str, action: str, by: str, at: float, /, **detail: Any
    ) -> Self:
        """The entry of a memory, whose id ends the key."""
        told = json.dumps(detail)
        return cls(f"{key}:{memory.id}", memory.id, memory.scope, action, by, at, told)


class AuditLog(Protocol):
    """Entries are appended, and deleted only with their memory."""

    async def audit(self, entries: Sequence[AuditEntry]) -> None:
        """Append; entries whose key exists are skipped."""
        ...

    async def audit_of(self, memory: str, *, limit: int = 50) -> list[AuditEntry]:
        """The newest entries on one memory, oldest first."""
        ...

    async def audit_by_action(self, actions: frozenset[str]) -> list[AuditEntry]:
        """Every entry with one of the actions, in the order of writing."""
        ...

    async def audited(self, action: str, detail: str) -> list[str]:
        """Memories of which exactly that is noted, in the order of writing."""
        ...

    async def noted_since(self, entry: int) -> frozenset[str]:
        """Memories that people wrote or imported after this audit entry."""
        ...


class Notes(Protocol):
    """Named values, and settings changed at run time."""

    async def note(self, name: str) -> str | None:
        """A small persistent value, such as the time of the last sweep."""
        ...

    async def set_note(self, name: str, value: str) -> None:
        """Set it."""
        ...

    async def overrides(self) -> Mapping[str, str]:
        """Settings changed at run time: dotted name -> JSON text."""
        ...

    async def set_override(self, name: str, value: str | None) -> None:
        """Set, or with None remove, one."""
        ...


class Purpose(StrEnum):
    """Reason for which tokens are paid; a BLOCK's are part of the chat's own calls."""

    LEARNING = "learning"
    SLEEP = "sleep"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls of models that learn and sleep, and their tokens, of one UTC day (ISO date)."""

    day: str
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Expense:
    """Calls and tokens of one purpose in one UTC month (2026-11); of BLOCK, the turns shown one."""

    month: str
    purpose: Purpose
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Census:
    """Live memories by tier 0, 1, 2 in the night of a UTC day (ISO date)."""

    day: str
    tiers: tuple[int, int, int]


class WorkKind(StrEnum):
    """Kinds of queued work."""

    INDEX_TURN = "index_turn"
    LEARN = "learn"
    UNSHARE = "unshare"
    ERASE = "erase"
    SLEEP = "sleep"


class WorkState(StrEnum):
    """READY to run (perhaps later), DONE, or DEAD after failures."""

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


ERASED = "erased"
"""Stands in the audit log for a person who has been erased."""

DIGEST = 32
"""Characters of a digest."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What to delete for good from the journal; everything that is named, and what rests on it.

    `scopes`: every turn and episode of these scope keys. `speakers`: what these (platform, user
    id) said in any scope of that platform, with the answers they got. Of both, with `until`, the
    turns up to this seq, and with `noted` their signatures in the audit log up to this entry.
    `turns`: single turns, with their answers. `memories`: what was noted
    about these ids.
    """

    scopes: frozenset[str] = frozenset()
    speakers: frozenset[Account] = frozenset()
    turns: frozenset[int] = frozenset()
    memories: frozenset[str] = frozenset()
    until: int | None = None
    noted: int | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Which accounts were erased, without naming them: each as a digest under a secret key.

    Erasures are counted, from 1 on, as long as there is the installation; `numbers` has of each
    digest the number of its last erasure. So the order of two erasures is known without a clock.
    `settled`: all up to this number have been carried out.
    """

    key: str
    count: int = 0
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])
    settled: int = 0

    @property
    def installation(self) -> str:
        """A name of the installation that reveals nothing about the key."""
        return self._keyed("installation")

    def digest(self, account: Account) -> str:
        """What stands for an account."""
        return self._keyed(f"{len(account[0])}:{account[0]}{account[1]}")

    def erased_since(self, account: Account, number: int) -> bool:
        """Whether the account was erased after the erasure of that number."""
        return self.numbers.get(self.digest(account), 0) > number

    def later(self, number: int) -> int:
        """How many accounts were erased after the erasure of that number."""
        return sum(other > number for other in self.numbers.values())

    def since(self, installation: str, number: int) -> int:
        """The number of the last of our erasures that a file with this installation and number
        takes account of. 0 for a file of another installation.
        """
        return number if installation == self.installation else 0

    def seal(self, *told: str) -> str:
        """A signature of these words that only this installation can make."""
        return self._keyed(repr(told))

    def _keyed(self, text: str) -> str:
        told = text.encode("utf-8", "replace")
        return hmac.digest(bytes.fromhex(self.key), told, "sha256").hex()[:DIGEST]


class Journal(Turns, Recalls, Accounts, AuditLog, Notes, Protocol):
    """Always a local file. Whoever composes holds all of it; others ask for the roles they use.

    Work that is queued is done at least once, and never forgotten. A scope has at most one sleep
    under way; what a step writes is kept at once. Old turns lose their text first, and their rows
    once no memory rests on them. What private memories were shown in which group is kept until the
    chat's history is gone.
    """

    @property
    def id(self) -> str:
        """UUID of this journal, fixed at its creation: namespace of derived ids."""
        ...

    async def disclose(self, place: Place, owners: frozenset[str]) -> None:
        """Note that the model is shown private memories of the `owners` (`Scope.owner`) in a group.

        On disk when this returns; nothing is written if it is noted already. From then on every
        answer in the session is a private reply, until `history_gone` of it.
        """
        ...

    async def disclosed(self, place: Place) -> bool:
        """Whether an answer of the model there may repeat a private memory."""
        ...

    async def history_gone(self, place: Place, *, whole: bool) -> None:
        """The host has dropped the history of this conversation; with `whole`, all of the chat's.

        A conversation of the session that was left, not dropped, keeps its disclosures.
        """
        ...

    async def private_replies_for(self, owners: frozenset[str]) -> list[Turn]:
        """Private replies that may repeat private memories of one of the `owners`, by seq."""
        ...

    async def every_disclosure(self) -> list[Disclosure]:
        """All that were noted."""
        ...

    async def adopt(self, known: Sequence[Disclosure]) -> None:
        """Take over what a newer journal of this installation knows."""
        ...

    async def enqueue(
        self, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
    ) -> bool:
        """Queue work; False if the key is known (in any state), or that of a condensed turn."""
        ...

    async def due(
        self, now: float, *, kinds: frozenset[WorkKind], limit: int, skip: frozenset[int]
    ) -> list[Work]:
        """READY work of `kinds` whose time has come, oldest first, none of `skip`."""
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

    async def usage(self, day: str) -> Usage:
        """Calls and tokens counted for the day, without those of blocks."""
        ...

    async def count_usage(self, day: str, purpose: Purpose, *, calls: int, tokens: int) -> None:
        """Add to the day's usage."""
        ...

    async def expenses(self) -> Sequence[Expense]:
        """Of every month, the oldest first."""
        ...

    async def note_census(self, census: Census) -> None:
        """Keep it, in place of an earlier one of its day."""
        ...

    async def censuses(self) -> Sequence[Census]:
        """One for each day that has one, the oldest first."""
        ...

    async def begin_sleeps(
        self, scopes: Collection[str], cause: SleepCause, *, at: float, not_before: float = 0.0
    ) -> list[int]:
        """Queue a SLEEP for each scope, payload {"sleep": id}; the ids, in the order of scopes.

        A scope that has one under way joins it. If its cause was a lesser one it takes the greater
        cause and the later time, and its steps begin anew. One whose work was given up is ended,
        and a new one begun.
        """
        ...

    async def sleep(self, id: int) -> Sleep | None:
        """The sleep; None if it was erased, or was empty and is over."""
        ...

    async def save_step(self, sleep: int, step: str, state: StepState, *, at: float) -> None:
        """Keep how far a step is; nothing if the sleep is gone, or is told another time now."""
        ...

    async def decide(
        self, sleep: int, step: str, decisions: Sequence[Decision], *, at: float
    ) -> None:
        """Keep decisions; those whose key the step has used in this sleep are skipped."""
        ...

    async def spend(self, sleep: int, *, calls: int, tokens: int) -> None:
        """Add to what the sleep has cost."""
        ...

    async def spent(self, scope: str, since: float) -> Usage:
        """What all sleeps of the scope cost that began at or after a time."""
        ...

    async def end_sleep(self, sleep: Sleep, *, at: float) -> bool:
        """End it, unless its cause or time is another now. Of empty ones only the last is kept."""
        ...

    async def refused(self, scope: str, step: str) -> frozenset[str]:
        """Keys of decisions of this step in this scope that were undone: not to be made again."""
        ...

    async def mark(self, scope: str, step: str) -> str:
        """What the step has kept about the scope from one sleep to the next; "" at first."""
        ...

    async def marks(self, scopes: Collection[str], step: str) -> Mapping[str, str]:
        """The same by scope, of those about which it has kept anything."""
        ...

    async def set_mark(self, scope: str, step: str, mark: str) -> None:
        """Keep it."""
        ...

    async def latest_episode(self, scope: str) -> Episode | None:
        """The one with the last turn in the scope."""
        ...

    async def sleeping(self) -> list[Sleep]:
        """Those under way, by id."""
        ...

    async def reports(
        self, scopes: Collection[str], *, limit: int = 10, offset: int = 0
    ) -> list[Sleep]:
        """Those of these scopes that are over and tell something."""
        ...

    async def last_sleep(self, scopes: Collection[str]) -> Sleep | None:
        """The newest of these scopes that is over, but for sweeps."""
        ...

    async def report_count(self, scopes: Collection[str]) -> int:
        """How many these are."""
        ...

    async def decisions(
        self, sleep: int, *, step: str = "", limit: int = 50, offset: int = 0
    ) -> list[Decided]:
        """What was decided in a sleep, or by one step of it, in order."""
        ...

    async def decision(self, id: int) -> Decided | None:
        """One decision."""
        ...

    async def note_undone(self, id: int, at: float) -> None:
        """Keep that it was undone."""
        ...

    async def trim_reports(self, until: float, *, most: int = 100) -> int:
        """Delete sleeps that ended before `until`, and of each scope all but the newest `most`;
        how many. Decisions that were undone stay known to `refused`.
        """
        ...

    async def drop_texts(self, until: float, scopes: frozenset[str]) -> int:
        """Empty the text of turns said before `until`, in these scopes.

        Only turns of closed episodes with no work left. The kept reply of these episodes and the
        explanations of their recalls are deleted too. Turns stay as rows without text. Returns how
        many were emptied, at most 5 000.
        """
        ...

    async def faded(self, *, after: str = "", limit: int = 50) -> list[str]:
        """Ids after `after`, in order, of episodes whose every turn `drop_texts` has emptied."""
        ...

    async def condense(self, kept: Mapping[str, frozenset[int]]) -> int:
        """Delete all but the given turns (seqs) of these emptied episodes; returns how many.

        One transaction. What was shown in their turns and the verdicts on it are kept as counts, so
        `judged`, `verdict_counts` and `statistics` answer as before. Deleted are their
        recalls, `showings`, the audit entries of these verdicts and the keys of finished work (work
        for a condensed turn is never queued again). A message of a deleted turn is no longer
        recognised as a duplicate. An episode without turns is deleted.
        """
        ...

    async def condense_log(self, until: float) -> int:
        """Replace audit entries on memories purged before `until` by a count for each month.
        Returns how many were replaced, at most 1 000.
        """
        ...

    async def ledger(self) -> Ledger:
        """Who has been erased."""
        ...

    async def begin_erasure(self, choices: Mapping[str, Consent]) -> Work:
        """Enter the erasure of these owners (`Scope.owner`), who choose so from now on.

        In one transaction: the next number of the ledger, the choices, and ERASE work with the
        payload {"owners", "number", "until", "noted"}: the last seq and audit entry there are.
        """
        ...

    async def take_ledger(self, ledger: Ledger) -> int:
        """Know also of these erasures; up to which number this journal knew of them before.

        What it did not know of is erased from it, and from the memories beside it, after it is
        next opened: ERASE work with the payload {"after", "number", "until", "noted"}.
        """
        ...

    async def heard(self) -> frozenset[Account]:
        """Every account that said something which is recorded."""
        ...

    def erasable(self, erasure: Erasure) -> AsyncIterator[Turn]:
        """The turns that `erase` would delete, answers included, by seq; read page by page."""
        ...

    async def erase(self, erasure: Erasure) -> frozenset[int]:
        """Delete for good; the seqs of the turns that are gone.

        In one transaction, or, where there is much, in several, so that nobody waits for long:
        cut short, it is completed by repeating it. With a turn go its answer (`reply_id`), its
        recall and what was injected, verdicts on it, its work, and the kept reply of its
        episode; with an episode without turns left go its record and its work. An episode that
        keeps turns is learnt from those. Blocks and traces of other recalls that showed an
        erased memory or hold an erased turn's text are emptied. With a memory go its audit
        entries, verdicts and injections. Seqs are never given again. Where `speakers` signed
        an audit entry or a setting stands `ERASED`. The names of `speakers` go
        from every chat in which they have not spoken since; consent and aliases stay untouched.
        """
        ...

    async def wiped(self) -> None:
        """Wait until no byte is left of what was erased or emptied.

        Without waiting, this happens soon after.
        """
        ...

    async def statistics(self) -> Mapping[str, int]:
        """How many, by name: `turns`, `episodes`, `open_episodes`, `recalls`.

        Those that `condense` has dropped are counted, what was erased is not.
        """
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...
