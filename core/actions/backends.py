"""Which backend holds the memories, and moving them to another."""

from dataclasses import dataclass

from ..model.errors import installed
from ..model.jobs import Job, JobKind, JobState
from ..transfer.copying import EVERYTHING
from ..transfer.migration import MigrationStage, Move, NotMoved
from .answers import PackageMissing, Refusal, Refused
from .context import Context, for_admins
from .files import opened_folder

__all__ = ["MigrationStage", "Move", "NotMoved"]

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
    """The backend in force, how many memories it holds in any status, and a move not settled."""

    backend: str
    count: int
    disagreement: Disagreement | None
    move: Move | None


@dataclass(frozen=True, slots=True)
class MoveToConfirm:
    """Nothing is moved before the caller repeats the request with this code."""

    count: int
    code: str


@dataclass(frozen=True, slots=True)
class MoveBegun:
    """The move goes on in the background."""


def disagreement(context: Context) -> Disagreement | None:
    """None if the backend that the settings name is in force."""
    data_folder = context.services.data_folder
    if data_folder is None or data_folder.backends.agree:
        return None
    return Disagreement(data_folder.backends.in_force, data_folder.backends.chosen)


@for_admins
async def storage_state(context: Context) -> StorageState | Refused:
    """Where the memories are."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    count = await data_folder.store.count(EVERYTHING)
    backend = data_folder.backends.in_force
    return StorageState(backend, count, disagreement(context), data_folder.migration.move)


@for_admins
async def move_memories(
    context: Context, target: str, code: str = ""
) -> MoveBegun | MoveToConfirm | PackageMissing | NotMoved | Refused:
    """Copy everything to the backend `target`, one of TARGETS, and go over to it."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    refused = data_folder.migration.refusal(target)
    if refused is not None:
        return refused
    package = PACKAGES.get(target)
    if package is not None and not installed(package):
        return PackageMissing(package)
    confirmations, what = context.services.confirmations, f"storage {target}"
    if not code:
        code = confirmations.ask(context.caller, what, now=context.now)
        return MoveToConfirm(await data_folder.store.count(EVERYTHING), code)
    if not confirmations.redeem(context.caller, what, code, now=context.now):
        return Refused(Refusal.WRONG_CODE)
    context.services.jobs.note_asker(JobKind.MIGRATION, context.caller.signature)
    return await data_folder.migration.begin(target, context.now) or MoveBegun()


@for_admins
async def confirm_move(context: Context) -> Move | NotMoved | Refused:
    """Settle that the memories are moved: the old backend's are deleted. Raises StorageError."""
    data_folder = opened_folder(context)
    return (
        data_folder if isinstance(data_folder, Refused) else await data_folder.migration.confirm()
    )


@for_admins
async def cancel_move(context: Context) -> Move | NotMoved | Refused:
    """Give a move up: what has been copied is deleted. Raises StorageError."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    job, answer = move_job(context), await data_folder.migration.cancel()
    if job is not None and job.running and isinstance(answer, Move):
        context.services.jobs.note_cancelled(job)
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
