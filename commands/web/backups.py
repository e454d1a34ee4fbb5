"""Backups: listed, made, deleted, and gone back to."""

from ...core.actions import backups
from ...core.actions.answers import Refused
from ...core.actions.backups import Backup, RestoreToConfirm
from ...core.actions.jobs import Job
from .job_shapes import job_shape
from .keeping_shapes import BackupMade, KeptBackups, RestoreAsked
from .request import WebRequest

LONGEST_CODE = 20


async def list_(request: WebRequest) -> KeptBackups | Refused:
    """Every backup."""
    found = await backups.list_backups(request.context)
    if isinstance(found, Refused):
        return found
    return KeptBackups(list(found))


async def make(request: WebRequest) -> BackupMade | Refused:
    """A backup of what is now."""
    made = await backups.make_backup(request.context)
    match made:
        case Refused():
            return made
        case Job():
            return BackupMade(None, job_shape(made))
        case _:
            return BackupMade(made, None)


async def delete(request: WebRequest) -> Backup | Refused:
    """Delete one."""
    return await backups.delete_backup(request.context, request.needed("name"))


async def restore(request: WebRequest) -> RestoreAsked | Refused:
    """Go back to one; without a code nothing is done, and a code is answered."""
    name, code = request.needed("name"), request.text("code", longest=LONGEST_CODE)
    done = await backups.restore_backup(request.context, name, code)
    match done:
        case Refused():
            return done
        case RestoreToConfirm():
            return RestoreAsked(done.code, "", 0)
        case _:
            return RestoreAsked("", done.before.name, done.held)
