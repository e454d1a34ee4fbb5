"""Part of the journal: what was said."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..model.conversation import Episode, EpisodeEnd, NewTurn, Turn


@dataclass(frozen=True, slots=True)
class Appended:
    """A turn that is on disk. `duplicate` if the same message was journaled before."""

    turn: Turn
    duplicate: bool = False


type Segmenter = Callable[[Episode, NewTurn], EpisodeEnd | None]


class Turns(Protocol):
    """Every message and answer, numbered by seq in the order of recording."""

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

    async def last_turns(self, session: str, limit: int) -> list[Turn]:
        """The newest turns of a session, oldest first."""
        ...
