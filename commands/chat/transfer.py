"""Memories to a file and from a file."""

import asyncio
from collections import Counter

from ...core.actions.answers import Refused
from ...core.actions.files import as_storage
from ...core.actions.listing import meant
from ...core.model.conversation import Scope, ScopeKind
from ...core.privacy.revelations import Act
from ...core.text.quoting import quoted
from ...core.transfer.custody import Safekeeping
from ...core.transfer.importing import Imported
from ...core.transfer.lines import NotOurExport
from . import veil
from .records import answer, signature
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
    keeping, caller = request.services.keeping, request.caller
    if keeping is None:
        return request.say("keeping.none")
    asked = veil.plea(request)
    words = asked.argument.split()
    vectors, names = VECTORS in words, [word for word in words if word != VECTORS]
    if len(names) > 1 or ((words != [] or asked.reason is not None) and not caller.admin):
        return request.wrong_arguments()
    if caller.scope.kind is not ScopeKind.PRIVATE:
        return request.say("export.in_private")
    scopes = await _scopes(request, names)
    if isinstance(scopes, str):
        return scopes
    refusal = await _unrevealed(request, keeping, scopes, asked)
    if refusal:
        return refusal
    return await _exported(request, keeping, scopes, own=not names, vectors=vectors)


async def import_(request: Request) -> str:
    """Take in the memories of a file in the data folder's `imports` or `exports`."""
    keeping, name = request.services.keeping, request.argument
    if keeping is None:
        return request.say("keeping.none")
    if not name:
        return await _importable(request, keeping)
    file = await asyncio.to_thread(keeping.places.find, name)
    if file is None:
        return request.say("import.no_file", name=quoted(name, 60))
    now = request.engine.parts.clock.now()
    try:
        told = await keeping.take_in(file, now, signature(request))
    except NotOurExport as error:
        return request.say(f"import.{error.problem}", name=quoted(name, 60))
    except OSError as error:
        raise as_storage(error, file.name) from error
    request.engine.wake()
    return _told(request, told)


async def _scopes(request: Request, names: list[str]) -> frozenset[str] | str | None:
    """The keys of what is exported, None for everything; else the answer why nothing is."""
    if names and names[0].lower() in EVERYTHING:
        return None
    keys = await meant(request.context, names[0] if names else "")
    return request.refused(keys) if isinstance(keys, Refused) else keys


async def _unrevealed(
    request: Request, keeping: Safekeeping, scopes: frozenset[str] | None, asked: veil.Plea
) -> str:
    """Why nothing is exported because of others' private memories in it; "" if they are noted."""
    held = await keeping.counts(scopes)
    hidden = await veil.foreign(request, held)
    if not hidden:
        return ""
    if asked.reason is None:
        return veil.how(request, asked)
    justification = veil.granted(request, asked)
    if isinstance(justification, str):
        return justification
    counts: Counter[str] = Counter()
    for key in hidden:
        counts[Scope.parse(key).owner] += held[key]
    await request.engine.revelations.note_all(Act.EXPORTED, counts, justification)
    return ""


async def _exported(
    request: Request,
    keeping: Safekeeping,
    scopes: frozenset[str] | None,
    *,
    own: bool,
    vectors: bool,
) -> str:
    if scopes is not None and await keeping.is_empty(scopes):
        return request.say("export.empty")
    now, caller = request.engine.parts.clock.now(), request.caller
    make = keeping.places.own if own and not caller.admin else None
    try:
        file = await asyncio.to_thread(
            lambda: make(caller.scope.owner) if make else keeping.places.new(now)
        )
        count = await keeping.export(file, now, scopes, vectors=vectors)
    except OSError as error:
        raise as_storage(error, "exports") from error
    if caller.admin:
        return request.say("export.done", count=count, file=file)
    return request.say("export.ask_admin", count=count, file=file.name)


async def _importable(request: Request, keeping: Safekeeping) -> str:
    names = await asyncio.to_thread(keeping.places.names)
    if not names:
        return request.say("import.none", folder=keeping.places.imports)
    shown = [quoted(name, 80) for name in names[:SHOWN_NAMES]]
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
