"""Parts of the journal: what was said, recalled, learnt and judged, and by whom."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..model.consent import Consent
from ..model.conversation import Account, Episode, EpisodeEnd, Injected, NewTurn, Turn
from ..model.knowledge import Media


@dataclass(frozen=True, slots=True)
class Appended:
    """A turn that is on disk. `duplicate` if the same message was journaled before."""

    turn: Turn
    duplicate: bool = False


type Segmenter = Callable[[Episode, NewTurn], EpisodeEnd | None]


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
    text; `source` names the extractor. `again`: of an episode that was read once more.
    """

    episode: str
    known: Mapping[int, str]
    body: str
    source: str
    again: bool = False


class Turns(Protocol):
    """Every message and answer, numbered by seq in the order of recording; their episodes, at most
    one of a session open; and one kept reply of each episode.
    """

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

    async def recut(self, episode: str, *, before: int) -> bool:
        """End a closed episode before the turn `before` instead (TOPIC).

        The turns from there on are an episode of their own, ended as this one was, with LEARN work.
        What was shown and judged in a turn goes with the turn. False, and nothing happens, if a
        reply is kept of the episode, if there are no turns on both sides, or if a private reply
        would move.
        """
        ...

    async def close_silent(self, *, quiet_since: float, at: float) -> list[Episode]:
        """Close every open episode whose last turn is at or before `quiet_since` (SILENCE)."""
        ...

    async def first_opened(self) -> float | None:
        """When the oldest episode there is was opened; None without one."""
        ...

    async def scopes(self) -> frozenset[str]:
        """Keys of every scope in which something is recorded."""
        ...

    async def extraction(self, episode: str, *, again: bool = False) -> Extraction | None:
        """The kept reply, or the second one as long as it is still to be applied."""
        ...

    async def save_extraction(self, extraction: Extraction) -> Extraction:
        """Keep the first reply of an episode, or its first second one; returns what is kept.

        No second one is kept where the first is gone: somebody was forgotten there.
        """
        ...

    async def uncompared(self, scope: str, *, limit: int) -> list[Episode]:
        """Closed ones with a kept reply that `finish_rereading` was not told of, oldest first."""
        ...

    async def finish_rereading(self, episode: str) -> None:
        """The episode needs no more comparing; the text of its second reply is dropped."""
        ...


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


@dataclass(frozen=True, slots=True)
class Judged:
    """How often a memory was judged useful and useless."""

    memory: str
    useful: int
    useless: int


class Recalls(Protocol):
    """One record per turn that recalled, and one verdict per turn and memory."""

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

    async def record_verdicts(
        self, turn_and_memory: Sequence[tuple[int, str]], *, useful: bool, source: str, at: float
    ) -> None:
        """Write to the feedback ledger; the first verdict of a (turn, memory) stays."""
        ...

    async def judged(self, *, after: str = "", limit: int = 500) -> list[Judged]:
        """Memories with a verdict in the ledger, by id, those after `after`."""
        ...

    async def verdict_counts(self) -> tuple[int, int]:
        """(useful, useless) over the whole ledger."""
        ...


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A note that an owner's private memories were shown in a session; both are named by digests.

    `since` is the seq of the last turn before; `ended` once the host's history of it is gone.
    `conversation` is "" for what a host keeps of the whole chat.
    """

    session: str
    conversation: str
    owner: str
    since: int
    ended: bool


class Accounts(Protocol):
    """Which accounts are one person, what people call themselves, and what they have chosen."""

    async def aliases(self) -> Mapping[tuple[str, str], str]:
        """(platform, user id) -> person."""
        ...

    async def set_alias(self, platform: str, user: str, person: str | None) -> None:
        """Set, or with None remove, an alias."""
        ...

    async def names(self) -> Mapping[str, Mapping[Account, str]]:
        """Chat (`Scope.owner`) -> account -> the name it last spoke under there.

        Kept by `Turns.append`; empty names are not noted.
        """
        ...

    async def chat_names(self) -> Mapping[str, str]:
        """Chat (`Scope.owner`) -> what it last called itself; kept like `names`.

        Erased with the last of what is recorded of the chat.
        """
        ...

    async def consents(self) -> Mapping[str, Consent]:
        """What owners (`Scope.owner`) have chosen; without those who have chosen nothing."""
        ...

    async def set_consent(self, owner: str, consent: Consent) -> None:
        """Replace the owner's choices."""
        ...
