"""Backups made when asked for, listed and deleted, and going back to one of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.jobs import Job, JobKind, Tell, no_progress
from ..transfer.backup import Backup, NoSuchBackup, Occasion
from ..transfer.data_folder import DataFolder, told_of_backup
from .answers import Refusal, Refused
from .context import Context, for_admins
from .files import as_storage, opened_folder
from .jobs import QUICK

__all__ = ["Backup", "Occasion"]


@dataclass(frozen=True, slots=True)
class Restored:
    """The backup that holds now, the one made of what was before, and what `held` back.

    `held` counts memories of the backup that had been deleted for good since, and stay so.
    """

    backup: Backup
    before: Backup
    held: int


@dataclass(frozen=True, slots=True)
class RestoreToConfirm:
    """Nothing is done before the caller repeats the request with this code."""

    backup: Backup
    code: str


@for_admins
async def list_backups(context: Context) -> Sequence[Backup] | Refused:
    """Every backup, the newest first."""
    data_folder = opened_folder(context)
    return data_folder if isinstance(data_folder, Refused) else await data_folder.backups.every()


@for_admins
async def make_backup(context: Context) -> Backup | Job | Refused:
    """A backup of what is now; the job, where that takes long. Raises StorageError."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    started = context.services.jobs.start(
        JobKind.BACKUP,
        lambda tell: _made(context, data_folder, tell=tell),
        by=context.caller.signature,
        outcome=told_of_backup,
    )
    return await started.result(QUICK)


@for_admins
async def delete_backup(context: Context, name: str) -> Backup | Refused:
    """Delete one. Raises StorageError."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    try:
        backup = await data_folder.backups.named(name)
        await data_folder.backups.delete([backup])
    except NoSuchBackup:
        return Refused(Refusal.UNKNOWN_BACKUP)
    except OSError as error:
        raise as_storage(error, name) from error
    return backup


@for_admins
async def restore_backup(
    context: Context, name: str, code: str = ""
) -> Restored | RestoreToConfirm | Refused:
    """Go back to a backup; what is now is kept as one. Raises StorageError."""
    data_folder = opened_folder(context)
    if isinstance(data_folder, Refused):
        return data_folder
    confirmations, what = context.services.confirmations, f"restore-backup {name}"
    try:
        wanted = await data_folder.backups.named(name)
    except NoSuchBackup:
        return Refused(Refusal.UNKNOWN_BACKUP)
    if data_folder.migration.running:
        return Refused(Refusal.BEING_MOVED)
    if not code:
        return RestoreToConfirm(wanted, confirmations.ask(context.caller, what, now=context.now))
    if not confirmations.redeem(context.caller, what, code, now=context.now):
        return Refused(Refusal.WRONG_CODE)
    before = await _made(context, data_folder, Occasion.RESTORE)
    try:
        held = await data_folder.backups.stage(name)
    except OSError as error:
        raise as_storage(error, name) from error
    await context.services.reopen()
    return Restored(wanted, before, held)


async def _made(
    context: Context,
    data_folder: DataFolder,
    occasion: Occasion = Occasion.ASKED,
    tell: Tell = no_progress,
) -> Backup:
    try:
        return await data_folder.backups.make(occasion, context.now, tell)
    except OSError as error:
        raise as_storage(error, "backups") from error
