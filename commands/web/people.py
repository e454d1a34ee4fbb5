"""People and groups: their page, their choices, and joining or separating accounts."""

from dataclasses import dataclass

from ...core.actions import accounts
from ...core.actions import people as people_
from ...core.actions.people import PersonDetails
from ...core.model.conversation import Account
from .request import BadRequest, WebRequest


@dataclass(frozen=True, slots=True)
class OnePerson:
    """The accounts that are one person now, each with its platform and its user."""

    accounts: list[Account]


async def show(request: WebRequest) -> PersonDetails:
    """One person or group."""
    return await people_.person(request.context, request.needed("owner"))


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
