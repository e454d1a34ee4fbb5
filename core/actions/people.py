"""One person or group: their profile, their choices, their accounts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.consent import Consent
from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..model.memory import Kind
from ..ports import Filter
from ..recall.profile import Line, Section
from .accounts import WEBCHAT
from .answers import MemoryView, Refusal, Refused
from .browsing import owner_names
from .context import Context, for_admins, over_everybody
from .masking import masked_by, seen


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A line of the page about a person."""

    section: Section
    memory: MemoryView


@dataclass(frozen=True, slots=True)
class AccountView:
    """A login of a person, and the name they go by there."""

    platform: str
    user: str
    name: str


@dataclass(frozen=True, slots=True)
class PersonDetails:
    """A person or a group; `accounts` begin with the one asked about."""

    owner: str
    name: str
    kind: ScopeKind
    consent: Consent
    kinds: Mapping[Kind, int]
    accounts: Sequence[AccountView]
    lines: Sequence[PersonLine]
    why_masked: Refusal | None


@dataclass(frozen=True, slots=True)
class Me:
    """Whoever is logged in: their accounts in chats, whose memories are their own here; the
    account of the same name in the host's web chat if that could be linked.
    """

    accounts: Sequence[AccountView]
    webchat: AccountView | None


@for_admins
async def me(context: Context) -> Me:
    """The caller's accounts beside the login."""
    login = context.caller.scope
    found = [each for each in await _accounts(context, login) if each.platform != login.platform]
    web = replace(login, platform=WEBCHAT)
    there = {Scope.parse(key).owner for key in await context.store.scopes()}
    if web.owner not in there or any(each.platform == WEBCHAT for each in found):
        return Me(found, None)
    names = await owner_names(context, [web.owner])
    return Me(found, AccountView(WEBCHAT, web.subject, names[web.owner]))


@over_everybody
async def person(context: Context, owner: str) -> PersonDetails:
    """Whoever owns memories as `owner`."""
    every = await context.store.scopes()
    keys = [key for key in every if Scope.parse(key).owner == owner]
    if not keys:
        raise Refused(Refusal.UNKNOWN_SCOPE)
    scope = Scope.parse(max(keys, key=lambda key: (every[key], key)))
    found = await _lines(context, scope)
    shown = await seen(context, [line.memory for line in found], f"person {owner}")
    names = await owner_names(context, [owner])
    kinds: dict[Kind, int] = {}
    for kind in Kind:
        where = Filter(frozenset(keys), kinds=frozenset({kind}))
        if count := await context.store.count(where):
            kinds[kind] = count
    return PersonDetails(
        owner,
        names[owner],
        scope.kind,
        await context.engine.consents.of(Scope.parse(owner)),
        kinds,
        await _accounts(context, scope),
        [PersonLine(line.section, view) for line, view in zip(found, shown, strict=True)],
        masked_by(context, shown),
    )


async def _lines(context: Context, scope: Scope) -> list[Line]:
    if scope.kind is ScopeKind.GROUP:
        return []
    separate = context.settings.scope.persona_separation
    persona = scope.persona if separate else ANY_PERSONA
    asked = Scope(scope.kind, scope.platform, scope.subject, persona)
    return await context.engine.profiles.lines(asked, scope.subject)


async def _accounts(context: Context, scope: Scope) -> Sequence[AccountView]:
    if scope.kind is ScopeKind.GROUP:
        return ()
    owners = [Scope.parse(key) for key in await context.engine.consents.owners(scope)]
    owners.sort(key=lambda each: (each.owner != scope.owner, each.owner))
    names = await owner_names(context, [each.owner for each in owners])
    return [AccountView(each.platform, each.subject, names[each.owner]) for each in owners]
