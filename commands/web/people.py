"""People and groups: their page, their choices, and joining or separating accounts."""

from ...core.actions import accounts, browsing
from ...core.actions import people as people_
from ...core.actions.answers import CodeNeeded, Refused
from ...core.model.conversation import Scope
from .people_shapes import AccountShape, JoinedShape, LineShape, PersonShape
from .request import BadRequest, WebRequest, revealing
from .shapes import memory_shape


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
