"""People and groups: their page, their choices, and joining or separating accounts."""

from dataclasses import dataclass

from ...core.actions import accounts, browsing
from ...core.actions import people as people_
from ...core.actions.answers import CodeNeeded, Refused
from ...core.model.conversation import Scope, ScopeKind
from .request import BadRequest, WebRequest, revealing
from .shapes import MemoryShape, memory_shape


@dataclass(frozen=True, slots=True)
class LineShape:
    """A line of the page about a person."""

    section: str
    memory: MemoryShape


@dataclass(frozen=True, slots=True)
class AccountShape:
    """A login of a person."""

    platform: str
    user: str
    name: str


@dataclass(frozen=True, slots=True)
class PersonShape:
    """A person or group. `keep_days` is None where memories are kept while they prove useful."""

    owner: str
    name: str
    kind: ScopeKind
    paused: bool
    shared: bool
    reminded: bool
    keep_days: float | None
    kinds: dict[str, int]
    accounts: list[AccountShape]
    lines: list[LineShape]
    why_masked: str


@dataclass(frozen=True, slots=True)
class JoinedShape:
    """The accounts that are one person now."""

    accounts: list[AccountShape]


async def show(request: WebRequest) -> PersonShape | Refused | CodeNeeded:
    """One person or group."""
    context, owner = request.context, request.needed("owner")
    found = await revealing(lambda reveal: people_.person(context, owner, reveal), request.reveal)
    if isinstance(found, Refused | CodeNeeded):
        return found
    rows = await browsing.browsed(context, [line.memory for line in found.lines])
    lines = zip(found.lines, rows, strict=True)
    consent = found.consent
    return PersonShape(
        found.owner,
        found.name,
        Scope.kind_of(found.owner),
        consent.paused,
        consent.shared,
        consent.reminded,
        consent.keep_days,
        {kind.value: count for kind, count in found.kinds.items()},
        [AccountShape(*account, name) for account, name in found.accounts],
        [LineShape(line.section, memory_shape(row)) for line, row in lines],
        found.why_masked or "",
    )


async def join(request: WebRequest) -> JoinedShape | Refused:
    """This account is the named person's."""
    platform, user, person = (request.needed(name) for name in ("platform", "user", "person"))
    if not accounts.plausible([platform, user, person]):
        raise BadRequest("person")
    joined = await accounts.join_account(request.context, (platform, user), person)
    if isinstance(joined, Refused):
        return joined
    return JoinedShape([AccountShape(*account, "") for account in joined])


async def part(request: WebRequest) -> JoinedShape | Refused:
    """This account is nobody else's."""
    account = (request.needed("platform"), request.needed("user"))
    parted = await accounts.part_account(request.context, account)
    return parted if isinstance(parted, Refused) else JoinedShape([AccountShape(*account, "")])
