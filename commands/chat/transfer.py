"""Memories to a file."""

from pathlib import Path

from ...core.actions import transfer
from ...core.actions.jobs import Job
from ...core.actions.transfer import ExportRequest
from .jobs import begun
from .request import Request, WrongArguments

VECTORS = "--vectors"
EVERYTHING = ("all", "全部")


async def export(request: Request) -> str:
    """The caller's own memories into a file; for admins those of a scope, or all.

    Not sent as a file: most platforms cannot, and where they can it may pass through servers of
    others. An admin, who can read the data folder, is told where it is; everybody else is told
    which file to ask an admin for.
    """
    words = request.argument.split()
    names = [word for word in words if word != VECTORS]
    if len(names) > 1:
        raise WrongArguments
    scope = None if names and names[0].lower() in EVERYTHING else "".join(names)
    done = await transfer.export(request.context, ExportRequest(scope, vectors=VECTORS in words))
    if isinstance(done, Job):
        return begun(request, done)
    if request.caller.admin:
        file = Path(done.folder, done.name)
        return request.say("export.done", count=done.count, file=file)
    return request.say("export.ask_admin", count=done.count, file=done.name)
