"""Backups made by hand, listed, deleted, and going back to one of them."""

from collections.abc import Sequence

from ...core.actions import backups
from ...core.actions.answers import Refusal, Refused
from ...core.actions.backups import Backup, Restored, RestoreToConfirm
from ...core.actions.jobs import Job
from ...core.text.quoting import quoted
from .jobs import begun
from .records import answer
from .request import Request

SHOWN = 10
_MEGABYTE = 1_000_000


async def backup(request: Request) -> str:
    """Make a backup now, list those there are, or delete one."""
    match request.argument.split():
        case []:
            made = await backups.make_backup(request.context)
            if isinstance(made, Refused):
                return request.refused(made)
            if isinstance(made, Job):
                return begun(request, made)
            return request.say("backup.done", name=made.name, size=_size(made))
        case ["list"]:
            return await _list(request)
        case ["delete", name]:
            deleted = await backups.delete_backup(request.context, name)
            if isinstance(deleted, Refused):
                return _refused(request, deleted, name)
            return request.say("backup.deleted", name=name)
        case _:
            return request.wrong_arguments()


async def restore_backup(request: Request) -> str:
    """Go back to a backup, after a code was repeated; what is now is kept as a backup."""
    match request.argument.split():
        case []:
            return await _list(request)
        case [name, *code] if len(code) <= 1:
            done = await backups.restore_backup(request.context, name, "".join(code))
            return _restored(request, done, name)
        case _:
            return request.wrong_arguments()


def _restored(request: Request, done: Restored | RestoreToConfirm | Refused, name: str) -> str:
    match done:
        case Refused(Refusal.WRONG_CODE):
            return request.say("restore-backup.wrong_code")
        case Refused():
            return _refused(request, done, name)
        case RestoreToConfirm(wanted, code):
            when = request.time(wanted.at)
            return request.say("restore-backup.confirm", name=name, time=when, code=code)
        case Restored(wanted, before, held):
            when = request.time(wanted.at)
            lines = [request.say("restore-backup.done", time=when, name=before.name)]
            lines += [request.say("restore-backup.held", count=held)] if held else []
            return answer(lines)


async def _list(request: Request) -> str:
    every = await backups.list_backups(request.context)
    if isinstance(every, Refused):
        return request.refused(every)
    return _listed(request, every)


def _listed(request: Request, every: Sequence[Backup]) -> str:
    if not every:
        return request.say("backup.none")
    lines = [
        request.say(
            "backup.line",
            name=each.name,
            time=request.time(each.at),
            occasion=request.say(f"occasion.{each.occasion}"),
            count=each.memories,
            size=_size(each),
        )
        for each in every[:SHOWN]
    ]
    head = request.say("backup.header", count=len(every))
    return answer([head, *lines, request.say("backup.footer")])


def _refused(request: Request, refused: Refused, name: str) -> str:
    match refused.reason:
        case Refusal.UNKNOWN_BACKUP:
            return request.say("backup.unknown", name=quoted(name, 40))
        case Refusal.BEING_MOVED:
            return request.say("backup.moving")
        case _:
            return request.refused(refused)


def _size(backup: Backup) -> str:
    """In megabytes, at least a tenth of one."""
    return f"{max(0.1, backup.size / _MEGABYTE):.1f}"
