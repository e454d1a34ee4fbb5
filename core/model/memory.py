"""The memory record and what it carries: an immutable value, changed by replacing."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from .conversation import Account, Scope, Speaker
from .derived import KeepsDerived
from .knowledge import Claim, Enrichment, Entity, Event, Intention, Media, Relation


@dataclass(frozen=True, slots=True)
class Part:
    """One line: ids of the memories that say it, their turns, and the first of their times (Unix
    seconds); ids of the entities and names of the people that they are about.
    """

    memories: tuple[str, ...]
    turns: tuple[int, ...] = ()
    created_at: float = 0.0
    happened_at: float = 0.0
    entities: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """`text` says what the memory does, "" where the memory's own words are to stay.

    `of` is a digest of the memory's text: to another text it does not belong.
    """

    text: str
    of: str


class Kind(StrEnum):
    """What sort of memory it is."""

    EVIDENCE = "evidence"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    PROSPECTIVE = "prospective"
    NARRATIVE = "narrative"


RAW = frozenset({Kind.EVIDENCE})
LEARNT = frozenset(Kind) - RAW
"""What was said, and what was made of it: texts of two sorts."""


class Facet(StrEnum):
    """How fast a memory of this sort ages under the differential policy."""

    INSTRUCTION = "instruction"
    PREFERENCE = "preference"
    WORKFLOW = "workflow"
    EPISODIC = "episodic"


class Status(StrEnum):
    """Where in its life a memory is. A purged memory does not exist."""

    LIVE = "live"
    ARCHIVED = "archived"
    BINNED = "binned"
    QUARANTINED = "quarantined"


class Source(StrEnum):
    """Who vouches for it; decides how far it is trusted."""

    USER = "user"
    BOT = "bot"
    INFERRED = "inferred"
    IMPORTED = "imported"
    CORRECTION = "correction"


RELIABILITY: dict[Source, float] = {
    Source.USER: 0.9,
    Source.BOT: 0.5,
    Source.INFERRED: 0.6,
    Source.IMPORTED: 0.7,
    Source.CORRECTION: 1.0,
}
"""Source reliability. Algorithms, section 7.5."""


REPLY_MARK = "↳"
"""Separates a raw turn from the reply it got, in the text of evidence."""


def unmarked(text: str) -> str:
    """The text without that mark: only the plugin says what the bot answered."""
    return text.replace(REPLY_MARK, "→")


TELLS = "tells"
"""Leads from a thread to a memory that it tells."""


class Extractor(StrEnum):
    """What made the memory."""

    TURN = "turn"
    RULES = "rules"
    MODEL = "model"
    COMMAND = "command"
    TOOL = "tool"
    IMPORT = "import"


class Mood(StrEnum):
    """Direction of feeling."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Sentiment:
    """Feeling of the remembered moment; `intensity` 0..1."""

    mood: Mood = Mood.NEUTRAL
    intensity: float = 0.0


@dataclass(frozen=True, slots=True)
class Access:
    """When it was created and injected. Creation is the first access, so `count` starts at 1."""

    first_at: float
    last_at: float
    count: int = 1


@dataclass(frozen=True, slots=True)
class UserFeedback:
    """What the user said of the memory itself; None where nothing was said."""

    accurate: bool | None = None
    important: bool | None = None
    correction: str | None = None


@dataclass(frozen=True, slots=True)
class Community:
    """Cluster of the scope's graph this memory belongs to; "" before one was computed."""

    id: str = ""
    calculated_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Vitality:
    """What policies read and write. `judged` are the turns whose verdict has been applied.

    `strength` is an integer >= 0; `useful_score` grows by the consolidation speed. What passed
    before `settled_at` counts against it under no policy: it was restored then, or exempt until
    then. `sole`: nothing else says what it tells. `stability` (days) and `difficulty` (1..10) are
    FSRS's, 0.0 before its first verdict.
    """

    strength: int
    useful_count: int = 0
    useful_score: float = 0.0
    pinned: bool = False
    last_recalled_at: float = 0.0
    last_decay_at: float = 0.0
    judged: tuple[int, ...] = ()
    settled_at: float = 0.0
    stability: float = 0.0
    difficulty: float = 0.0
    sole: bool = False


class Succession(StrEnum):
    """How a newer memory relates to the older one it follows."""

    CORRECTS = "corrects"
    SUPERSEDES = "supersedes"
    UPDATES = "updates"
    MERGES = "merges"


@dataclass(frozen=True, slots=True)
class Successor:
    """The newer memory that follows this one. Only an update leaves the older one in recall."""

    memory: str
    how: Succession


@dataclass(frozen=True, slots=True)
class Origin:
    """Where it was learnt: session, conversation, episode ("" for none) and source turns."""

    session: str = ""
    conversation: str = ""
    episode: str = ""
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Life-cycle state: since when and why. `purge_at` is set while in the bin."""

    status: Status = Status.LIVE
    since: float = 0.0
    reason: str = ""
    purge_at: float | None = None


@dataclass(frozen=True, slots=True)
class Memory(KeepsDerived):
    """One stored memory, with the full record of the design document.

    `cues` are extra texts it may be found by (neighbouring turns, questions it answers); they
    are indexed and embedded with it but are not the memory. `tags` are short topic words, see
    `core/text/quoting.py`. `happened_at` is when the remembered thing happened, as far as known.
    `parts` are those of a summary, one for each line of its text. `wording` is for the page about
    its person, `enrichment` what sleep has added.
    """

    id: str
    scope: str
    kind: Kind
    text: str
    summary: str
    created_at: float
    happened_at: float
    vitality: Vitality
    access: Access
    source: Source
    extractor: Extractor
    standing: Standing = Standing()
    facet: Facet | None = None
    importance: float = 0.5
    confidence: float = 0.5
    trust: float = 0.5
    speaker: Speaker | None = None
    about: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sentiment: Sentiment = Sentiment()
    feedback: UserFeedback = UserFeedback()
    community: Community = Community()
    event: Event | None = None
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    media: tuple[Media, ...] = ()
    origin: Origin = Origin()
    successor: Successor | None = None
    claim: Claim | None = None
    intention: Intention | None = None
    parts: tuple[Part, ...] = ()
    wording: Wording | None = None
    enrichment: Enrichment | None = None

    @property
    def account(self) -> Account | None:
        """The login of whoever said it: its scope's platform and the speaker's id."""
        return None if self.speaker is None else (Scope.parse(self.scope).platform, self.speaker.id)

    @property
    def said(self) -> str:
        """The words of whoever said it: of a raw turn without the bot's answer."""
        return self.text.partition(REPLY_MARK)[0]

    @property
    def exempt(self) -> bool:
        """Whether no policy may forget it: pinned, marked important by the user, or a thread.

        A thread goes line by line with what it tells.
        """
        return self.vitality.pinned or self.feedback.important is True or self.is_thread

    @property
    def tells(self) -> tuple[str, ...]:
        """Ids of the memories that it tells as a story, in the order of their numbers there."""
        if self.kind is not Kind.NARRATIVE:
            return ()
        edges = (each for each in self.relations if each.subject == self.id)
        return tuple(each.object for each in edges if each.predicate == TELLS)

    @property
    def is_thread(self) -> bool:
        """Whether it tells other memories; it is brought up through them alone."""
        return bool(self.tells)

    def with_relations(self, more: Iterable[Relation]) -> "Memory":
        """The memory with these besides, each once."""
        return replace(self, relations=tuple(dict.fromkeys((*self.relations, *more))))

    @property
    def holds(self) -> bool:
        """Whether it claims something that is so, as far as is known."""
        return self.claim is not None and self.claim.valid_to is None

    @property
    def due_at(self) -> float | None:
        """The day that it is for, as Unix time, while it is pending; else None."""
        meant = self.intention
        return meant.due_at if meant is not None and meant.pending else None

    @property
    def recallable(self) -> bool:
        """Live, and not corrected, superseded or merged away. An updated one stays.

        A thread is not: whatever a search finds by its words says the same in its own.
        """
        replaced = self.successor is not None and self.successor.how is not Succession.UPDATES
        return self.standing.status is Status.LIVE and not replaced and not self.is_thread


WHOLE = ""
"""The name of the memory as a whole, which every embedded memory has."""

MOST_PARTS = 12
ASKED = "asked"
"""The name of the view of the question that a claim answers."""


NEEDED = "needed"
"""The name of the view of the cues that sleep has added."""

VIEWS = (*(f"part {number}" for number in range(1, MOST_PARTS + 1)), ASKED, NEEDED)
"""Names of the views beside the whole; a store numbers them by their place here, from 1."""


type Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Names a vector space: vectors of different identities are never compared.

    `unrelated` is the cosine at or below which this space says nothing (e5's unrelated pairs
    sit at .82), `unrelated_latin` the same for queries in Latin script where that differs;
    `dimension` is what the model really returned.
    """

    provider: str
    model: str
    dimension: int
    unrelated: float = 0.3
    unrelated_latin: float | None = None

    @property
    def fingerprint(self) -> str:
        """Stored with each vector."""
        return f"{self.provider}:{self.model}:{self.dimension}"
