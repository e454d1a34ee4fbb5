"""What people say and when, and what they need to be reminded of. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ...core.model.conversation import Place, Role, Scope, Speaker
from ...core.model.memory import Kind

DAY = 86_400.0
PLATFORM = "life"
BEGINNING = 1_640_995_200.0
"""1 January 2022, UTC: what MADial dates earlier would make the clock stand still for years."""

CONTRADICTION = "contradiction"
"""Category of a need whose two parts contradict each other."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn before."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One message. `answer` is what the bot says to it, "" where it does not answer.

    `need` is asked by it; `life` is false for the noise of every day.
    """

    at: float
    speaker: Speaker
    text: str
    label: str = ""
    role: Role = Role.USER
    answer: str = ""
    life: bool = True
    need: "Need | None" = None


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a question needs: what rests on one of the `labels`.

    With a `text` it must also be held literally.
    """

    labels: frozenset[str]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """A turn that needs memories of its `parts`; `answer` is what the data have the bot say."""

    id: str
    source: str
    category: str
    text: str
    asker: Speaker
    parts: tuple[Part, ...]
    before: tuple[Earlier, ...] = ()
    answer: str = ""


class Idle(StrEnum):
    """Why a turn needs no memory. The last two ask about a life that cannot answer."""

    OPENING = "opening"
    MID_CHAT = "mid_chat"
    REQUEST = "request"
    KNOWLEDGE = "knowledge"
    REMARK = "remark"
    FOLLOW_UP = "follow_up"
    QUESTION_TO_BOT = "question_to_bot"
    UNANSWERABLE = "unanswerable"
    OTHER_LIFE = "other_life"
    OTHER_PERSON = "other_person"


@dataclass(frozen=True, slots=True)
class IdleTurn:
    """A turn that needs no memory. `hand` wrote it: "" for that of a data set."""

    kind: Idle
    text: str
    language: str
    hand: str = ""
    before: tuple[Earlier, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """A memory that a good reader learns, with the turns it rests on and those that say why.

    `over`: when it was said, it was so no longer.
    """

    text: str
    rests_on: frozenset[str]
    slot: str = ""
    value: str = ""
    over: bool = False
    causes: frozenset[str] = frozenset()
    kind: Kind = Kind.SEMANTIC
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question after a change, and which strings tell a right line from an outdated one."""

    id: str
    hand: str
    language: str
    listed: bool
    text: str
    past: bool
    current: tuple[str, ...]
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Life:
    """One chat and all that happens in it. It ends `rest` seconds after its last line."""

    name: str
    language: str
    scope: Scope
    lines: tuple[Line, ...]
    needs: tuple[Need, ...] = ()
    other_person: tuple[IdleTurn, ...] = ()
    recorded: tuple[Recorded, ...] = ()
    changes: tuple[Asked, ...] = ()
    rest: float = DAY

    @property
    def end(self) -> float:
        """When it is over."""
        return self.lines[-1].at + self.rest

    @property
    def place(self) -> Place:
        """Its only session."""
        return Place(f"life:{self.name}", "chat", self.scope.key)

    @property
    def asker(self) -> Speaker:
        """Whoever speaks first."""
        return next((one.speaker for one in self.lines), Speaker(self.scope.subject, ""))

    def told_at(self) -> Mapping[str, float]:
        """When each labelled line is said."""
        return {line.label: line.at for line in self.lines if line.label}
