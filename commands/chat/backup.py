"""Backups made by hand, listed, deleted, and going back to one of them."""

from ...core.text.quoting import quoted
from ...core.transfer.backup import Backup, NoSuchBackup, Occasion
from ...core.transfer.custody import Safekeeping
from .records import answer
from .request import Request
from .transfer import told_as_storage

SHOWN = 10
_MEGABYTE = 1_000_000


async def backup(request: Request) -> str:
    """Make a backup now, list those there are, or delete one."""
    keeping = request.services.keeping
    if keeping is None:
        return request.say("keeping.none")
    match request.argument.split():
        case []:
            made = await _made(request, keeping, Occasion.ASKED)
            return request.say("backup.done", name=made.name, size=_size(made))
        case ["list"]:
            return await _list(request, keeping)
        case ["delete", name]:
            return await _delete(request, keeping, name)
        case _:
            return request.wrong_arguments()


async def restore_backup(request: Request) -> str:
    """Go back to a backup, after a code was repeated; what is now is kept as a backup."""
    keeping = request.services.keeping
    if keeping is None:
        return request.say("keeping.none")
    match request.argument.split():
        case []:
            return await _list(request, keeping)
        case [name, *code] if len(code) <= 1:
            return await _restore(request, keeping, name, "".join(code))
        case _:
            return request.wrong_arguments()


async def _restore(request: Request, keeping: Safekeeping, name: str, code: str) -> str:
    confirmations, now = request.services.confirmations, request.engine.parts.clock.now()
    what = f"{request.command} {name}"
    try:
        wanted = await keeping.backups.named(name)
    except NoSuchBackup:
        return request.say("backup.unknown", name=quoted(name, 40))
    if keeping.migration.running:
        return request.say("backup.moving")
    if not code:
        code = confirmations.ask(request.caller, what, now=now)
        when = request.time(wanted.at)
        return request.say("restore-backup.confirm", name=name, time=when, code=code)
    if not confirmations.redeem(request.caller, what, code, now=now):
        return request.say("restore-backup.wrong_code")
    before = await _made(request, keeping, Occasion.RESTORE)
    try:
        held = await keeping.backups.stage(name)
    except OSError as error:
        raise told_as_storage(error, name) from error
    await request.services.reopen()
    done = request.say("restore-backup.done", time=request.time(wanted.at), name=before.name)
    return answer([done, request.say("restore-backup.held", count=held)]) if held else done


async def _made(request: Request, keeping: Safekeeping, occasion: Occasion) -> Backup:
    try:
        return await keeping.backups.make(occasion, request.engine.parts.clock.now())
    except OSError as error:
        raise told_as_storage(error, "backups") from error


async def _list(request: Request, keeping: Safekeeping) -> str:
    every = await keeping.backups.every()
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


async def _delete(request: Request, keeping: Safekeeping, name: str) -> str:
    try:
        await keeping.backups.delete([await keeping.backups.named(name)])
    except NoSuchBackup:
        return request.say("backup.unknown", name=quoted(name, 40))
    except OSError as error:
        raise told_as_storage(error, name) from error
    return request.say("backup.deleted", name=name)


def _size(backup: Backup) -> str:
    """In megabytes, at least a tenth of one."""
    return f"{max(0.1, backup.size / _MEGABYTE):.1f}"
