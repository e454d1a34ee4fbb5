"""What people have remembered, and put right, in their own words."""

from dataclasses import replace

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ...core.model.memory import Memory, Source, Successor
from ...core.records.manual import Author, TextProblem
from . import veil
from .records import author, find, id_here, in_bin, may_change, one_line, refused, signature
from .request import Request


async def remember(request: Request) -> str:
    """A new memory of this chat, kept for good: whoever asks for it says that it matters."""
    if not request.argument:
        return request.wrong_arguments()
    caller = request.caller
    pause = await request.engine.consents.pause(caller.scope, caller.person)
    if pause is not None:
        return request.say(f"paused.{pause}")
    done = await request.engine.curation.remember(
        request.argument, author(request, Source.USER), important=True
    )
    if isinstance(done, TextProblem):
        return refused(request, done)
    request.engine.wake()
    values = {"id": await id_here(request, done.memory), "text": one_line(done.memory)}
    if done.new:
        return request.say("remember.done", **values)
    if await _marked(request, done.memory):
        return request.say("remember.marked", **values)
    return request.say("remember.known", **values)


async def correct(request: Request) -> str:
    """A new text in the place of a memory."""
    written, _, text = request.argument.partition(" ")
    if not text.strip():
        return request.wrong_arguments()
    old = await find(request, written)
    if isinstance(old, str):
        return old
    if not may_change(request, old):
        return request.say("refused.not_yours")
    if await veil.foreign(request, [old.scope]):
        return request.say("reveal.not_corrected")
    answer = in_bin(request, old)
    if answer is not None:
        return answer
    done = await request.engine.curation.correct(old, text, await _corrector(request, old))
    if isinstance(done, TextProblem):
        return refused(request, done)
    if isinstance(done, Successor):
        return await _succeeded(request, old, done)
    request.engine.wake()
    short = await id_here(request, done.memory)
    return request.say("correct.done", id=short, text=one_line(done.memory), old=one_line(old))


async def _corrector(request: Request, old: Memory) -> Author:
    """The caller; in private memories of their own under the account these belong to.

    By the name they have where the memory is, if the one used here is not to be told there.
    """
    writer, scope = author(request, Source.CORRECTION), Scope.parse(old.scope)
    own = scope.kind is ScopeKind.PRIVATE and old.scope in await request.readable()
    person, name = scope.subject if own else request.caller.person, request.caller.name
    if scope.owner not in await request.engine.access.chats(request.caller.scope):
        names = await request.engine.people.names([scope.owner])
        name = names.get((scope.platform, person), "")
    return replace(writer, speaker=Speaker(person, name))


async def _marked(request: Request, memory: Memory) -> bool:
    """Whether a memory that was there already is now important, and was not."""
    if not may_change(request, memory):
        return False
    by = signature(request)
    return bool(await request.engine.curation.mark([memory.id], important=True, by=by))


async def _succeeded(request: Request, old: Memory, successor: Successor) -> str:
    newer = await request.engine.parts.store.find([successor.memory], frozenset({old.scope}))
    how = request.say(f"succession.{successor.how}")
    if not newer:
        return request.say("correct.gone", how=how)
    return request.say(
        "correct.already", how=how, id=await id_here(request, newer[0]), text=one_line(newer[0])
    )
