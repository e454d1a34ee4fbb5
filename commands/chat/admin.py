"""The bin, the forgetting forecast, and who is the same person."""

import re
from collections.abc import Sequence

from ...core.actions import accounts, forgetting
from ...core.actions import bin as bin_actions
from ...core.actions.forgetting import NAMES
from ...core.text.quoting import quoted
from .records import answer, because, page_number, said
from .request import Request, WrongArguments

LONGEST_FORECAST = 3_650.0
MOST_ACCOUNTS = 8

_DAYS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,2})?")


async def restore(request: Request) -> str:
    """A binned or archived memory back to life."""
    restored = await bin_actions.restore(request.context, request.needed)
    strength = restored.memory.vitality.strength
    return request.say("restore.done", text=request.text(restored), strength=strength)


async def bin_(request: Request) -> str:
    """What lies in the bin of this chat, with the day it will be deleted for good."""
    number = page_number(request.argument)
    page = await bin_actions.list_bin(request.context, number)
    if page.total == 0:
        return request.say("bin.empty")
    lines = [request.say("bin.header", total=page.total, page=page.number, pages=page.pages)]
    for view in page.entries:
        standing = view.memory.standing
        until = request.say("bin.until", date=request.date(standing.purge_at or standing.since))
        lines.append(f"{view.id} {until} [{because(request, view.removal)}] {said(request, view)}")
    return answer(lines)


async def decay(request: Request) -> str:
    """What time alone would take within some days, here or under another policy.

    Changes nothing.
    """
    match request.argument.split():
        case ["--preview", days, *named] if _foreseeable(days) and len(named) < 2:
            return await _forecast(request, float(days), "".join(named))
        case _:
            raise WrongArguments


async def alias(request: Request) -> str:
    """Accounts on different platforms that are one person and share their private memories."""
    match request.argument.split():
        case ["list"]:
            return await _list_aliases(request)
        case ["add", *names] if len(names) == 3 and accounts.plausible(names):
            return await _add_alias(request, *names)
        case ["remove", *names] if len(names) == 2 and accounts.plausible(names):
            return await _remove_alias(request, *names)
        case _:
            raise WrongArguments


async def link(request: Request) -> str:
    """The caller is who is logged in on the page, and has the code from there."""
    joined = await accounts.link(request.context, request.needed)
    return request.say("link.done", accounts=_accounts(joined))


async def _forecast(request: Request, days: float, name: str) -> str:
    if name and name.lower() not in NAMES:
        names = ", ".join(NAMES)
        return request.say("decay.unknown_policy", name=quoted(name, 40), names=names)
    found = await forgetting.forecast(request.context, days, name.lower())
    told = request.say("decay.header", days=f"{days:g}", overall=found.overall, here=found.here)
    instead: list[str] = []
    if found.policy:
        instead = [request.say("decay.instead", policy=found.policy, today=found.in_force)]
    fading = [f"{request.date(at)} {view.id} {said(request, view)}" for view, at in found.soonest]
    return answer([told, *instead, *fading])


async def _list_aliases(request: Request) -> str:
    people = await accounts.list_people(request.context)
    if not people:
        return request.say("alias.empty")
    listed = [
        f"{quoted(person, 40)}: {quoted(', '.join(_account(*one) for one in theirs), 300)}"
        for person, theirs in people.items()
    ]
    return answer([request.say("alias.header"), *listed])


async def _add_alias(request: Request, platform: str, user: str, person: str) -> str:
    joined = await accounts.join_account(request.context, (platform, user), person)
    told = request.say(
        "alias.added",
        account=_account(platform, user),
        person=quoted(person, 40),
        accounts=_accounts(joined),
    )
    return answer([told])


async def _remove_alias(request: Request, platform: str, user: str) -> str:
    await accounts.part_account(request.context, (platform, user))
    return request.say("alias.removed", account=_account(platform, user))


def _foreseeable(days: str) -> bool:
    return _DAYS.fullmatch(days) is not None and float(days) <= LONGEST_FORECAST


def _accounts(joined: Sequence[tuple[str, str]]) -> str:
    return ", ".join(_account(*one) for one in joined[:MOST_ACCOUNTS])


def _account(platform: str, user: str) -> str:
    return quoted(f"{platform}/{user}", 60)
