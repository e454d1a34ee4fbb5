"""People and groups: their page, their choices, and joining or separating accounts."""

from dataclasses import dataclass

from ...core.actions import accounts
from ...core.model.conversation import Account
from .request import BadRequest, WebRequest


@dataclass(frozen=True, slots=True)
class OnePerson:
    """The accounts that are one person now, each with its platform and its user."""

    accounts: list[Account]


@dataclass(frozen=True, slots=True)
class LinkCode:
    """What the owner says in a chat, behind `/memory link`."""

    code: str


async def code(request: WebRequest) -> LinkCode:
    """The code to be said in a chat."""
    return LinkCode(await accounts.link_code(request.context))


async def webchat(request: WebRequest) -> OnePerson:
    """The login's own account in the web chat."""
    return OnePerson([*await accounts.link_webchat(request.context)])


async def join(request: WebRequest) -> OnePerson:
    """This account is the named person's."""
    platform, user, person = (request.needed(name) for name in ("platform", "user", "person"))
    if not accounts.plausible([platform, user, person]):
        raise BadRequest("person")
    return OnePerson(await accounts.join_account(request.context, (platform, user), person))


async def part(request: WebRequest) -> OnePerson:
    """This account is nobody else's."""
    account = (request.needed("platform"), request.needed("user"))
    return OnePerson([await accounts.part_account(request.context, account)])
