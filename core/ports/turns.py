"""Part of the journal: what was said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..model.conversation import Episode, EpisodeEnd, NewTurn, Turn
from ..model.knowledge import Media


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
        written. A quoted id is that of the newest turn of a person in this session whose id
        begins so. INDEX_TURN key: "turn:<seq>", payload {"turn": seq}. Assistant turns queue it
        too. LEARN key: "learn:<episode id>", payload {"episode": id}.
        """
        ...

    async def append_past(self, past: Sequence[NewTurn], *, now: float, learn_at: float) -> int:
        """Write turns of one place from before as an episode that is closed (HISTORY), in one
        transaction; how many were new.

        Every turn has a message id; those whose id is in the session already, in any role, are left
        out. Each new one is indexed like any other, and the episode's LEARN work is not due before
        `learn_at`. The session's open episode is not touched, and no answer among them is a private
        reply: they are from before there were any.
        """
        ...

    async def message_ids(self, session: str, ids: Sequence[str]) -> frozenset[str]:
        """Which of these message ids are on record in the session."""
        ...

    async def message(self, session: str, begins: str) -> int | None:
        """Seq of the newest turn of a person in this session whose message id begins so."""
        ...

    async def turn(self, seq: int) -> Turn | None:
        """The turn, or None."""
        ...

    async def first_with_media(self, turn: Turn, media: str) -> int | None:
        """Seq of the first turn of the same speaker in the same scope with this media, by its id,
        before the turn; None if there is none.
        """
        ...

    async def describe_turn(self, seq: int, text: str, media: tuple[Media, ...]) -> None:
        """Replace the text and the media of a turn whose media have been described, once.

        It is indexed anew (INDEX_TURN key "turn:<seq>:described"). Nothing happens to a turn that
        is gone or has lost its text.
        """
        ...

    async def turns_of(self, episode: str) -> list[Turn]:
        """Turns of an episode by seq."""
        ...

    async def last_turns(self, session: str, limit: int) -> list[Turn]:
        """The newest turns of a session, oldest first."""
        ...
