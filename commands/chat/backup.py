"""Backups made by hand, listed, deleted, and going back to one of them."""

from ...core.actions import backups
from ...core.actions.backups import Backup, Restored
from ...core.actions.jobs import Job
from .jobs import begun
from .records import answer
from .request import Request, WrongArguments

SHOWN = 10
_MEGABYTE = 1_000_000


async def backup(request: Request) -> str:
    """Make a backup now, list those there are, or delete one."""
    match request.argument.split():
        case []:
            made = await backups.make_backup(request.context)
            if isinstance(made, Job):
                return begun(request, made)
            return request.say("backup.done", name=made.name, size=_size(made))
        case ["list"]:
            return await _list(request)
        case ["delete", name]:
            await backups.delete_backup(request.context, name)
            return request.say("backup.deleted", name=name)
        case _:
            raise WrongArguments


async def restore_backup(request: Request) -> str:
    """Go back to a backup, after a code was repeated; what is now is kept as a backup."""
    match request.argument.split():
        case []:
            return await _list(request)
        case [name, *code] if len(code) <= 1:
            done = await backups.restore_backup(request.context, name, "".join(code))
            return _restored(request, done)
        case _:
            raise WrongArguments


def _restored(request: Request, done: Restored) -> str:
    when = request.time(done.backup.at)
    if done.before is None:
        name = done.backup.name
        return request.say("restore-backup.confirm", name=name, time=when, code=done.code)
    held = [request.say("restore-backup.held", count=done.held)] if done.held else []
    return answer([request.say("restore-backup.done", time=when, name=done.before.name), *held])


async def _list(request: Request) -> str:
    every = await backups.list_backups(request.context)
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


def _size(backup: Backup) -> str:
    """In megabytes, at least a tenth of one."""
    return f"{max(0.1, backup.size / _MEGABYTE):.1f}"
