"""What admins may do: the bin, the forgetting forecast, sleep, and who is the same person."""

import re
from collections.abc import Mapping

from ...core.forgetting.catalogue import NAMES, policy_named
from ...core.forgetting.fsrs import FsrsMissing
from ...core.forgetting.lifecycle import doomed
from ...core.forgetting.policy import ForgettingPolicy
from ...core.model.conversation import Account, Scope, ScopeKind
from ...core.model.errors import INSTALL
from ...core.model.memory import Status
from ...core.ports import Filter
from ...core.privacy.revelations import Act, Justification
from ...core.text.quoting import quoted
from . import veil
from .records import (
    PAGE,
    answer,
    find,
    one_line,
    page_number,
    page_of,
    reason,
    short_id,
    signature,
    with_speaker,
)
from .request import Request

LONGEST_NAME = 128
LONGEST_FORECAST = 3_650.0

_DAYS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,2})?")


async def restore(request: Request) -> str:
    """A binned or archived memory back to life."""
    memory = await find(request, request.argument)
    if isinstance(memory, str):
        return memory
    changed = await request.engine.curation.restore([memory.id], by=signature(request))
    if not changed:
        left = await request.engine.parts.store.find([memory.id])
        if any(not doomed(each) for each in left):
            return request.say("restore.alive", text=one_line(memory))
        return request.say("restore.purging", text=one_line(memory))
    strength = changed[0].after.vitality.strength
    return request.say("restore.done", text=one_line(memory), strength=strength)


async def bin_(request: Request) -> str:
    """What lies in the bin of this chat, with the day it will be deleted for good."""
    number = page_number(request.argument)
    if number is None:
        return request.wrong_arguments()
    scopes = await request.readable()
    binned = Filter(scopes=scopes, status=Status.BINNED)
    page = await page_of(request.engine.parts.store, [binned], number)
    if page.total == 0:
        return request.say("bin.empty")
    lines = [request.say("bin.header", total=page.total, page=page.number, pages=page.pages)]
    for memory in page.memories:
        short = await short_id(request, memory.id, scopes)
        purge = request.date(memory.standing.purge_at or memory.standing.since)
        until, text = request.say("bin.until", date=purge), await with_speaker(request, memory)
        lines.append(f"{short} {until} [{reason(request, memory)}] {text}")
    return answer(lines)


async def decay(request: Request) -> str:
    """What time alone would take within some days, here or under another policy.

    Changes nothing.
    """
    match request.argument.split():
        case ["--preview", days, *named] if _foreseeable(days) and len(named) < 2:
            return await _forecast(request, float(days), *named)
        case _:
            return request.wrong_arguments()


async def sleep(request: Request) -> str:
    """Learn from what is open, decay, empty the bin; now."""
    report = await request.engine.sleep()
    lines = [
        request.say(
            "sleep.done",
            episodes=report.episodes_closed,
            weakened=report.decayed.weakened,
            binned=report.decayed.binned,
            purged=report.purged,
        )
    ]
    if report.decayed.archived or report.decayed.summarised:
        count = report.decayed
        lines.append(
            request.say("sleep.moved", archived=count.archived, summarised=count.summarised)
        )
    expired = report.expired
    if expired.binned or expired.emptied:
        told = request.say("sleep.expired", binned=expired.binned, emptied=expired.emptied)
        lines.append(told)
    if not report.learnt_all:
        lines.append(request.say("sleep.unfinished"))
    return answer(lines)


async def alias(request: Request) -> str:
    """Accounts on different platforms that are one person and share their private memories."""
    match request.argument.split():
        case ["list"]:
            return await _list_aliases(request)
        case ["add", *names] if len(names) == 3 and _plausible(names):
            return await _add_alias(request, *names)
        case ["remove", *names] if len(names) == 2 and _plausible(names):
            return await _remove_alias(request, *names)
        case _:
            return request.wrong_arguments()


async def _forecast(request: Request, days: float, name: str = "") -> str:
    engine = request.engine
    if name and name.lower() not in NAMES:
        names = ", ".join(NAMES)
        return request.say("decay.unknown_policy", name=quoted(name, 40), names=names)
    try:
        policy = _policy(request, name.lower()) if name else None
    except FsrsMissing:
        return request.say("decay.missing", command=INSTALL["fsrs"])
    now, sweeper = engine.parts.clock.now(), engine.sweeper
    everywhere = frozenset(await engine.parts.store.scopes())
    overall, _ = await sweeper.preview(everywhere, now=now, days=days, limit=0, policy=policy)
    scopes = await request.readable()
    here, soonest = await sweeper.preview(scopes, now=now, days=days, limit=PAGE, policy=policy)
    lines = [request.say("decay.header", days=f"{days:g}", overall=overall, here=here)]
    if policy is not None:
        today, _ = await sweeper.preview(everywhere, now=now, days=days, limit=0)
        lines.append(request.say("decay.instead", policy=policy.name, today=today))
    for fading in soonest:
        short = await short_id(request, fading.memory.id, scopes)
        text = await with_speaker(request, fading.memory)
        lines.append(f"{request.date(max(now, fading.at))} {short} {text}")
    return answer(lines)


async def _list_aliases(request: Request) -> str:
    aliases = await request.engine.parts.journal.aliases()
    if not aliases:
        return request.say("alias.empty")
    people: dict[str, list[str]] = {}
    for (platform, user), person in sorted(aliases.items()):
        people.setdefault(person, []).append(_account(platform, user))
    listed = [
        f"{quoted(person, 40)}: {quoted(', '.join(people[person]), 300)}"
        for person in sorted(people)
    ]
    return answer([request.say("alias.header"), *listed])


async def _add_alias(request: Request, platform: str, user: str, person: str) -> str:
    journal = request.engine.parts.journal
    before = await journal.aliases()
    joined = {key for key, name in before.items() if name == person} | {(platform, user)}
    if _takes_in(request, joined, before) and not veil.allowed(request):
        return request.say("reveal.no_alias")
    await _note_joining(request, joined, person)
    await journal.set_alias(platform, user, person)
    aliases = await journal.aliases()
    accounts = [_account(*key) for key, name in sorted(aliases.items()) if name == person]
    return answer(
        [
            request.say(
                "alias.added",
                account=_account(platform, user),
                person=quoted(person, 40),
                accounts=", ".join(accounts[:PAGE]),
            )
        ]
    )


def _takes_in(request: Request, joined: set[Account], before: Mapping[Account, str]) -> bool:
    """Whether the caller would come to read what an account did not share with theirs yet."""
    caller = (request.caller.scope.platform, request.caller.person)
    if caller not in joined:
        return False
    person = before.get(caller)
    return any(one != caller and (not person or before.get(one) != person) for one in joined)


async def _note_joining(request: Request, joined: set[Account], person: str) -> None:
    """That what is private on one of the accounts is readable on the others from now on."""
    if len(joined) < 2:
        return
    owners = {Scope(ScopeKind.PRIVATE, *account).owner: 0 for account in joined}
    justification = Justification(
        signature(request), ", ".join(sorted(_account(*one) for one in joined))
    )
    await request.engine.revelations.note_all(Act.JOINED, owners, justification)


async def _remove_alias(request: Request, platform: str, user: str) -> str:
    journal = request.engine.parts.journal
    if (platform, user) not in await journal.aliases():
        return request.say("alias.unknown", account=_account(platform, user))
    await journal.set_alias(platform, user, None)
    return request.say("alias.removed", account=_account(platform, user))


def _policy(request: Request, name: str) -> ForgettingPolicy:
    """Another policy with its parameters in force. Raises FsrsMissing."""
    engine = request.engine
    return policy_named(name, engine.policy, engine.parts.settings.forgetting.parameters())


def _foreseeable(days: str) -> bool:
    return _DAYS.fullmatch(days) is not None and float(days) <= LONGEST_FORECAST


def _plausible(names: list[str]) -> bool:
    return all(len(name) <= LONGEST_NAME and name.isprintable() for name in names)


def _account(platform: str, user: str) -> str:
    return quoted(f"{platform}/{user}", 60)
