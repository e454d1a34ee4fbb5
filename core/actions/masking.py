"""Masking: an admin sees that somebody's private memories exist, not what they say.

Revealing them takes a reason and a code, and is noted for their owner before it is done.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..model.conversation import Scope
from ..model.memory import Memory
from ..privacy.revelations import Justification, RevelationKind
from ..text.quoting import quoted
from .answers import CodeNeeded, MemoryView, Refusal, Refused
from .confirmations import PrivateLook
from .context import Context
from .views import hidden, views

LONGEST_REASON = 200


def why_masked(context: Context) -> Refusal:
    """Whether a reason is all that is missing to have masked memories revealed."""
    allowed = context.settings.privacy.admin_reveal
    return Refusal.REASON_NEEDED if allowed else Refusal.NOT_REVEALED


async def seen(context: Context, memories: Sequence[Memory], request: str) -> list[MemoryView]:
    """The memories with what the caller may see of them; all of it for a reason and a code.

    `context.reveal` is the reason, with the code after it once one was given for this `request`.
    """
    others = await hidden(context, {memory.scope for memory in memories})
    if not others or context.reveal is None:
        return await views(context, memories)
    justification = justified(context, request, context.reveal)
    if context.look is not None:
        await _note_look(context, context.look, others, justification)
    else:
        theirs = [memory for memory in memories if memory.scope in others]
        await context.engine.revelations.note_shown(theirs, justification)
    return await views(context, memories, whole=True)


def masked_by(context: Context, shown: Iterable[MemoryView]) -> Refusal | None:
    """Why some of these are masked, None if none is."""
    return why_masked(context) if any(view.masked for view in shown) else None


async def still_hidden(context: Context, keys: Iterable[str]) -> frozenset[str]:
    """Those of the scopes whose contents are not shown; none in a look, which is noted for them."""
    others = await hidden(context, keys)
    if not others or context.look is None:
        return others
    await _note_look(context, context.look, others, justified(context, "", context.look.reason))
    return frozenset()


async def _note_look(
    context: Context, look: PrivateLook, scopes: Iterable[str], given: Justification
) -> None:
    """Once for each owner of a look, before the first of theirs is shown."""
    async with look.noting:
        owners = {Scope.parse(scope).owner for scope in scopes} - look.noted
        revelations = context.engine.revelations
        await revelations.note_all(
            RevelationKind.REVEALED, dict.fromkeys(owners, 0), given, until=look.until
        )
        look.noted.update(owners)


async def note_exported(context: Context, held: Mapping[str, int], request: str) -> None:
    """For whom of these scopes' owners they are private: that they leave, and for which reason."""
    others = await hidden(context, held)
    if not others:
        return
    if context.reveal is None:
        raise Refused(why_masked(context))
    justification, counts = justified(context, request, context.reveal), Counter[str]()
    for key in others:
        counts[Scope.parse(key).owner] += held[key]
    await context.engine.revelations.note_all(RevelationKind.EXPORTED, counts, justification)


def justified(context: Context, request: str, reveal: str) -> Justification:
    """The reason for which others' private memories may be shown or handed out, if confirmed."""
    if not context.caller.admin:
        raise Refused(Refusal.ADMINS_ONLY)
    missing = why_masked(context)
    reason = quoted(reveal, LONGEST_REASON)
    if missing is Refusal.NOT_REVEALED or not reason:
        raise Refused(missing)
    caller, confirmations = context.caller, context.services.confirmations
    if context.look is not None:
        return Justification(caller.signature, reason)
    # The code is taken off before a long reason is cut.
    *words, code = reveal.split()
    said = quoted(" ".join(words), LONGEST_REASON)
    if said and confirmations.redeem(caller, f"{request} {said}", code, now=context.now):
        return Justification(caller.signature, said)
    raise CodeNeeded(confirmations.ask(caller, f"{request} {reason}", now=context.now), reason)
