"""Which rows of another program's file come in, as whose, as what, and the counts of it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hmac import compare_digest
from pathlib import Path
from uuid import UUID, uuid5

from ..forgetting.summary import without_parts
from ..forgetting.tmd import initial_strength
from ..languages.markers import tells
from ..model.consent import Pause
from ..model.conversation import Account, Scope, ScopeKind, Speaker
from ..model.knowledge import Intention, IntentionType
from ..model.memory import (
    RELIABILITY,
    REPLY_MARK,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Part,
    Sentiment,
    Source,
    Standing,
    Status,
    UserFeedback,
    Vitality,
    unmarked,
)
from ..ports import Embedded, Ledger
from ..privacy.erasure import accounts_of
from ..records.evidence import quotation, without_quotes, without_reply
from ..records.learnt import FACETS, without_correction
from .export_file import ExportedMemory, Header, exported_in, seal_of
from .foreign.rows import (
    ForeignMemory,
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

type Paused = Callable[[Scope, str], Awaitable[Pause | None]]
"""Who has paused what a user says in a scope: `Consents.pause`."""


type Chat = tuple[str, str]
"""A chat as the file names it, and the persona there."""


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
    """What an import would bring, or has brought: by chat, and what does not come, by reason.

    `batch` is by what it can be taken back, "" if there was nothing new; `platforms` are those of
    which anything has been recorded here.
    """

    program: str
    version: str
    chats: Sequence[ChatShare]
    skipped: Mapping[Skip, int]
    new: int
    known: int
    batch: str = ""
    platforms: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Coming:
    """A memory that may come in, from which chat, with the vector that it was exported with."""

    chat: Chat
    memory: Memory
    vector: Embedded | None = None


@dataclass(slots=True)
class ImportTally:
    """What has been counted of a file, by chat."""

    new: Counter[Chat] = field(default_factory=Counter[Chat])
    known: Counter[Chat] = field(default_factory=Counter[Chat])
    unwanted: Counter[Chat] = field(default_factory=Counter[Chat])
    names: dict[Chat, str] = field(default_factory=dict[Chat, str])
    skipped: Counter[Skip] = field(default_factory=Counter[Skip])

    async def admitted(
        self, page: Sequence[ForeignMemory | ExportedMemory | SkippedRow], gate: "Gate"
    ) -> list[Coming]:
        """The rows that come in; the others are counted."""
        coming: list[Coming] = []
        for row in page:
            found = row.reason if isinstance(row, SkippedRow) else await gate.admit(row)
            if isinstance(row, ForeignMemory):
                self._name(row)
                self.unwanted[row.chat, row.persona] += isinstance(found, Skip)
            if isinstance(found, Skip):
                self.skipped[found] += 1
            else:
                coming.append(found)
                # Who was forgotten here is not named by an export of ours.
                self.names.setdefault(found.chat, "")
        return coming

    def _name(self, row: ForeignMemory) -> None:
        """Remember the chat, and what it is called: in private that is who speaks."""
        key, owner = (row.chat, row.persona), owner_of(row.chat)
        private = owner is None or owner.kind is ScopeKind.PRIVATE
        called = row.speaker.name if private and row.speaker is not None else ""
        self.names[key] = self.names.get(key) or row.chat_name or called

    def plan(self, gate: "Gate") -> MovePlan:
        """What these counts come to, chat by chat."""
        numbers = {chat: n for n, chat in enumerate(sorted({c for c, _ in self.names}), start=1)}
        chats: list[ChatShare] = []
        for key in sorted(self.names):
            target = gate.target(*key)
            owner = target if isinstance(target, Scope) else None
            left_out, name = isinstance(target, LeaveOut), self.names[key]
            counts = self.new[key], self.known[key], self.unwanted[key]
            chats.append(ChatShare(numbers[key[0]], *key, name, owner, left_out, *counts))
        new, known = self.new.total(), self.known.total()
        source, skipped = gate.source, dict(self.skipped)
        return MovePlan(source.program, source.version, chats, skipped, new, known)


@dataclass(slots=True)
class ImportGate:
    """Decides of each row of another program whether it may come in, as whose and as what."""

    source: ForeignSource
    journal: str
    batch: str
    now: float
    rules: MappingRules
    ledger: Ledger
    gone: frozenset[str]
    paused: Paused
    seen: set[str] = field(default_factory=set[str])
    asked: dict[str, bool] = field(default_factory=dict[str, bool])

    def target(self, chat: str, persona: str) -> Scope | LeaveOut | None:
        """Whose it becomes."""
        return self.rules.target(chat, persona)

    def id_of(self, row: ForeignMemory) -> str:
        """Follows from what is said in which chat: from any file of that program the same."""
        said = repr((row.chat, row.persona, row.text))
        if row.kind is Kind.EVIDENCE:
            # A message may be said again, a memory is the same.
            said = repr((row.chat, row.persona, row.text, row.created_at))
        return str(uuid5(UUID(self.journal), f"import:{self.source.program}:{said}"))

    def memory(self, row: ForeignMemory, scope: Scope) -> Memory:
        """The row as a memory of the scope. What came later than now, came now."""
        said_at = min(row.created_at or row.happened_at or self.now, self.now)
        accessed = min(max(row.accessed_at or said_at, said_at), self.now)
        text, came = unmarked(row.text), f"{self.source.program}:{row.row}"
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
            facet=FACETS.get(row.kind, Facet.EPISODIC),
            importance=row.importance,
            confidence=row.confidence,
            trust=RELIABILITY[Source.IMPORTED],
            speaker=speaker,
            about=row.about,
            cues=tuple(unmarked(cue) for cue in row.cues),
            sentiment=Sentiment(row.mood, row.intensity),
            feedback=UserFeedback(important=True) if row.important else UserFeedback(),
            origin=Origin(row.session, row.conversation, f"{EPISODE}:{self.batch}:{came}"),
            intention=Intention(IntentionType.PLAN, due_at=row.due_at) if planned else None,
        )

    async def admit(self, row: ForeignMemory | ExportedMemory) -> Coming | Skip:
        """The row as a memory, or why it does not come in."""
        assert isinstance(row, ForeignMemory), "as `rows` answers them"
        target = self.target(row.chat, row.persona)
        if target is None:
            return Skip.NO_OWNER
        if isinstance(target, LeaveOut):
            return Skip.LEFT_OUT
        if len(row.text) > LONGEST_TEXT:
            return Skip.LONG
        if any(self.ledger.erased_since(one, 0) for one in people_of(row, target)):
            return Skip.FORGOTTEN
        if await self._is_paused(row, target):
            return Skip.PAUSED
        memory = self.memory(row, target)
        if memory.id in self.gone:
            return Skip.DELETED_HERE
        if memory.id in self.seen:
            return Skip.REPEATED
        self.seen.add(memory.id)
        return Coming((row.chat, row.persona), memory)

    async def _is_paused(self, row: ForeignMemory, scope: Scope) -> bool:
        for _, user in sorted(people_of(row, scope)) or [("", "")]:
            key = f"{scope.owner} {user}"
            if key not in self.asked:
                self.asked[key] = await self.paused(scope, user) is not None
            if self.asked[key]:
                return True
        return False


def people_of(row: ForeignMemory, scope: Scope) -> frozenset[Account]:
    """Everybody who is known to have a part in it, on the scope's platform."""
    speaker = [] if row.speaker is None else [row.speaker.id]
    own = [scope.subject] if scope.kind is ScopeKind.PRIVATE else []
    return frozenset((scope.platform, person) for person in (*row.people, *speaker, *own))


@dataclass(slots=True)
class ExportGate:
    """Decides of each memory of an export of ours whether it may come in, and what of it.

    Whoever was erased after the erasure `known` does not come back, nor what rests on it or quotes
    it; a thread may, which is told anew.
    """

    source: ForeignSource
    known: int
    ledger: Ledger
    seen: set[str] = field(default_factory=set[str])
    _ids: set[str] = field(default_factory=set[str])
    _turns: set[int] = field(default_factory=set[int])
    _quotes: set[str] = field(default_factory=set[str])

    @classmethod
    def opened(cls, file: Path, header: Header, ledger: Ledger) -> "ExportGate":
        """Of a file that may hold something of the erased: it is read once before. Blocks."""
        source = ForeignSource(Program.TIDEMARK, "", lambda _: exported_in(file))
        gate = cls(source, ledger.since(header.installation, header.erasures), ledger)
        if ledger.later(gate.known):
            for row in exported_in(file):
                if isinstance(row, ExportedMemory) and gate._is_theirs(row.memory):
                    gate._look(row.memory)
        return gate

    def target(self, chat: str, persona: str) -> Scope:
        """Whose it is."""
        return Scope.parse(chat)

    async def admit(self, row: ForeignMemory | ExportedMemory) -> Coming | Skip:
        """What may be taken of it, or why it does not come in."""
        assert isinstance(row, ExportedMemory), "as `rows` answers them"
        row = vouched(row, self.ledger)
        memory = row.memory
        if memory.id in self.seen:
            return Skip.REPEATED
        if self.ledger.later(self.known):
            if self._holds(memory):
                return Skip.FORGOTTEN
            memory = self._cleared(memory)
        self.seen.add(memory.id)
        return Coming((memory.scope, ""), memory, row.vector)

    def _look(self, theirs: Memory) -> None:
        self._ids.add(theirs.id)
        if theirs.kind is Kind.EVIDENCE:
            said, _, answer = theirs.text.partition(f"\n{REPLY_MARK} ")
            self._turns.update(theirs.origin.turns)
            self._quotes.update(quotation(text) for text in (said, answer) if text)

    def _holds(self, memory: Memory) -> bool:
        left = self._without_parts(memory) or memory
        rests = not self._turns.isdisjoint(left.origin.turns)
        return self._is_theirs(memory) or rests or memory.is_thread

    def _cleared(self, memory: Memory) -> Memory:
        """A memory of others, without what it quotes of them."""
        if memory.kind is Kind.EVIDENCE:
            memory = without_quotes(memory, self._quotes)
        return without_correction(self._without_parts(memory) or memory, self._ids)

    def _without_parts(self, memory: Memory) -> Memory | None:
        def is_gone(part: Part) -> bool:
            told = self._turns.isdisjoint(part.turns)
            return not (told and self._ids.isdisjoint(part.memories))

        return without_parts(memory, is_gone)

    def _is_theirs(self, memory: Memory) -> bool:
        return any(self.ledger.erased_since(each, self.known) for each in accounts_of(memory))


type Gate = ImportGate | ExportGate


def vouched(entry: ExportedMemory, ledger: Ledger) -> ExportedMemory:
    """The entry, with an answer of the bot's only where its seal is ours.

    Of a turn, any other answer goes: the record is what a person said, and as words it would be
    quoted as theirs. A mark elsewhere becomes an arrow, as in everything people write.
    """
    memory = entry.memory
    seal = seal_of(memory, ledger)
    if seal and compare_digest(seal.encode(), entry.seal.encode("utf-8", "replace")):
        return entry
    said = without_reply(memory).text if memory.kind is Kind.EVIDENCE else memory.text
    text = unmarked(said if said.strip() else memory.text)
    told = replace(memory, text=text, summary=unmarked(memory.summary))
    # The vector was made of other words; it would still find the memory by them.
    return entry if told == memory else replace(entry, memory=told, vector=None)
