"""People and groups: their page, their choices, and joining or separating accounts."""

from dataclasses import dataclass

from ...core.actions import accounts, consents
from ...core.actions.accounts import Me
from ...core.actions.consents import Choice
from ...core.model.conversation import Account
from .request import BadRequest, WebRequest, code


@dataclass(frozen=True, slots=True)
class OnePerson:
    """The accounts that are one person now, each with its platform and its user."""

    accounts: list[Account]


@dataclass(frozen=True, slots=True)
class LinkCode:
    """What the owner says in a chat, behind `/memory link`."""

    code: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What is gone for good, with a `code` what would be; the files and plugins that still hold
    something of it; why it has to wait, "" if it has not.
    """

    code: str
    memories: int
    turns: int
    kept: list[str]
    delayed: str = ""


async def code_for_chat(request: WebRequest) -> LinkCode:
    """The code to be said in a chat."""
    return LinkCode(await accounts.link_code(request.context))


async def webchat(request: WebRequest) -> OnePerson:
    """The login's own account in the web chat."""
    return OnePerson([*await accounts.link_webchat(request.context)])


async def choose(request: WebRequest) -> Me:
    """A choice of whoever is logged in, for all their accounts."""
    on, context = request.flag("on"), request.context
    if request.text("name") == "paused":
        await consents.set_pause(context, paused=on, group=False)
    elif choice := request.choice("name", Choice):
        await consents.choose(context, choice, on=on)
    return await accounts.me(context)


async def forget(request: WebRequest) -> Forgotten:
    """Everything of whoever is logged in, on all accounts; nothing before the code came back."""
    done = await consents.forget_me(request.context, code(request))
    kept = [*done.exports, *done.beside]
    if done.extent is None:
        return Forgotten("", 0, 0, kept, done.delayed)
    return Forgotten(done.code, done.extent.memories, done.extent.turns, kept)


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
