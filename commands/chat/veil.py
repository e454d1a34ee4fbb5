"""What an admin sees of somebody else's private memories: that they are there, not what they say.

Revealing them takes a reason and a code, and is noted for their owner before it is done.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...core.model.memory import Memory, UserFeedback
from ...core.privacy.revelations import Justification
from ...core.text.quoting import quoted
from .request import Request

REVEAL = "--reveal"
LONGEST_REASON = 200

_REVEAL = re.compile(rf"(?:^|\s){REVEAL}(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Plea:
    """The arguments of a command, and after `--reveal` the reason; None without that word."""

    argument: str
    reason: str | None


def plea(request: Request) -> Plea:
    """What is asked for, and whether with the contents of others' private memories."""
    found = _REVEAL.search(request.argument)
    if found is None:
        return Plea(request.argument, None)
    reason = quoted(request.argument[found.end() :], LONGEST_REASON)
    return Plea(" ".join(request.argument[: found.start()].split()), reason)


def by(request: Request) -> str:
    """Who did it, for the audit log."""
    name = quoted(request.caller.name, 40)
    return f"{name} ({request.caller.person})" if name else request.caller.person


async def foreign(request: Request, keys: Iterable[str]) -> frozenset[str]:
    """Those of the scopes whose contents are not shown here: private ones of others."""
    return await request.engine.revelations.foreign(request.caller.scope, keys)


async def veiled(request: Request, memories: Sequence[Memory]) -> list[Memory]:
    """The memories, those of others' private chats without anything that they say."""
    hidden = await foreign(request, {memory.scope for memory in memories})
    return [_veiled(request, m) if m.scope in hidden else m for m in memories]


def allowed(request: Request) -> bool:
    """Whether the owner of the bot lets admins reveal anything."""
    return request.engine.parts.settings.privacy.admin_reveal


def how(request: Request, asked: Plea) -> str:
    """What to send to see the contents, or that they are not to be seen."""
    if not allowed(request):
        return request.say("refused.not_revealed")
    line = " ".join(filter(None, (request.command, quoted(asked.argument, 100), REVEAL)))
    return request.say("refused.reason_needed", line=line)


def granted(request: Request, asked: Plea) -> Justification | str:
    """For which reason the contents may be shown, else the answer to whoever asks for them."""
    if not allowed(request):
        return request.say("refused.not_revealed")
    if not asked.reason:
        return how(request, asked)
    confirmations, now = request.services.confirmations, request.engine.parts.clock.now()
    said, _, code = asked.reason.rpartition(" ")
    what = f"{request.command} {asked.argument} {REVEAL} "
    if said and confirmations.redeem(request.caller, what + said, code, now=now):
        return Justification(by(request), said)
    code = confirmations.ask(request.caller, what + asked.reason, now=now)
    line = " ".join(f"{request.command} {asked.argument}".split())
    return request.say("reveal.confirm", line=f"{line} {REVEAL} {asked.reason}", code=code)


def _veiled(request: Request, memory: Memory) -> Memory:
    return replace(
        memory,
        text=request.say("reveal.masked"),
        summary="",
        cues=(),
        about=(),
        entities=(),
        relations=(),
        media=(),
        event=None,
        speaker=None,
        feedback=UserFeedback(important=memory.feedback.important),
    )
