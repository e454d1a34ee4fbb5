"""Memories to a file."""

from ...core.actions import transfer
from ...core.actions.answers import CodeNeeded, Refusal, Refused
from ...core.actions.jobs import Job
from ...core.actions.transfer import Exported, ExportRequest
from . import masking
from .jobs import begun
from .request import Request

VECTORS = "--vectors"
EVERYTHING = ("all", "全部")


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
        case Job() as job:
            return begun(request, job)
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
