"""Which memories of another program's file come in, as whose, and the counts of it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..model.consent import Pause
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..ports import Ledger
from .foreign.making import Making, accounts_of
from .foreign.owners import LeaveOut, MappingRules, owner_of
from .foreign.rows import ForeignMemory, ForeignRow, ForeignSource, Skip, SkippedRow

LONGEST_TEXT = 4_000
"""Characters of an imported memory: what is longer is no memory but a document."""

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
        """Count what does not come in."""
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
            _share(self, key, numbers[key[0]], rules.target(*key)) for key in sorted(self.names)
        ]
        new, known = self.new.total(), self.known.total()
        return MovePlan(source.program, source.version, chats, dict(self.skipped), new, known)


@dataclass(slots=True)
class ImportGate:
    """Decides of each row whether it may come in, and as whose."""

    making: Making
    rules: MappingRules
    ledger: Ledger
    gone: frozenset[str]
    paused: Paused
    seen: set[str] = field(default_factory=set[str])
    asked: dict[str, bool] = field(default_factory=dict[str, bool])

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
        memory = self.making.memory(row, target)
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


async def admitted(
    page: Sequence[ForeignRow], gate: ImportGate, tally: ImportTally
) -> list[tuple[ForeignMemory, Memory]]:
    """The rows that come in, as memories; the others are counted."""
    pairs: list[tuple[ForeignMemory, Memory]] = []
    for row in page:
        if isinstance(row, SkippedRow):
            tally.skip(row.reason)
            continue
        if not row.text:
            tally.skip(Skip.EMPTY, row)
            continue
        found = await gate.admit(row)
        if isinstance(found, Skip):
            tally.skip(found, row)
            continue
        tally.name(row)
        pairs.append((row, found))
    return pairs


def _share(
    tally: ImportTally, key: tuple[str, str], number: int, target: Scope | LeaveOut | None
) -> ChatShare:
    chat, persona = key
    return ChatShare(
        number,
        chat,
        persona,
        tally.names[key],
        target if isinstance(target, Scope) else None,
        isinstance(target, LeaveOut),
        tally.new[key],
        tally.known[key],
        tally.unwanted[key],
    )
