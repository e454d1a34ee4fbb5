"""Backups made when asked for, listed and deleted, and going back to one of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.jobs import Job, JobKind, Tell, no_progress
from ..transfer.backup import Backup, NoSuchBackup, Occasion
from ..transfer.data_folder import DataFolder, told_of_backup
from .answers import Refusal, Refused
from .context import Context, at_file, for_admins
from .jobs import QUICK

__all__ = ["Backup", "Occasion"]


@dataclass(frozen=True, slots=True)
class Restored:
    """The backup that holds now, the one made of what was before, and what was `held` back.

    With a `code` nothing is done before the request is repeated with it. `held` counts memories of
    the backup that had been deleted for good since, and stay so.
    """

    backup: Backup
    code: str = ""
    before: Backup | None = None
    held: int = 0


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
        return Restored(wanted, context.code_for(what))
    context.redeem(what, code)
    before = await _made(context, data_folder, Occasion.RESTORE)
    with at_file(name):
        held = await data_folder.backups.stage(name)
    await context.services.reopen()
    return Restored(wanted, "", before, held)


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
