"""What the page is sent of backups and imports. Times are Unix seconds, sizes bytes."""

from dataclasses import dataclass

from ...core.actions.backends import Move
from ...core.actions.backups import Backup
from ...core.actions.imports import Batch, ChatView, ImportPreview
from ...core.model.conversation import ScopeKind
from .job_shapes import JobShape


@dataclass(frozen=True, slots=True)
class BackupMade:
    """A backup that is made; or the job that makes it, where that takes long."""

    backup: Backup | None
    job: JobShape | None


@dataclass(frozen=True, slots=True)
class KeptBackups:
    """Every backup, the newest first."""

    backups: list[Backup]


@dataclass(frozen=True, slots=True)
class RestoreAsked:
    """A restore that waits for `code`; without one it is done, and `before` is what was before.

    `held` people have asked to be forgotten since and stay forgotten.
    """

    code: str
    before: str
    held: int


@dataclass(frozen=True, slots=True)
class Imports:
    """What can be imported from `folder`, and what has been."""

    names: list[str]
    folder: str
    batches: list[Batch]


@dataclass(frozen=True, slots=True)
class ImportChatShape:
    """What comes from one chat of a file, and whose it becomes; `kind` "" for nobody's."""

    number: int
    chat: str
    persona: str
    kind: ScopeKind | None
    platform: str
    subject: str
    name: str
    left_out: bool
    known_platform: bool
    new: int
    known: int
    skipped: int


@dataclass(frozen=True, slots=True)
class ImportLooked:
    """What a file would bring, or has brought: `skipped` counts by reason.

    `problem` is why it is refused as a whole, with its `detail`; "" otherwise.
    """

    program: str
    version: str
    chats: list[ImportChatShape]
    skipped: dict[str, int]
    new: int
    known: int
    batch: str
    problem: str
    detail: str


@dataclass(frozen=True, slots=True)
class ImportStarted:
    """What an import has brought; or the job that brings it, where that takes long."""

    looked: ImportLooked | None
    job: JobShape | None


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """An undo that waits for `code`, what would go and stay; without a code what has gone."""

    code: str
    going: int
    staying: int


@dataclass(frozen=True, slots=True)
class ExportedShape:
    """A file in the folder, and how many memories are in it; or the job that writes it."""

    file: str
    folder: str
    count: int
    job: JobShape | None


@dataclass(frozen=True, slots=True)
class StorageShape:
    """The backend in force, its memories, and where else they could be."""

    backend: str
    count: int
    targets: list[str]
    move: Move | None


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """A move that waits for `code`; without one it is done, or there is a `problem`."""

    code: str
    count: int
    problem: str
    missing: str


def looked_shape(told: ImportPreview, batch: str = "") -> ImportLooked:
    """What a file would bring, or with a batch has brought."""
    skipped = {str(reason): count for reason, count in told.skipped.items()}
    chats = [_chat_shape(each) for each in told.chats]
    return ImportLooked(
        told.program, told.version, chats, skipped, told.new, told.known, batch, "", ""
    )


def _chat_shape(view: ChatView) -> ImportChatShape:
    share, target = view.share, view.share.target
    return ImportChatShape(
        share.number,
        share.chat,
        share.persona,
        None if target is None else target.kind,
        "" if target is None else target.platform,
        "" if target is None else target.subject,
        view.target_name,
        share.left_out,
        view.known_platform,
        share.new,
        share.known,
        share.skipped,
    )
