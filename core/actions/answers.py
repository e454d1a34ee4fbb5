"""Who asks, from where, and the answers that any action may give."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from ..model.consent import Utterance
from ..model.conversation import Scope, ScopeKind, signed
from ..model.errors import INSTALL
from ..model.memory import Memory
from ..text.quoting import quoted

LONGEST_NAME = 40


async def _keeps_none() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Caller:
    """`person` is the sender's id on the platform of `scope`; `session` the chat it came from.

    `persona` answers there, "" if unknown. `keeps` asks the platform whether they are one of the
    group's own admins.
    """

    scope: Scope
    session: str
    person: str
    name: str
    admin: bool
    persona: str = field(default="", kw_only=True)
    keeps: Callable[[], Awaitable[bool]] = field(default=_keeps_none, kw_only=True, compare=False)

    async def keeps_group(self) -> bool:
        """Whether they may choose for the group: an admin of the bot, or of the group itself."""
        return self.admin or await self.keeps()

    @property
    def utterance(self) -> Utterance:
        """What decides whether something said in a command may be recorded."""
        return Utterance(self.scope, self.person, self.persona)

    @property
    def signature(self) -> str:
        """Who did it, for the audit log; shown by `signatures`."""
        return signed(quoted(self.name, LONGEST_NAME), (self.scope.platform, self.person))

    @property
    def sees_everything(self) -> bool:
        """Whether memories of every scope exist for the caller; see `masking` for their texts."""
        return self.admin and self.scope.kind is ScopeKind.PRIVATE


@dataclass(frozen=True, slots=True)
class Owner:
    """A person or a group by its key (`Scope.owner`), and what it is called, "" without a name."""

    key: str
    kind: ScopeKind
    platform: str
    subject: str
    name: str


@dataclass(frozen=True, slots=True)
class MemoryView:
    """A memory as the caller may see it.

    `id` is the shortest by which the caller can name it here, `speaker_name` what its speaker
    goes by now in its chat ("" without a name). Time alone forgets it after `sinks_at` (None:
    never). What is `masked` exists and says nothing.
    """

    memory: Memory
    id: str
    owner: Owner
    tier: int
    speaker_name: str
    sinks_at: float | None
    masked: bool = False


UNSENT = frozenset({"cues", "media", "entities", "relations", "parts", "wording", "enrichment"})
"""Of a memory what no list of the page shows: pictures alone would make it a hundred times as long.
"""


def sent_of(view: MemoryView) -> dict[str, Any]:
    """The memory as the page gets it, with what else a view tells; by its whole id."""
    told = {each.name: getattr(view, each.name) for each in fields(view) if each.name != "memory"}
    own = [each.name for each in fields(view.memory) if each.name not in UNSENT]
    return told | {name: getattr(view.memory, name) for name in own}


class Refusal(StrEnum):
    """Why something is not done, or not shown."""

    ADMINS_ONLY = "admins_only"
    NOT_REVEALED = "not_revealed"
    REASON_NEEDED = "reason_needed"
    ONLY_THIS_CHAT = "only_this_chat"
    UNKNOWN_SCOPE = "unknown_scope"
    UNKNOWN_MEMORY = "unknown_memory"
    AMBIGUOUS_ID = "ambiguous_id"
    NOT_YOURS = "not_yours"
    IN_BIN = "in_bin"
    ARCHIVED = "archived"
    QUARANTINED = "quarantined"
    NOT_QUARANTINED = "not_quarantined"
    ONLY_BY_OWNER = "only_by_owner"
    PAUSED = "paused"
    GROUP_PAUSED = "group_paused"
    NOT_RECORDED = "not_recorded"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNCHANGED = "unchanged"
    NO_FILES = "no_files"
    UNKNOWN_BACKUP = "unknown_backup"
    BEING_MOVED = "being_moved"
    WRONG_CODE = "wrong_code"
    NOTHING_THERE = "nothing_there"
    ONLY_IN_GROUPS = "only_in_groups"
    ONLY_IN_PRIVATE = "only_in_private"
    UNKNOWN_ACCOUNT = "unknown_account"
    UNKNOWN_FILE = "unknown_file"
    ANOTHER_PLUGINS = "another_plugins"
    NO_CONFLICT = "no_conflict"
    NOT_BINNED = "not_binned"
    NOT_GONE = "not_gone"
    BEING_PURGED = "being_purged"
    UNKNOWN_REPORT = "unknown_report"
    UNKNOWN_DECISION = "unknown_decision"
    SOURCES_GONE = "sources_gone"
    NOT_UNDOABLE = "not_undoable"
    NO_INTENTION = "no_intention"
    NO_SUCH_LINE = "no_such_line"
    UNKNOWN_BATCH = "unknown_batch"
    NOTHING_RECALLED = "nothing_recalled"
    PRIVATE_BLOCK = "private_block"
    IMPORT_RUNNING = "import_running"
    NO_TAG = "no_tag"
    UNKNOWN_JOB = "unknown_job"
    NOT_BY_KEY = "not_by_key"
    HOLDS_FORGOTTEN = "holds_forgotten"
    TOO_MANY_TAGS = "too_many_tags"
    MISSING = "missing"
    BAD_RULE = "bad_rule"
    UNFIT = "unfit"
    UNKNOWN_SETTING = "unknown_setting"
    FIXED = "fixed"
    NOT_CHANGED = "not_changed"
    NOTHING_CHANGED = "nothing_changed"
    STOPPED = "stopped"
    BUSY = "busy"
    TOO_LARGE = "too_large"


class Refused(Exception):
    """Nothing was done, and why; with the memory that it is about, and what else is to be told.

    Ends an action wherever it is noticed; who renders answers catches it in one place.
    """

    def __init__(
        self, reason: StrEnum, memory: MemoryView | None = None, **told: str | int
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.memory = memory
        self.told = told


class PackageMissing(Refused):
    """What has to be installed first."""

    def __init__(self, package: str) -> None:
        self.command = INSTALL[package]
        super().__init__(Refusal.MISSING, package=package, command=self.command)


class CodeNeeded(Exception):
    """Nothing is done, or shown, before the caller repeats the request with this code; `told` is
    what would be.
    """

    def __init__(self, code: str, **told: Any) -> None:
        super().__init__()
        self.code = code
        self.told = told
