"""What a file of another program holds, one value per memory. Pure.

Every time is a Unix time in seconds (UTC); None where the file does not say.
"""

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from typing import IO, Any

from ...model.conversation import ANY_PERSONA, Scope, ScopeKind, Speaker
from ...model.errors import TidemarkError
from ...model.memory import Kind, Mood
from . import split_json

EARLIEST = 946_684_800.0
"""The year 2000: what is said to be older is a mistake."""

DAY = 86_400.0
_MILLISECONDS = 1e11
_ESCAPED = "=+-@\t\r"
_MOST = 20
"""Entries that are read of a list."""

_BLOCKS = re.compile(
    r"<(system_reminder|memora-untrusted-memory|RAG-Faiss-Memory|tidemark-memories)\b[^>]*>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_MENTION = re.compile(r"\[At:[^\]\n]{1,80}\]")
_HEADLINE = re.compile(r"\A\[[^\]\n/]{1,60}/[\d:. T-]{4,25}\]:\s*")
"""`[NAME/TIME]: `, as plugins for the context of groups put it before a message."""


LONGEST_LINE = 4 << 20
"""Bytes, or characters, of one line, whoever wrote it."""


def limited[T: (str, bytes)](source: IO[T]) -> Iterator[T]:
    """The lines of a file; one longer than `LONGEST_LINE` comes cut, and is too long still."""
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and rest[-1:] not in ("\n", b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        yield line


def text(value: object, longest: int = 100_001) -> str:
    """The text, without what no database takes; "" for anything else."""
    if not isinstance(value, str):
        return ""
    sound = value[:longest].encode("utf-8", "replace").decode("utf-8")
    return sound.replace("\0", "").strip()


def name(value: object) -> str:
    """An id or a name: also written as a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text(value, 200)


def time(value: object, now: float) -> float | None:
    """Unix seconds of a number (also milliseconds) or an ISO text, which without a zone is UTC.

    None for what cannot be: before 2000, or later than a day from now.
    """
    found = _number(value)
    if found is None:
        found = _iso(value)
    if found is None:
        return None
    if found > _MILLISECONDS:
        found /= 1_000.0
    return found if EARLIEST <= found <= now + DAY else None


def _iso(value: object) -> float | None:
    written = text(value, 40)
    if len(written) < 8:
        return None
    try:
        found = datetime.fromisoformat(written)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _number(value: object) -> float | None:
    """A finite number, also written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _parsed(value: object) -> Any:
    """JSON out of a text; what is none as it is, None for broken JSON."""
    if not isinstance(value, str):
        return value
    try:
        return split_json.loads(value)
    except (ValueError, RecursionError):
        return None


class Row(dict[str, Any]):
    """A row of a table, or a JSON object. None of it is checked: each value is read as one kind.

    Of several keys the first counts that holds anything of that kind.
    """

    @classmethod
    def of(cls, value: object) -> "Row":
        """The JSON object in it; empty for anything else."""
        found = _parsed(value)
        return cls(found) if isinstance(found, dict) else cls()

    def row(self, key: str) -> "Row":
        return Row.of(self.get(key))

    def entries(self, key: str) -> Sequence[Any]:
        found = _parsed(self.get(key))
        return found if isinstance(found, list) else ()

    def rows(self, key: str) -> Iterator["Row"]:
        return map(Row.of, self.entries(key))

    def text(self, *keys: str, longest: int = 100_001) -> str:
        return next(filter(None, (text(self.get(key), longest) for key in keys)), "")

    def said(self, *keys: str) -> str:
        """Somebody's words."""
        return cleaned(self.text(*keys))

    def name(self, *keys: str) -> str:
        return next(filter(None, (name(self.get(key)) for key in keys)), "")

    def time(self, now: float, *keys: str) -> float | None:
        found = (time(self.get(key), now) for key in keys)
        return next((each for each in found if each is not None), None)

    def future(self, now: float, key: str) -> float | None:
        """A time that may lie some years ahead."""
        return time(self.get(key), now + 10 * 366 * DAY)

    def number(self, key: str) -> float:
        return _number(self.get(key)) or 0.0

    def count(self, key: str, most: int = 1 << 31) -> int:
        """A whole number from 0."""
        return int(min(max(self.number(key), 0.0), most))

    def share(self, key: str, otherwise: float = 0.5) -> float:
        """0..1; what lies above, up to 10, is in tenths."""
        found = _number(self.get(key))
        if found is None:
            return otherwise
        return min(max(found / 10.0 if 1.0 < found <= 10.0 else found, 0.0), 1.0)

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a list, each once; a single text is a list of one."""
        value = self.get(key)
        found = _parsed(value)
        if found is None and isinstance(value, str):
            found = re.split(r"[;,；，、|]", value)
        listed = [found] if isinstance(found, str) else found if isinstance(found, list) else []
        sound = (text(each, 2_000) for each in islice(listed, 5 * _MOST))
        return tuple(dict.fromkeys(each for each in sound if each))[:_MOST]


def cleaned(said: str) -> str:
    """What somebody said, without what the host and memory plugins had put into it."""
    without = _MENTION.sub("", _BLOCKS.sub("", said))
    return re.sub(r"\n{3,}", "\n\n", _HEADLINE.sub("", without.strip())).strip()


def unescaped(value: str) -> str:
    """The value as it was before a spreadsheet was kept from running it."""
    return value[1:] if value[:1] == "'" and value[1:2] and value[1] in _ESCAPED else value


class Program(StrEnum):
    """Who wrote the file."""

    TIDEMARK = "tidemark"
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
    UNREADABLE = "unreadable"
    """It could not be read where it was exported."""

    CUT = "cut"
    """The file has no proper end, or lacks lines."""

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

type Rows = Callable[[], Iterator[object]]
"""Begins to read a table."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a file: its tables, "" the only one of a file without names for them.

    Of a JSON object each list is a table, and it is `told` as a whole; of JSON Lines the first.
    What is `tabular` may be read by usual names of columns.
    """

    tables: Mapping[str, Rows]
    columns: Mapping[str, frozenset[str]]
    told: Row = field(default_factory=Row)
    tabular: bool = False

    def rows(self, table: str = "") -> Iterator[Row]:
        """Every row from the first on."""
        return map(Row.of, self.tables.get(table, tuple)())

    def has(self, columns: Iterable[str], table: str = "") -> bool:
        """Whether there is a table with these columns."""
        return self.columns.get(table, frozenset()) >= frozenset(columns)


@dataclass(frozen=True, slots=True)
class Format:
    """How a file of a program is known and read, and in which `versions`."""

    program: Program
    known: Callable[[Content], bool]
    read: Callable[[Content, float], Iterable[ForeignRow]]
    version: Callable[[Content], object] = lambda _: ""
    versions: Container[object] = ("",)


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """An opened file: who wrote it, in which version ("" if it has none), and how it is read."""

    program: Program
    version: str
    read: Callable[[float], Iterable[Any]]

    def rows(self, now: float) -> Iterator[Any]:
        """Its rows, of an export of ours other ones; without words none comes. Blocks."""
        for row in self.read(now):
            empty = isinstance(row, ForeignMemory) and not row.text
            yield SkippedRow(row.row, Skip.EMPTY) if empty else row


USER, GROUP, SCOPE = "user ", "group ", "scope "
"""Begin the name of a chat of which only the person, the group or the scope is known."""

DEFAULT_PERSONA = "default"
UNOWNED = "*"
"""In a rule: every chat that has no owner otherwise."""

_NO_PERSONA = frozenset({"", "default", "[%None]"})
_PER_MEMBER = re.compile(r"\d+_\d+")
"""A member's own session in a group, under the host's setting for unique sessions."""


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """A rule's target: these memories are not wanted."""


LEFT_OUT = LeaveOut()


@dataclass(frozen=True, slots=True)
class MappingRules:
    """What the admin decides beyond what the file says.

    `chats`: a chat as the file names it, or `UNOWNED` for all without an owner, to a scope.
    A target with `ANY_PERSONA` takes the memory's own persona. `personas`: names to names.
    """

    chats: Mapping[str, Scope | LeaveOut] = field(default_factory=dict[str, "Scope | LeaveOut"])
    personas: Mapping[str, str] = field(default_factory=dict[str, str])

    def target(self, chat: str, persona: str) -> Scope | LeaveOut | None:
        """Whose it becomes; None if nobody is known for it."""
        found = self.chats.get(chat) or owner_of(chat) or self.chats.get(UNOWNED)
        if not isinstance(found, Scope):
            return found
        if found.persona != ANY_PERSONA:
            return found
        named = DEFAULT_PERSONA if persona.strip() in _NO_PERSONA else persona
        meant = self.personas.get(named) or self.personas.get(ANY_PERSONA) or named
        return replace(found, persona=meant)


def owner_of(session: str) -> Scope | None:
    """The person or group of a session as the host names it, under any persona; None for none."""
    platform, _, rest = session.partition(":")
    kind, _, subject = rest.partition(":")
    if not platform or not subject:
        return None
    match kind:
        case "FriendMessage":
            return Scope(ScopeKind.PRIVATE, platform, _person(subject))
        case "GroupMessage" if not _PER_MEMBER.fullmatch(subject):
            return Scope(ScopeKind.GROUP, platform, subject)
        case _:
            return None


def read_target(written: str) -> Scope | LeaveOut | None:
    """What an admin writes as a target: a scope, with or without its persona, or `skip`."""
    if written.lower() in ("skip", "-"):
        return LEFT_OUT
    parts = written.split("/")
    if len(parts) == 3:
        parts.append(ANY_PERSONA)
    try:
        scope = Scope.parse("/".join(parts))
    except ValueError:
        return None
    return scope if scope.platform and scope.subject and scope.persona else None


def _person(subject: str) -> str:
    """A person of the web chat has many sessions, each named `webchat!PERSON!...`."""
    parts = subject.split("!")
    return parts[1] if len(parts) >= 3 and parts[0] == "webchat" and parts[1] else subject


KINDS_OF_ANGEL_MEMORY = {
    "知识记忆": Kind.SEMANTIC,
    "事件记忆": Kind.EPISODIC,
    "技能记忆": Kind.PROCEDURAL,
    "任务记忆": Kind.PROSPECTIVE,
    "情感记忆": Kind.EPISODIC,
}
PROFILE_TAGS = frozenset({"用户别名", "事实属性", "技能树", "关系图谱", "活跃项目"})
ALL_HAN = re.compile(r"[㐀-䶿一-鿿]+")

PLACEHOLDER = "对话记录"
"""The text of a summary whose model answered no JSON."""

FACTS = re.compile(r"\s*[；|]\s*|\s\|\s")
"""Between the facts of one text."""

LABEL = re.compile(r"[（(]\s*QQ(?:官方)?[:：][^）)]{1,80}[）)]")
"""An account behind a name, as memora repeats it in its texts."""

TEXT_COLUMNS = ("内容", "记忆", "文本")
TIME_COLUMNS = ("时间", "创建时间")
PERSON_COLUMNS = ("用户", "用户ID")
GROUP_COLUMNS = ("群", "群号")

QUOTED = "[回复 "
"""Begins another person's words before what QQ's exporter says was answered to them."""

MEDIA = re.compile(
    r"\[(?:图片|视频|语音|文件|表情|回复消息|卡片消息|JSON消息|位置|日历|合并转发|转发消息)[^\]\n]*\]"
)
"""What it writes for a picture and whatever else is no words."""

MNEMOSYNE_COLUMNS = {
    "记忆ID": "memory_id",
    "会话ID": "session_id",
    "内容": "content",
    "创建时间": "create_time",
    "人格ID": "persona_id",
}
"""The columns of its table, as its document calls them."""
