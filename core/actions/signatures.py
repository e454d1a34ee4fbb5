"""The name of whoever did something, as it may be shown in a chat."""

import re
from urllib.parse import unquote

from ..model.conversation import Scope
from .context import Context

_SIGNATURE = re.compile(r"(?P<name>.*) ?\((?P<platform>[^()/]*)/(?P<user>[^()]*)\)", re.DOTALL)


def told(signature: str) -> str:
    """The signature as it is shown: the name and the id, without the platform."""
    person = _SIGNATURE.fullmatch(signature)
    if person is None:
        return signature
    name, user = person["name"].rstrip(), person["user"]
    return f"{name} ({user})" if name else user


async def changed_by(context: Context, signature: str) -> str:
    """Who changed a setting or a prompt, as it is told here."""
    caller = context.caller
    if caller.sees_everything:
        return told(signature)
    return await signed_in(context, signature, caller.scope)


async def signed_in(context: Context, signature: str, chat: Scope) -> str:
    """A person's id with the name they go by in the chat, if any; the caller's own as it is here.

    A signature holds the name that was used where the command was given: perhaps a card of
    another group, which nobody is told anywhere else, not even in private.
    """
    person, caller = _SIGNATURE.fullmatch(signature), context.caller
    if person is None:
        return signature
    account = unquote(person["platform"]), person["user"]
    if account == (caller.scope.platform, caller.person):
        return told(caller.signature)
    names = await context.engine.people.names([chat.owner])
    name, user = names.get(account), account[1]
    return f"{name} ({user})" if name else user
