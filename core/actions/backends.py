"""Which backend holds the memories, and moving them to another."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.errors import installed
from ..model.sleeping import Job, JobKind, JobState
from ..transfer.copying import EVERYTHING
from ..transfer.migration import MigrationStage, Move, NotMoved
from .answers import PackageMissing, Refused
from .context import Context, for_admins

__all__ = ["MigrationStage", "Move"]

_STATES = {
    MigrationStage.COPYING: JobState.RUNNING,
    MigrationStage.FAILED: JobState.FAILED,
    MigrationStage.SWITCHED: JobState.DONE,
}

TARGETS = ("sqlite", "chroma")
PACKAGES = {"chroma": "chromadb"}
"""What a backend needs and may be missing."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The settings name another backend than the one in force."""

    in_force: str
    chosen: str


@dataclass(frozen=True, slots=True)
class StorageState:
    """The backend in force, how many memories it holds in any status, where else they could be, and
    a move not settled.
    """

    backend: str
    count: int
    targets: Sequence[str]
    disagreement: Disagreement | None
    move: Move | None


def disagreement(context: Context) -> Disagreement | None:
    """None if the backend that the settings name is in force."""
    data_folder = context.services.data_folder
    if data_folder is None or data_folder.backends.agree:
        return None
    return Disagreement(data_folder.backends.in_force, data_folder.backends.chosen)


@for_admins
async def storage_state(context: Context) -> StorageState:
    """Where the memories are."""
    data_folder = context.data_folder
    count = await data_folder.store.count(EVERYTHING)
    backend = data_folder.backends.in_force
    others = [each for each in TARGETS if each != backend]
    return StorageState(backend, count, others, disagreement(context), data_folder.migration.move)


@for_admins
async def move_memories(context: Context, target: str, code: str = "") -> None:
    """Copy everything to the backend `target`, one of TARGETS, in the background, and go over to
    it. First a code.
    """
    data_folder, package, what = context.data_folder, PACKAGES.get(target), f"storage {target}"
    _settled(data_folder.migration.refusal(target))
    if package is not None and not installed(package):
        raise PackageMissing(package)
    if not code:
        count = await data_folder.store.count(EVERYTHING)
        raise context.code_needed(what, count=count, target=target)
    context.redeem(what, code)
    context.services.jobs.note_asker(JobKind.MIGRATION, context.by)
    _settled(await data_folder.migration.begin(target, context.now))


@for_admins
async def confirm_move(context: Context) -> Move:
    """Settle that the memories are moved: the old backend's are deleted. Raises StorageError."""
    return _settled(await context.data_folder.migration.confirm())


@for_admins
async def cancel_move(context: Context) -> Move:
    """Give a move up: what has been copied is deleted. Raises StorageError."""
    job = move_job(context)
    move = _settled(await context.data_folder.migration.cancel())
    if job is not None and job.running:
        context.services.jobs.note_cancelled(job)
    return move


def _settled[T](answer: T | NotMoved) -> T:
    if isinstance(answer, NotMoved):
        raise Refused(answer)
    return answer


def move_job(context: Context) -> Job | None:
    """A move to another backend that is not settled."""
    data_folder, kind = context.services.data_folder, JobKind.MIGRATION
    move = None if data_folder is None else data_folder.migration.move
    if move is None:
        return None
    return Job(
        id=kind,
        kind=kind,
        state=_STATES[move.stage],
        by=context.services.jobs.asker(kind),
        subject=move.target,
        done=move.copied,
        total=move.total,
        started_at=move.at,
        problem=move.problem,
        outcome={"source": move.source},
    )
