"""Part of the journal: sleeps under way, and the reports of those that are over."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from ..model.conversation import Episode
from ..model.sleeping import Decided, Decision, Sleep, SleepCause, StepState
from .usage import Usage


class Sleeps(Protocol):
    """A scope has at most one sleep under way. What a step writes is kept at once."""

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


class SleepReports(Protocol):
    """What sleeps did. Newest first."""

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

    async def decisions(self, sleep: int, *, limit: int = 50, offset: int = 0) -> list[Decided]:
        """What was decided in a sleep, in order."""
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
