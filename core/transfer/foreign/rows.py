"""What a file of another program holds, one value per memory. Pure.

Every time is a Unix time in seconds (UTC); None where the file does not say.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...model.conversation import Speaker
from ...model.errors import TidemarkError
from ...model.memory import Facet, Kind, Mood
from .values import name

type Row = Mapping[str, Any]
"""A row of a table, or the object of a line, by column. None of it is checked."""


class Program(StrEnum):
    """Who wrote the file."""

    LIVINGMEMORY = "livingmemory"
    MEMORA = "memora"
    ANGEL_MEMORY = "angel_memory"
    MEM0 = "mem0"
    MEMORY_COMPANION = "memory_companion"
    MEMORIX = "memorix"
    MNEMOSYNE = "mnemosyne"
    CHATGPT = "chatgpt"
    SILLYTAVERN = "sillytavern"
    QQ = "qq_chat_exporter"
    TABLE = "table"


DATABASES: Mapping[Program, Container[object]] = {
    Program.LIVINGMEMORY: (8,),
    Program.MEMORA: (9,),
    Program.MEMORY_COMPANION: ("", "memory-atom-v2"),
    Program.MEMORIX: range(15, 24),
}
EXPORTS: Mapping[Program, Container[object]] = {
    Program.LIVINGMEMORY: (1,),
    Program.ANGEL_MEMORY: (1,),
    Program.MEMORY_COMPANION: ("1",),
}
"""The versions that are read."""


class Skip(StrEnum):
    """Why something in the file does not come."""

    DELETED = "deleted"
    """It had been deleted or given up there."""

    REPLACED = "replaced"
    DOUBTFUL = "doubtful"
    """The program itself did not trust it."""

    EMPTY = "empty"
    LONG = "long"
    BROKEN = "broken"
    REPEATED = "repeated"
    NO_OWNER = "no_owner"
    LEFT_OUT = "left_out"
    """A rule of the admin's says so."""

    FORGOTTEN = "forgotten"
    """It is of somebody who asked to be forgotten."""

    PAUSED = "paused"
    DELETED_HERE = "deleted_here"
    """It has been here, and was deleted for good."""


class SourceProblem(StrEnum):
    """Why a file is refused as a whole."""

    EMPTY = "empty"
    FOREIGN = "foreign"
    """No program we know of wrote it, or it is cut short."""

    VERSION = "version"
    """We know who wrote it, but not this version."""

    PROSE = "prose"
    """It was written for people, and does not say whose its memories are."""

    TOO_LARGE = "too_large"
    COLUMNS = "columns"
    """Which column holds the text is not known."""

    BOMB = "bomb"
    """An archive that is not safe to unpack."""


class NotASource(TidemarkError):
    """Nothing of the file was taken. `detail`: the version, or the columns there are."""

    def __init__(self, problem: SourceProblem, detail: str = "") -> None:
        super().__init__(f"the file is {problem} {detail}".strip())
        self.problem = problem
        self.detail = detail


def known_version(
    program: Program, version: object, known: Mapping[Program, Container[object]]
) -> str:
    """The version as text. Raises NotASource for one that is not read."""
    if version not in known[program]:
        raise NotASource(SourceProblem.VERSION, f"{program} {name(version) or '?'}")
    return name(version)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """One memory as another program kept it; evidence is a message as it was said.

    `chat` is whose it is, in that program's words; `persona` "" for none. `row` names it there.
    `session` and `conversation` are where it was learnt. `people` are ids of everybody who took
    part. `strength` None: by its importance.
    """

    row: str
    chat: str
    text: str
    kind: Kind = Kind.SEMANTIC
    persona: str = ""
    session: str = ""
    conversation: str = ""
    chat_name: str = ""
    created_at: float | None = None
    happened_at: float | None = None
    due_at: float | None = None
    facet: Facet | None = None
    importance: float = 0.5
    confidence: float = 0.6
    strength: int | None = None
    useful_count: int = 0
    useful_score: float = 0.0
    last_recalled_at: float = 0.0
    accessed_at: float | None = None
    accesses: int = 1
    important: bool = False
    archived: bool = False
    speaker: Speaker | None = None
    people: frozenset[str] = frozenset()
    about: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    mood: Mood = Mood.NEUTRAL
    intensity: float = 0.0


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """Something in the file that does not come, and why."""

    row: str
    reason: Skip


type ForeignRow = ForeignMemory | SkippedRow


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """An opened file: who wrote it, in which version ("" if it has none), and how it is read."""

    program: Program
    version: str
    read: Callable[[float], Iterable[ForeignRow]]

    def rows(self, now: float) -> Iterator[ForeignRow]:
        """Its rows, to be gone through once; without words none comes. Blocks."""
        for row in self.read(now):
            empty = isinstance(row, ForeignMemory) and not row.text
            yield SkippedRow(row.row, Skip.EMPTY) if empty else row
