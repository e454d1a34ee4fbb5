"""One person or group: their profile, their choices, their accounts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model.consent import Consent
from ..model.conversation import ANY_PERSONA, Account, Scope, ScopeKind
from ..model.memory import Kind
from ..ports import Filter
from ..recall.profile import Line, Section
from .answers import CodeNeeded, MemoryView, Refusal, Refused
from .browsing import owner_names
from .context import Context, for_admins
from .masking import seen, why_masked


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A line of the page about a person."""

    section: Section
    memory: MemoryView


@dataclass(frozen=True, slots=True)
class PersonDetails:
    """`accounts` with the names they go by, the first of them the one asked about."""

    owner: str
    name: str
    consent: Consent
    kinds: Mapping[Kind, int]
    accounts: Sequence[tuple[Account, str]]
    lines: Sequence[PersonLine]
    why_masked: Refusal | None


@for_admins
async def person(
    context: Context, owner: str, reveal: str | None = None
) -> PersonDetails | Refused | CodeNeeded:
    """Whoever owns memories as `owner`."""
    every = await context.store.scopes()
    keys = [key for key in every if Scope.parse(key).owner == owner]
    if not keys or not context.caller.sees_everything:
        return Refused(Refusal.UNKNOWN_SCOPE)
    scope = Scope.parse(max(keys, key=lambda key: (every[key], key)))
    found = await _lines(context, scope)
    memories = [line.memory for line in found]
    shown = await seen(context, memories, request=f"person {owner}", reveal=reveal)
    if isinstance(shown, Refused | CodeNeeded):
        return shown
    names = await owner_names(context, [owner])
    kinds = [(k, await _count(context, frozenset(keys), k)) for k in Kind]
    return PersonDetails(
        owner,
        names[owner],
        await context.engine.consents.of(Scope.parse(owner)),
        {kind: count for kind, count in kinds if count},
        await _accounts(context, scope),
        [PersonLine(line.section, view) for line, view in zip(found, shown, strict=True)],
        why_masked(context) if any(view.masked for view in shown) else None,
    )


async def _lines(context: Context, scope: Scope) -> list[Line]:
    if scope.kind is ScopeKind.GROUP:
        return []
    separate = context.settings.scope.persona_separation
    persona = scope.persona if separate else ANY_PERSONA
    asked = Scope(scope.kind, scope.platform, scope.subject, persona)
    return await context.engine.profiles.lines(asked, scope.subject)


async def _accounts(context: Context, scope: Scope) -> Sequence[tuple[Account, str]]:
    if scope.kind is ScopeKind.GROUP:
        return ()
    owners = [Scope.parse(key) for key in await context.engine.consents.owners(scope)]
    owners.sort(key=lambda each: (each.owner != scope.owner, each.owner))
    names = await owner_names(context, [each.owner for each in owners])
    return [((each.platform, each.subject), names[each.owner]) for each in owners]


async def _count(context: Context, keys: frozenset[str], kind: Kind) -> int:
    return await context.store.count(Filter(keys, kinds=frozenset({kind})))
