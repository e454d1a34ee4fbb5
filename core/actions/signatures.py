"""The name of whoever did something, as it may be shown in a chat."""

import re

from ..model.conversation import Scope
from .context import Context

_SIGNATURE = re.compile(r".* ?\((?P<user>[^()]*)\)", re.DOTALL)


async def signed_in(context: Context, signature: str, chat: Scope) -> str:
    """A person's id with the name they go by in the chat, if any; the caller's own as it is here.

    A signature holds the name that was used where the command was given: perhaps a card of
    another group, which nobody is told anywhere else, not even in private.
    """
    person, caller = _SIGNATURE.fullmatch(signature), context.caller
    user = signature if person is None else person["user"]
    if (chat.platform, user) == (caller.scope.platform, caller.person):
        return caller.signature
    names = await context.engine.people.names([chat.owner])
    name = names.get((chat.platform, user))
    return f"{name} ({user})" if name else user
