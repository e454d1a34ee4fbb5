"""Accounts on different platforms that are one person and share their private memories."""

from collections.abc import Mapping, Sequence

from ..model.conversation import Account, Scope, ScopeKind
from ..privacy.revelations import Justification, RevelationKind
from ..text.quoting import quoted
from .answers import Refusal, Refused
from .context import Context, for_admins
from .masking import why_masked

LONGEST_NAME = 128


def plausible(names: Sequence[str]) -> bool:
    """Whether these may be platforms, users and persons."""
    return all(0 < len(name) <= LONGEST_NAME and name.isprintable() for name in names)


@for_admins
async def list_people(context: Context) -> Mapping[str, Sequence[Account]]:
    """The accounts of each person who has been named, by the person's name."""
    people: dict[str, list[Account]] = {}
    for account, person in sorted((await context.journal.aliases()).items()):
        people.setdefault(person, []).append(account)
    return dict(sorted(people.items()))


@for_admins
async def join_account(context: Context, account: Account, person: str) -> list[Account]:
    """The account is this person's; the accounts that are so now."""
    before = await context.journal.aliases()
    joined = {key for key, name in before.items() if name == person} | {account}
    if _takes_in(context, joined, before) and why_masked(context) is Refusal.NOT_REVEALED:
        raise Refused(Refusal.NOT_REVEALED)
    await _note_joining(context, joined)
    if before.get(account, person) != person:
        await _unshare(context, account, before)
    await context.journal.set_alias(*account, person)
    aliases = await context.journal.aliases()
    return [key for key, name in sorted(aliases.items()) if name == person]


@for_admins
async def part_account(context: Context, account: Account) -> Account:
    """The account is nobody else's any more; what the accounts heard of one another goes."""
    before = await context.journal.aliases()
    if account not in before:
        raise Refused(Refusal.UNKNOWN_ACCOUNT, account="/".join(account))
    await _unshare(context, account, before)
    await context.journal.set_alias(*account, None)
    return account


async def _unshare(context: Context, account: Account, before: Mapping[Account, str]) -> None:
    """Have deleted what answers told the account, and those joined to it, of each other."""
    joined = [one for one, person in before.items() if person == before[account]]
    owners = frozenset(Scope(ScopeKind.PRIVATE, *one).owner for one in joined)
    await context.engine.unsharing.queue(owners)
    context.engine.wake()


def _takes_in(context: Context, joined: set[Account], before: Mapping[Account, str]) -> bool:
    """Whether the caller would come to read what an account did not share with theirs yet."""
    caller = (context.caller.scope.platform, context.caller.person)
    if caller not in joined:
        return False
    person = before.get(caller)
    return any(one != caller and (not person or before.get(one) != person) for one in joined)


async def _note_joining(context: Context, joined: set[Account]) -> None:
    """That what is private on one of the accounts is readable on the others from now on."""
    if len(joined) < 2:
        return
    owners = {Scope(ScopeKind.PRIVATE, *account).owner: 0 for account in joined}
    named = ", ".join(sorted(quoted(f"{platform}/{user}", 60) for platform, user in joined))
    grounds = Justification(context.caller.signature, named)
    await context.engine.revelations.note_all(RevelationKind.JOINED, owners, grounds)
