"""Memories to a file, and to another backend."""

from dataclasses import replace

from ...core.actions import backends, downloads, transfer
from ...core.actions.answers import CodeNeeded, PackageMissing, Refused
from ...core.actions.backends import TARGETS, MoveBegun, MoveToConfirm, NotMoved
from ...core.actions.downloads import Download, DownloadLink
from ...core.actions.jobs import Job
from ...core.actions.transfer import ExportRequest
from ...core.model.errors import INSTALL
from .backups import LONGEST_CODE
from .job_shapes import job_shape
from .keeping_shapes import ExportedShape, MoveAsked, StorageShape
from .request import BadRequest, WebRequest, revealing


async def export(request: WebRequest) -> ExportedShape | Refused | CodeNeeded:
    """Everybody's memories, or one owner's, into a file."""
    context, owner = request.context, request.text("owner")
    wanted = ExportRequest(None, owner=owner, vectors=request.flag("vectors"))
    done = await revealing(
        lambda reveal: transfer.export(context, replace(wanted, reveal=reveal)), request.reveal
    )
    if isinstance(done, Refused | CodeNeeded):
        return done
    if isinstance(done, Job):
        return ExportedShape("", "", 0, job_shape(done))
    return ExportedShape(done.file.name, str(done.file.parent), done.count, None)


async def offer(request: WebRequest) -> DownloadLink | Refused:
    """A link by which an export can be fetched once."""
    return await downloads.offer_download(request.context, request.needed("name"))


async def fetch(request: WebRequest) -> Download | Refused:
    """The export of a link."""
    code = request.needed("code", longest=LONGEST_CODE)
    return await downloads.fetch(request.context, request.needed("name"), code)


async def state(request: WebRequest) -> StorageShape | Refused:
    """Where the memories are, and how far a move is."""
    found = await backends.storage_state(request.context)
    if isinstance(found, Refused):
        return found
    return StorageShape(
        found.backend, found.count, [each for each in TARGETS if each != found.backend], found.move
    )


async def move(request: WebRequest) -> MoveAsked | Refused:
    """Move to another backend; without a code nothing is done, and a code is answered."""
    target, code = request.needed("target"), request.text("code", longest=LONGEST_CODE)
    if target not in TARGETS:
        raise BadRequest("target")
    done = await backends.move_memories(request.context, target, code)
    match done:
        case Refused():
            return done
        case NotMoved():
            return MoveAsked("", 0, done, "")
        case PackageMissing(package):
            return MoveAsked("", 0, "missing", INSTALL[package])
        case MoveToConfirm():
            return MoveAsked(done.code, done.count, "", "")
        case MoveBegun():
            return MoveAsked("", 0, "", "")


async def confirm(request: WebRequest) -> MoveAsked | Refused:
    """The move is good: the old memories are deleted."""
    done = await backends.confirm_move(request.context)
    return done if isinstance(done, Refused) else _settled(done)


async def cancel(request: WebRequest) -> MoveAsked | Refused:
    """Give the move up."""
    done = await backends.cancel_move(request.context)
    return done if isinstance(done, Refused) else _settled(done)


def _settled(done: object) -> MoveAsked:
    return MoveAsked("", 0, done if isinstance(done, NotMoved) else "", "")
