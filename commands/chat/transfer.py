"""Memories to a file and from a file."""

from ...core.actions import transfer
from ...core.actions.answers import CodeNeeded, Refusal, Refused
from ...core.actions.transfer import (
    Exported,
    ExportRequest,
    Importable,
    Imported,
    NotImportable,
)
from ...core.text.quoting import quoted
from . import masking
from .records import answer
from .request import Request

VECTORS = "--vectors"
EVERYTHING = ("all", "全部")
SHOWN_NAMES = 8


async def export(request: Request) -> str:
    """The caller's own memories into a file; for admins those of a scope, or all.

    Not sent as a file: most platforms cannot, and where they can it may pass through servers of
    others. An admin, who can read the data folder, is told where it is; everybody else is told
    which file to ask an admin for.
    """
    asked = masking.revealing(request)
    words = asked.argument.split()
    names = [word for word in words if word != VECTORS]
    if len(names) > 1:
        return request.wrong_arguments()
    scope = None if names and names[0].lower() in EVERYTHING else "".join(names)
    wanted = ExportRequest(scope, vectors=VECTORS in words, reveal=asked.reason)
    match await transfer.export(request.context, wanted):
        case Exported(file, count) if request.caller.admin:
            return request.say("export.done", count=count, file=file)
        case Exported(file, count):
            return request.say("export.ask_admin", count=count, file=file.name)
        case CodeNeeded() as needed:
            return masking.confirm(request, needed, asked)
        case Refused(Refusal.ADMINS_ONLY):
            return request.wrong_arguments()
        case Refused(Refusal.ONLY_IN_PRIVATE):
            return request.say("export.in_private")
        case Refused(Refusal.NOTHING_THERE):
            return request.say("export.empty")
        case Refused() as refused:
            return masking.how(request, refused.reason, asked)


async def import_(request: Request) -> str:
    """Take in the memories of a file in the data folder's `imports` or `exports`."""
    name = request.argument
    if not name:
        return _importable(request, await transfer.list_importable(request.context))
    match await transfer.import_file(request.context, name):
        case Refused(Refusal.UNKNOWN_FILE):
            return request.say("import.no_file", name=quoted(name, 60))
        case Refused() as refused:
            return request.refused(refused)
        case NotImportable(problem):
            return request.say(f"import.{problem}", name=quoted(name, 60))
        case Imported() as done:
            return _told(request, done)


def _importable(request: Request, found: Importable | Refused) -> str:
    if isinstance(found, Refused):
        return request.refused(found)
    if not found.names:
        return request.say("import.none", folder=found.folder)
    shown = [quoted(name, 80) for name in found.names[:SHOWN_NAMES]]
    return answer([request.say("import.files"), *shown])


def _told(request: Request, told: Imported) -> str:
    lines = [request.say("import.done", added=told.added, known=told.known)]
    if told.held:
        lines.append(request.say("import.held", count=told.held))
    if told.rejected:
        lines.append(request.say("import.rejected", count=told.rejected))
    lines += [
        request.say(
            "import.line",
            line=each.line,
            problem=request.say(f"line_problem.{each.problem}", field=quoted(each.field, 40)),
        )
        for each in told.rejections
    ]
    if told.unreadable:
        lines.append(request.say("import.unreadable", count=told.unreadable))
    if told.missing:
        lines.append(request.say("import.truncated", missing=told.missing))
    elif not told.complete:
        lines.append(request.say("import.cut"))
    return answer(lines)
