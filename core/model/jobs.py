"""Long work as people are told of it: what it is, how far, and what came of it. Values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from .errors import Fault

type Tell = Callable[[int, int], None]
"""How far work is: done of total, 0 if that is unknown. Raises once the work shall end."""


def no_progress(done: int, total: int) -> None:
    """For work that nobody watches."""


class JobKind(StrEnum):
    """What takes long."""

    MODEL = "model"
    IMPORT = "import"
    BACKUP = "backup"
    EXPORT = "export"
    SIMULATION = "simulation"
    MIGRATION = "migration"
    EMBEDDING = "embedding"
    SLEEP = "sleep"


class JobState(StrEnum):
    """How it stands. INTERRUPTED: the host ended under it."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of long work, under way or over. Times are Unix seconds.

    `by` asked for it: "" is Tidemark itself, or somebody before the last start. `subject` is the
    file or the backend it is about. `done` of `total` steps, `total` 0 where nobody knows it.
    `outcome` is what came of it, `problem` why it failed, as `Class: words`; where that is a file's
    or a server's `fault`, `file` is its name.
    """

    id: str
    kind: JobKind
    state: JobState = JobState.RUNNING
    by: str = ""
    subject: str = ""
    done: int = 0
    total: int = 0
    started_at: float | None = None
    ended_at: float | None = None
    problem: str = ""
    fault: Fault | None = None
    file: str = ""
    outcome: Mapping[str, str | int] = field(default_factory=dict[str, str | int])

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self.state is JobState.RUNNING
