"""Moving in: what can be imported, what a file would bring, taking it in and taking it back."""

from ...core.actions import imports, transfer
from ...core.actions.answers import Refused
from ...core.actions.imports import (
    BadRule,
    Imported,
    ImportPreview,
    ImportRequest,
    MovedIn,
    NotImportable,
    UndoToConfirm,
)
from ...core.actions.jobs import Job
from .backups import LONGEST_CODE
from .job_shapes import job_shape
from .keeping_shapes import ImportLooked, Imports, ImportStarted, UndoAsked, looked_shape
from .request import BadRequest, WebRequest

MOST_BATCHES = 50
MOST_RULES = 500


async def list_(request: WebRequest) -> Imports | Refused:
    """What lies there, and what has been imported."""
    there = await transfer.list_importable(request.context)
    if isinstance(there, Refused):
        return there
    done = await imports.list_imports(request.context, 1, MOST_BATCHES)
    if isinstance(done, Refused):
        return done
    return Imports(list(there.names), str(there.folder), list(done.entries))


async def look(request: WebRequest) -> ImportLooked | Refused:
    """What a file would bring; nothing is changed."""
    return _looked(await imports.preview(request.context, _wanted(request)))


async def start(request: WebRequest) -> ImportStarted | Refused:
    """Take a file in."""
    done = await imports.start(request.context, _wanted(request))
    if isinstance(done, Job):
        return ImportStarted(None, job_shape(done))
    looked = _looked(done)
    return looked if isinstance(looked, Refused) else ImportStarted(looked, None)


async def undo(request: WebRequest) -> UndoAsked | Refused:
    """Delete what an import brought; without a code nothing is done, and a code is answered."""
    id, code = request.needed("id"), request.text("code", longest=LONGEST_CODE)
    every = request.flag("everything")
    done = await imports.undo_import(request.context, id, code, everything=every)
    match done:
        case Refused():
            return done
        case UndoToConfirm():
            return UndoAsked(done.code, done.going, done.staying)
        case _:
            return UndoAsked("", done.removed, done.batch.kept)


def _wanted(request: WebRequest) -> ImportRequest:
    chats = request.params.get("chats", {})
    if not isinstance(chats, dict) or len(chats) > MOST_RULES:
        raise BadRequest("chats")
    if not all(isinstance(each, str) for pair in chats.items() for each in pair):
        raise BadRequest("chats")
    return ImportRequest(request.needed("name"), chats=dict(chats))


def _looked(
    told: ImportPreview | Imported | MovedIn | NotImportable | BadRule | Refused,
) -> ImportLooked | Refused:
    match told:
        case Refused():
            return told
        case BadRule():
            raise BadRequest("chats")
        case NotImportable(problem, detail):
            return ImportLooked("", "", [], {}, 0, 0, "", str(problem), detail)
        case Imported():
            return ImportLooked("Tidemark", "", [], {}, told.added, told.known, "", "", "")
        case MovedIn(batch, preview):
            return looked_shape(preview, "" if batch is None else batch.id)
        case ImportPreview():
            return looked_shape(told)
