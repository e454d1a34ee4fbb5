"""Part of the journal: what was recalled, and which memories the model was shown."""

from dataclasses import dataclass
from typing import Protocol

from ..model.conversation import Injected


@dataclass(frozen=True, slots=True)
class Recollection:
    """What one recall did for one turn: the trace as JSON text and the block as injected.

    `tokens` are those of the block.
    """

    turn: int
    at: float
    trace: str
    block: str
    injected: tuple[Injected, ...]
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Showing:
    """One time a memory was shown to the model: in which turn, under which number, when."""

    turn: int
    number: int
    at: float


class Recalls(Protocol):
    """One record per turn that recalled."""

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

    async def recollection_of(self, turn: int) -> Recollection | None:
        """The recall of a turn; None if it recalled nothing or that has been dropped."""
        ...

    async def newest_recollections(self, *, limit: int) -> list[Recollection]:
        """The newest recalls of all sessions whose trace is kept, newest first."""
        ...

    async def injected_in(self, episode: str) -> list[Injected]:
        """Everything injected in the turns of an episode, by turn and number."""
        ...

    async def showings(self, memory: str, *, limit: int = 20) -> list[Showing]:
        """The newest times the memory was shown to the model, oldest first."""
        ...
