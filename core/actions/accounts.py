"""People: accounts that are one, and the page about each, its lines struck by themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..conflict.slots import value_key
from ..model.consent import Consent
from ..model.conversation import ANY_PERSONA, Account, Scope, ScopeKind
from ..model.memory import Kind
from ..ports import Filter
from ..privacy.unsharing import Justification, RevelationKind
from ..recall.profile import Line, Section, line_text
from ..records.serialisation import short_id
from ..text.quoting import quoted
from .answers import MemoryView, Owner, Refusal, Refused
from .context import Context, for_admins, over_everybody
from .listing import keys_of
from .views import masked_by, owners, seen, view, why_masked
from .web_requests import KEY

LONGEST_NAME = 128
LINK = "link"
WEBCHAT = "webchat"
"""The platform of the host's own web chat, where people are called as they log in."""


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


async def link_code(context: Context) -> str:
    """The code that whoever is logged in says in a chat, to be one person with the account there.

    Not for API keys: one that is handed to a program is nobody's login.
    """
    if context.caller.person.startswith(KEY):
        raise Refused(Refusal.NOT_BY_KEY)
    return context.code_for(LINK)


async def link(context: Context, code: str) -> Sequence[Account]:
    """The caller is who was given the code; the accounts of this one person now.

    In a private chat: who says it has both accounts, and asks for it with both.
    """
    caller = context.caller
    if caller.scope.kind is not ScopeKind.PRIVATE:
        raise Refused(Refusal.ONLY_IN_PRIVATE)
    other = context.services.confirmations.asker(LINK, code, now=context.now)
    if other is None:
        raise Refused(Refusal.WRONG_CODE)
    return await _merge(context, (caller.scope.platform, caller.person), other)


@for_admins
async def link_webchat(context: Context) -> Sequence[Account]:
    """The login is the person of the host's own web chat of the same name."""
    caller = context.caller
    if caller.person.startswith(KEY):
        raise Refused(Refusal.NOT_BY_KEY)
    return await _merge(context, (WEBCHAT, caller.person), (caller.scope.platform, caller.person))


async def _merge(context: Context, one: Account, other: Account) -> Sequence[Account]:
    """Both accounts, and all that are one person with either, are one person's from now on.

    `other` is the login.
    """
    before = await context.journal.aliases()
    known = {before[account] for account in (one, other) if account in before}
    joined = {one, other} | {account for account, person in before.items() if person in known}
    # A name of somebody else would make strangers one person.
    own = context.caller.name or one[1]
    free = own if own not in before.values() else f"{own} ({'/'.join(one)})"
    person = before.get(one) or before.get(other) or free[:LONGEST_NAME]
    await _note_joining(context, joined, without=other)
    for account in joined:
        await context.journal.set_alias(*account, person)
    return sorted(joined)


async def _unshare(context: Context, account: Account, before: Mapping[Account, str]) -> None:
    """Have deleted what answers told the account, and those joined to it, of each other."""
    joined = [one for one, person in before.items() if person == before[account]]
    await context.engine.unsharing.queue(
        frozenset(Scope(ScopeKind.PRIVATE, *one).owner for one in joined)
    )
    context.engine.wake()


def _takes_in(context: Context, joined: set[Account], before: Mapping[Account, str]) -> bool:
    """Whether the caller would come to read what an account did not share with theirs yet."""
    caller = (context.caller.scope.platform, context.caller.person)
    if caller not in joined:
        return False
    person = before.get(caller)
    return any(one != caller and (not person or before.get(one) != person) for one in joined)


async def _note_joining(
    context: Context, joined: set[Account], without: Account | None = None
) -> None:
    """That what is private on one of the accounts is readable on the others from now on.

    A login of the page has nothing private of its own.
    """
    if len(joined) < 2:
        return
    owners = [Scope(ScopeKind.PRIVATE, *each).owner for each in joined if each != without]
    named = ", ".join(sorted(quoted(f"{platform}/{user}", 60) for platform, user in joined))
    grounds = Justification(context.by, named)
    told = {owner: {"count": 0} for owner in owners}
    await context.engine.revelations.note(RevelationKind.JOINED, grounds, told)


@dataclass(frozen=True, slots=True)
class PersonDetails:
    """A person or a group; `accounts` begin with the one asked about, `lines` are of their page."""

    owner: Owner
    consent: Consent
    kinds: Mapping[Kind, int]
    accounts: Sequence[Owner]
    lines: Sequence[tuple[Section, MemoryView]]
    why_masked: Refusal | None


@dataclass(frozen=True, slots=True)
class Me:
    """Whoever is logged in: their accounts in chats, whose memories are their own here; the
    account of the same name in the host's web chat if that could be linked; what they chose.
    """

    accounts: Sequence[Owner]
    webchat: Owner | None
    consent: Consent


@for_admins
async def me(context: Context) -> Me:
    """The caller's accounts beside the login."""
    login = context.caller.scope
    found = [each for each in await _accounts(context, login) if each.platform != login.platform]
    web = replace(login, platform=WEBCHAT)
    there = {Scope.parse(key).owner for key in await context.store.scopes()}
    chosen = await context.engine.consents.of(login)
    if web.owner not in there or any(each.platform == WEBCHAT for each in found):
        return Me(found, None, chosen)
    return Me(found, (await owners(context, [web.owner]))[web.owner], chosen)


@over_everybody
async def person(context: Context, owner: str) -> PersonDetails:
    """Whoever owns memories as `owner`."""
    keys = await keys_of(context, owner)
    scope = Scope.parse(keys[0])
    found = list[Line]()
    if scope.kind is not ScopeKind.GROUP:
        separate = context.settings.scope.persona_separation
        asked = scope if separate else replace(scope, persona=ANY_PERSONA)
        found = await context.engine.profiles.lines(asked, scope.subject)
    shown = await seen(context, [line.memory for line in found], f"person {owner}")
    tally = await context.store.tally(context.engine.policy, frozenset(keys))
    return PersonDetails(
        (await owners(context, [owner]))[owner],
        await context.engine.consents.of(Scope.parse(owner)),
        tally.by_kind,
        await _accounts(context, scope),
        [(line.section, view) for line, view in zip(found, shown, strict=True)],
        masked_by(context, shown),
    )


async def _accounts(context: Context, scope: Scope) -> Sequence[Owner]:
    if scope.kind is ScopeKind.GROUP:
        return ()
    keys = await context.engine.consents.owners(scope)
    ordered = sorted(keys, key=lambda key: (key != scope.owner, key))
    return list((await owners(context, ordered)).values())


@dataclass(frozen=True, slots=True)
class LineView:
    """A line: its words, the memory that it shows, and the ids of all memories that say it."""

    number: int
    section: Section
    said: str
    memory: MemoryView
    sources: tuple[str, ...]


async def own_profile(context: Context) -> list[LineView]:
    """The lines about the caller in this chat, as the next prompt has them."""
    lines = await _profile_lines(context)
    return [await _line_view(context, number, line) for number, line in enumerate(lines, start=1)]


async def strike(context: Context, number: int) -> LineView:
    """Forget what a line says: its memories go to the bin, and it leaves the page for good.

    With what has said the same since the last sleep, which would be the line after the next.
    """
    lines = await _profile_lines(context)
    if not 1 <= number <= len(lines):
        raise Refused(Refusal.NO_SUCH_LINE)
    line = lines[number - 1]
    struck, same = await _line_view(context, number, line), await _saying_the_same(context, line)
    await context.engine.curation.forget(list(dict.fromkeys([*line.sources, *same])), by=context.by)
    return struck


async def _line_view(context: Context, number: int, line: Line) -> LineView:
    readable = await context.readable()
    sources = [await short_id(context.store, id, readable) for id in line.sources]
    said = line_text(line.memory, context.engine.show_date)
    return LineView(number, line.section, said, await view(context, line.memory), tuple(sources))


async def _saying_the_same(context: Context, line: Line) -> list[str]:
    memory, claim = line.memory, line.memory.claim
    if claim is None:
        return []
    where = Filter(scopes=frozenset({memory.scope}), slots=frozenset({claim.slot}))
    return [
        other.id
        async for other in context.store.iterate(where)
        if other.claim is not None
        and other.claim.denied == claim.denied
        and value_key(other.claim.value) == value_key(claim.value)
    ]


async def _profile_lines(context: Context) -> list[Line]:
    caller = context.caller
    return await context.engine.profiles.lines(caller.scope, caller.person)
