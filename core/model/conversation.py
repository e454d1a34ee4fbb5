"""Who speaks where: scopes, speakers, turns, episodes. Values only.

Every time is a Unix time in seconds (UTC, float). A time zone appears only where a person reads it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from urllib.parse import quote, unquote

from .knowledge import Media

ANY_PERSONA = "*"


class ScopeKind(StrEnum):
    """Whose memory it is."""

    PRIVATE = "private"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Scope:
    """The owner of a memory: one person or one group.

    `persona` is `ANY_PERSONA` where separation by persona is off.
    """

    kind: ScopeKind
    platform: str
    subject: str
    persona: str = ANY_PERSONA

    @property
    def key(self) -> str:
        """One string, unique for the scope; `Scope.parse` reads it back."""
        parts = (self.kind.value, self.platform, self.subject, self.persona)
        return "/".join(quote(part, safe="") for part in parts)

    @property
    @lru_cache(1_024)  # noqa: B019 (a frozen value, and no more of them)
    def owner(self) -> str:
        """Key of the person or group itself, whatever the persona: whoever consents."""
        return replace(self, persona=ANY_PERSONA).key

    @staticmethod
    def kind_of(key: str) -> ScopeKind:
        """The kind of a scope by its key, without reading the rest of it."""
        return ScopeKind(key.partition("/")[0])

    @staticmethod
    @lru_cache(1_024)
    def parse(key: str) -> "Scope":
        """Inverse of `key`. Raises ValueError on any other text."""
        kind, platform, subject, persona = (unquote(part) for part in key.split("/"))
        return Scope(ScopeKind(kind), platform, subject, persona)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said it: the platform's id (stable) and the name shown at that time."""

    id: str
    name: str


type Account = tuple[str, str]
"""Platform and user id: one login of one person."""


def signed(name: str, account: Account) -> str:
    """The signature of an account in the audit log, "NAME (PLATFORM/ID)"."""
    platform, user = account
    return f"{name} ({quote(platform, safe='', errors='replace')}/{user})".strip()


REPLY_TO = "reply:"
"""Begins the message id of an answer, see `reply_id`."""


class Role(StrEnum):
    """The part a turn plays in the chat."""

    USER = "user"
    ASSISTANT = "assistant"
    BYSTANDER = "bystander"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn happens: session, conversation within it, and the scope it belongs to.

    `session` is the host's unified_msg_origin; `conversation` changes with /new.
    """

    session: str
    conversation: str
    scope: str


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A message that is not on disk yet. `message_id` is the platform's, "" when it has none.

    `disclosed`: for an answer in a group, the owners (`Scope.owner`) whose private memories the
    model was shown. `chat_name`: what a group calls itself, "" where the platform does not say.
    `media`: what came with it; `text` says so in words too. `quotes`: how the id of
    the message begins that it quotes, or the seq of that turn; "" if it quotes none.
    """

    place: Place
    role: Role
    speaker: Speaker
    text: str
    at: float
    message_id: str = ""
    disclosed: frozenset[str] = frozenset()
    chat_name: str = ""
    media: tuple[Media, ...] = ()
    quotes: str | int = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message by one speaker, on disk. `seq` grows with every turn of this journal.

    `private_reply`: an answer in a group that may repeat a private memory, see `Journal.disclose`.
    It was heard there; nothing is kept of it as the group's own. `quoted`: the seq of the turn that
    it quotes.
    """

    seq: int
    episode: str
    place: Place
    role: Role
    speaker: Speaker
    text: str
    at: float
    message_id: str = ""
    private_reply: bool = False
    media: tuple[Media, ...] = ()
    quoted: int | None = None

    @property
    def answers(self) -> int | None:
        """The seq of the turn that this one answers, if the platform or the bot says so."""
        named = self.message_id.removeprefix(REPLY_TO)
        if self.role is Role.ASSISTANT and named != self.message_id and named.isdecimal():
            return int(named)
        return self.quoted

    @property
    def account(self) -> Account:
        """The login of whoever said it."""
        return (Scope.parse(self.place.scope).platform, self.speaker.id)


def reply_id(seq: int) -> str:
    """Message id of the answer to the turn `seq`: it says which turn is answered."""
    return f"{REPLY_TO}{seq}"


class EpisodeEnd(StrEnum):
    """Why an episode was closed."""

    SILENCE = "silence"
    SIZE = "size"
    TOPIC = "topic"
    CONVERSATION = "conversation"
    RESET = "reset"
    COMMAND = "command"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class Episode:
    """Consecutive turns about one thing. Open while `closed_at` is None."""

    id: str
    place: Place
    opened_at: float
    last_at: float
    turns: int
    characters: int
    closed_at: float | None = None
    end: EpisodeEnd | None = None


@dataclass(frozen=True, slots=True)
class Injected:
    """A memory as it was shown to the model in one turn, under its number."""

    turn: int
    number: int
    memory: str
