"""Which rows of another program's file come in, as whose, as what, and the counts of it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid5

from ..forgetting.tmd import initial_strength
from ..languages.markers import tells
from ..model.consent import Pause
from ..model.conversation import Account, Scope, ScopeKind, Speaker
from ..model.knowledge import Intention, IntentionType
from ..model.memory import (
    RELIABILITY,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Sentiment,
    Source,
    Standing,
    Status,
    UserFeedback,
    Vitality,
    unmarked,
)
from ..ports import Ledger
from .foreign.rows import (
    ForeignMemory,
    ForeignRow,
    ForeignSource,
    LeaveOut,
    MappingRules,
    Program,
    Skip,
    SkippedRow,
    owner_of,
)

LONGEST_TEXT = 4_000
"""Characters of an imported memory: what is longer is no memory but a document."""

IMPORTED = "imported"
"""The reason of a standing that came with a memory."""

EPISODE = "import"
_LONGEST_SUMMARY = 120
_FACETS = {Kind.SEMANTIC: Facet.PREFERENCE, Kind.PROCEDURAL: Facet.WORKFLOW}

type Paused = Callable[[Scope, str], Awaitable[Pause | None]]
"""Who has paused what a user says in a scope: `Consents.pause`."""


@dataclass(frozen=True, slots=True)
class ChatShare:
    """What comes from one chat of the file, under one persona there, and whose it becomes.

    `target` None: nobody is known for it, or it is left out. `number` counts from 1 in the order
    of the chats' names; `known` memories are here already.
    """

    number: int
    chat: str
    persona: str
    name: str
    target: Scope | None
    left_out: bool
    new: int
    known: int
    skipped: int


@dataclass(frozen=True, slots=True)
class MovePlan:
    """What an import would bring, or has brought: by chat, and what does not come, by reason."""

    program: str
    version: str
    chats: Sequence[ChatShare]
    skipped: Mapping[Skip, int]
    new: int
    known: int


@dataclass(slots=True)
class ImportTally:
    """Counts by (chat, persona) of the file."""

    new: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    known: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    unwanted: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    names: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    skipped: Counter[Skip] = field(default_factory=Counter[Skip])

    def skip(self, reason: Skip, row: ForeignMemory | None = None) -> None:
        self.skipped[reason] += 1
        if row is not None:
            self.unwanted[row.chat, row.persona] += 1
            self.name(row)

    def name(self, row: ForeignMemory) -> None:
        """Remember the chat, and what it is called: in private that is who speaks."""
        key, owner = (row.chat, row.persona), owner_of(row.chat)
        private = owner is None or owner.kind is ScopeKind.PRIVATE
        called = row.speaker.name if private and row.speaker is not None else ""
        self.names[key] = self.names.get(key) or row.chat_name or called

    def plan(self, source: ForeignSource, rules: MappingRules) -> MovePlan:
        """What these counts come to, chat by chat."""
        numbers = {chat: n for n, chat in enumerate(sorted({c for c, _ in self.names}), start=1)}
        chats = [
            ChatShare(
                number=numbers[key[0]],
                chat=key[0],
                persona=key[1],
                name=self.names[key],
                target=target if isinstance(target, Scope) else None,
                left_out=isinstance(target, LeaveOut),
                new=self.new[key],
                known=self.known[key],
                skipped=self.unwanted[key],
            )
            for key in sorted(self.names)
            for target in [rules.target(*key)]
        ]
        new, known = self.new.total(), self.known.total()
        return MovePlan(source.program, source.version, chats, dict(self.skipped), new, known)


@dataclass(slots=True)
class ImportGate:
    """Decides of each row of one import whether it may come in, as whose and as what."""

    journal: str
    batch: str
    program: Program
    now: float
    rules: MappingRules
    ledger: Ledger
    gone: frozenset[str]
    paused: Paused
    seen: set[str] = field(default_factory=set[str])
    asked: dict[str, bool] = field(default_factory=dict[str, bool])

    def id_of(self, row: ForeignMemory) -> str:
        """Follows from what is said in which chat: from any file of that program the same."""
        said = repr((row.chat, row.persona, row.text))
        if row.kind is Kind.EVIDENCE:
            # A message may be said again, a memory is the same.
            said = repr((row.chat, row.persona, row.text, row.created_at))
        return str(uuid5(UUID(self.journal), f"import:{self.program}:{said}"))

    def memory(self, row: ForeignMemory, scope: Scope) -> Memory:
        """The row as a memory of the scope. What came later than now, came now."""
        said_at = min(row.created_at or row.happened_at or self.now, self.now)
        accessed = min(max(row.accessed_at or said_at, said_at), self.now)
        text = unmarked(row.text)
        strength = initial_strength(row.importance) if row.strength is None else row.strength
        planned, speaker = row.kind is Kind.PROSPECTIVE, row.speaker
        if scope.kind is ScopeKind.PRIVATE:
            # The person whose memory it is; in a group who is known to have said it.
            speaker = Speaker(scope.subject, "" if speaker is None else speaker.name)
        return Memory(
            id=self.id_of(row),
            scope=scope.key,
            kind=row.kind,
            text=text,
            summary="" if row.kind is Kind.EVIDENCE else text[:_LONGEST_SUMMARY],
            created_at=said_at,
            happened_at=said_at if row.happened_at is None else row.happened_at,
            vitality=Vitality(
                strength,
                useful_count=row.useful_count,
                useful_score=row.useful_score,
                last_recalled_at=min(row.last_recalled_at, self.now),
                # It ages from now on: otherwise a year without a bot would take all of it at once.
                last_decay_at=self.now,
                settled_at=self.now,
                # As with what is said here: questions and requests are kept for days.
                sole=row.kind is not Kind.EVIDENCE or tells(text),
            ),
            access=Access(said_at, accessed, max(1, row.accesses)),
            source=Source.IMPORTED,
            extractor=Extractor.IMPORT,
            standing=Standing(Status.ARCHIVED, self.now, IMPORTED) if row.archived else Standing(),
            facet=row.facet or _FACETS.get(row.kind, Facet.EPISODIC),
            importance=row.importance,
            confidence=row.confidence,
            trust=RELIABILITY[Source.IMPORTED],
            speaker=speaker,
            about=row.about,
            cues=tuple(unmarked(cue) for cue in row.cues),
            sentiment=Sentiment(row.mood, row.intensity),
            feedback=UserFeedback(important=True) if row.important else UserFeedback(),
            origin=Origin(
                row.session, row.conversation, f"{EPISODE}:{self.batch}:{self.program}:{row.row}"
            ),
            intention=Intention(IntentionType.PLAN, due_at=row.due_at) if planned else None,
        )

    async def admit(self, row: ForeignMemory) -> Memory | Skip:
        """The row as a memory, or why it does not come in."""
        target = self.rules.target(row.chat, row.persona)
        if target is None:
            return Skip.NO_OWNER
        if isinstance(target, LeaveOut):
            return Skip.LEFT_OUT
        if len(row.text) > LONGEST_TEXT:
            return Skip.LONG
        if any(self.ledger.erased_since(one, 0) for one in accounts_of(row, target)):
            return Skip.FORGOTTEN
        if await self._is_paused(row, target):
            return Skip.PAUSED
        memory = self.memory(row, target)
        if memory.id in self.gone:
            return Skip.DELETED_HERE
        if memory.id in self.seen:
            return Skip.REPEATED
        self.seen.add(memory.id)
        return memory

    async def _is_paused(self, row: ForeignMemory, scope: Scope) -> bool:
        for _, user in sorted(accounts_of(row, scope)) or [("", "")]:
            key = f"{scope.owner} {user}"
            if key not in self.asked:
                self.asked[key] = await self.paused(scope, user) is not None
            if self.asked[key]:
                return True
        return False


def accounts_of(row: ForeignMemory, scope: Scope) -> frozenset[Account]:
    """Everybody who is known to have a part in it, on the scope's platform."""
    people = set(row.people)
    if row.speaker is not None:
        people.add(row.speaker.id)
    if scope.kind is ScopeKind.PRIVATE:
        people.add(scope.subject)
    return frozenset((scope.platform, person) for person in people)


async def admitted(
    page: Sequence[ForeignRow], gate: ImportGate, tally: ImportTally
) -> list[tuple[ForeignMemory, Memory]]:
    """The rows that come in, as memories; the others are counted."""
    pairs: list[tuple[ForeignMemory, Memory]] = []
    for row in page:
        if isinstance(row, SkippedRow):
            tally.skip(row.reason)
            continue
        found = await gate.admit(row)
        if isinstance(found, Skip):
            tally.skip(found, row)
            continue
        tally.name(row)
        pairs.append((row, found))
    return pairs
