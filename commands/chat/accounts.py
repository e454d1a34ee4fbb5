"""Who is the same person on different platforms."""

from collections.abc import Sequence

from ...core.actions import accounts
from ...core.text.quoting import quoted
from .records import answer
from .request import Request, WrongArguments

MOST_ACCOUNTS = 8


async def alias(request: Request) -> str:
    """Accounts on different platforms that are one person and share their private memories."""
    match request.argument.split():
        case ["list"]:
            return await _list_aliases(request)
        case ["add", platform, user, name] if accounts.plausible([platform, user, name]):
            joined = await accounts.join_account(request.context, (platform, user), name)
            account, person = _account(platform, user), quoted(name, 40)
            told = {"account": account, "person": person, "accounts": _accounts(joined)}
            return answer([request.say("alias.added", **told)])
        case ["remove", platform, user] if accounts.plausible([platform, user]):
            await accounts.part_account(request.context, (platform, user))
            return request.say("alias.removed", account=_account(platform, user))
        case _:
            raise WrongArguments


async def link(request: Request) -> str:
    """The caller is who is logged in on the page, and has the code from there."""
    joined = await accounts.link(request.context, request.needed)
    return request.say("link.done", accounts=_accounts(joined))


async def _list_aliases(request: Request) -> str:
    people = await accounts.list_people(request.context)
    if not people:
        return request.say("alias.empty")
    listed = [
        f"{quoted(person, 40)}: {quoted(', '.join(_account(*one) for one in theirs), 300)}"
        for person, theirs in people.items()
    ]
    return answer([request.say("alias.header"), *listed])


def _accounts(joined: Sequence[tuple[str, str]]) -> str:
    return ", ".join(_account(*one) for one in joined[:MOST_ACCOUNTS])


def _account(platform: str, user: str) -> str:
    return quoted(f"{platform}/{user}", 60)
