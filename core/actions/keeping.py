"""Where memories are kept: backends and backups, and recovery while there is no engine."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..model.errors import StorageError, installed
from ..model.sleeping import Job, JobKind, JobState, Tell, no_progress
from ..transfer.backup import Backup, NoSuchBackup, Occasion
from ..transfer.copying import EVERYTHING
from ..transfer.data_folder import DataFolder, told_of_backup
from ..transfer.migration import MigrationStage, Move, NotMoved
from ..transfer.recovery import FAULTS, Recovery
from .answers import Caller, CodeNeeded, PackageMissing, Refusal, Refused
from .context import QUICK, Confirmations, Context, at_file, for_admins

__all__ = ["Backup", "MigrationStage", "Move", "Occasion"]

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


@dataclass(frozen=True, slots=True)
class Restored:
    """The backup that holds now, the one made of what was before, and what was `held` back: how
    many memories of the backup had been deleted for good since, and stay so.
    """

    backup: Backup
    before: Backup
    held: int


@for_admins
async def list_backups(context: Context) -> Sequence[Backup]:
    """Every backup, the newest first."""
    return await context.data_folder.backups.every()


@for_admins
async def make_backup(context: Context) -> Backup | Job:
    """A backup of what is now; the job, where that takes long. Raises StorageError."""
    data_folder = context.data_folder
    started = context.services.jobs.start(
        JobKind.BACKUP,
        lambda tell: _made(context, data_folder, tell=tell),
        by=context.by,
        outcome=told_of_backup,
    )
    return await started.result(QUICK)


@for_admins
async def delete_backup(context: Context, name: str) -> Backup:
    """Delete one. Raises StorageError."""
    backup = await _named(context, name)
    with at_file(name):
        await context.data_folder.backups.delete([backup])
    return backup


@for_admins
async def restore_backup(context: Context, name: str, code: str = "") -> Restored:
    """Go back to a backup; what is now is kept as one. First a code. Raises StorageError."""
    data_folder, what = context.data_folder, f"restore-backup {name}"
    wanted = await _named(context, name)
    if data_folder.migration.running:
        raise Refused(Refusal.BEING_MOVED)
    if not code:
        raise context.code_needed(what, name=name, at=wanted.at)
    context.redeem(what, code)
    before = await _made(context, data_folder, Occasion.RESTORE)
    with at_file(name):
        held = await data_folder.backups.stage(name)
    await context.services.reopen()
    return Restored(wanted, before, held)


async def _named(context: Context, name: str) -> Backup:
    try:
        return await context.data_folder.backups.named(name)
    except NoSuchBackup:
        raise Refused(Refusal.UNKNOWN_BACKUP, name=name) from None


async def _made(
    context: Context,
    data_folder: DataFolder,
    occasion: Occasion = Occasion.ASKED,
    tell: Tell = no_progress,
) -> Backup:
    with at_file("backups"):
        return await data_folder.backups.make(occasion, context.now, tell)


type Repair = Callable[[Callable[[], Awaitable[None]]], Awaitable[Exception | None]]
"""Does something to the files and opens memory anew; by what that failed, None if it is open."""


class RecoveryStep(StrEnum):
    """What to do about files that cannot be opened."""

    BACKUP = "backup"
    AS_IS = "as-is"


@dataclass(frozen=True, slots=True)
class ClosedMemory:
    """Memory that could not be opened, and by what; None where it is not known yet."""

    problem: Exception | None
    files: Recovery
    confirmations: Confirmations
    repair: Repair

    @property
    def broken(self) -> bool:
        """Whether there is something to be done about the files."""
        return isinstance(self.problem, StorageError) and self.problem.fault in FAULTS

    async def backups(self) -> Sequence[Backup]:
        """Those that could be brought back, the newest first."""
        return await self.files.backups()

    async def recover(
        self, way: RecoveryStep, caller: Caller, *, name: str = "", code: str = "", now: float
    ) -> Backup | Exception | None:
        """Bring back the backup `name` ("" for the newest), or go on with the files as they are.

        The backup if memory is open again with one, None if with the files; by what it still cannot
        be opened. For admins, and first a code. Raises StorageError and OSError.
        """
        if not caller.admin:
            raise Refused(Refusal.ADMINS_ONLY)
        what = f"recover {way} {name}"
        if not code:
            known = await self.backups() if way is RecoveryStep.BACKUP else []
            found = [each for each in known if name in ("", each.name)]
            if not found and way is RecoveryStep.BACKUP:
                raise Refused(Refusal.UNKNOWN_BACKUP)
            code = self.confirmations.ask(caller, what, now=now)
            raise CodeNeeded(code, backup=found[0] if found else None)
        if not self.confirmations.redeem(caller, what, code, now=now):
            raise Refused(Refusal.WRONG_CODE)
        done: list[Backup] = []

        async def step() -> None:
            if way is RecoveryStep.AS_IS:
                await self.files.go_on()
            else:
                done.append(await self.files.bring_back(name, now))

        try:
            problem = await self.repair(step)
        except NoSuchBackup:
            raise Refused(Refusal.UNKNOWN_BACKUP) from None
        return problem or (done[0] if done else None)
