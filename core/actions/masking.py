"""Masking: an admin sees that somebody's private memories exist, not what they say.

Revealing them takes a reason and a code, and is noted for their owner before it is done.
"""

from collections.abc import Iterable, Sequence

from ..model.conversation import Scope
from ..model.memory import Memory
from ..privacy.revelations import Justification, RevelationKind
from ..text.quoting import quoted
from .answers import CodeNeeded, MemoryView, Refusal, Refused
from .context import Context
from .views import hidden, views

LONGEST_REASON = 200


def why_masked(context: Context) -> Refusal:
    """Whether a reason is all that is missing to have masked memories revealed."""
    allowed = context.settings.privacy.admin_reveal
    return Refusal.REASON_NEEDED if allowed else Refusal.NOT_REVEALED


async def seen(
    context: Context, memories: Sequence[Memory], *, request: str, reveal: str | None
) -> list[MemoryView] | Refused | CodeNeeded:
    """The memories with what the caller may see of them; all of it for a reason and a code.

    `reveal` is the reason, with the code after it once one was given for this `request`.
    """
    others = await hidden(context, {memory.scope for memory in memories})
    if not others or reveal is None:
        return await views(context, memories)
    justification = justified(context, request, reveal)
    if not isinstance(justification, Justification):
        return justification
    theirs = [memory for memory in memories if memory.scope in others]
    await context.engine.revelations.note_shown(theirs, justification)
    return await views(context, memories, whole=True)


async def reveal_noted(
    context: Context, request: str, scopes: Iterable[str], reveal: str
) -> Justification | Refused | CodeNeeded:
    """Permission to show what belongs to these scopes, noted for their owners."""
    given = justified(context, request, reveal)
    if isinstance(given, Justification):
        owners = {Scope.parse(scope).owner: 1 for scope in scopes}
        await context.engine.revelations.note_all(RevelationKind.REVEALED, owners, given)
    return given


def justified(context: Context, request: str, reveal: str) -> Justification | Refused | CodeNeeded:
    """For which reason others' private memories may be shown or handed out, if it is confirmed."""
    if not context.caller.admin:
        return Refused(Refusal.ADMINS_ONLY)
    missing = why_masked(context)
    reason = quoted(reveal, LONGEST_REASON)
    if missing is Refusal.NOT_REVEALED or not reason:
        return Refused(missing)
    caller, confirmations = context.caller, context.services.confirmations
    # The code is taken off before a long reason is cut.
    *words, code = reveal.split()
    said = quoted(" ".join(words), LONGEST_REASON)
    if said and confirmations.redeem(caller, f"{request} {said}", code, now=context.now):
        return Justification(caller.signature, said)
    return CodeNeeded(confirmations.ask(caller, f"{request} {reason}", now=context.now), reason)
