"""The accounts that a journal or a memory is about, and which of them were erased."""

from collections.abc import Iterable

from ..model.conversation import Account, Scope, ScopeKind
from ..model.memory import Memory
from ..ports import Journal, Ledger


async def recorded_accounts(journal: Journal) -> set[Account]:
    """Every account of which a journal may hold anything."""
    scopes = [parsed(key) for key in await journal.scopes()]
    private = {
        (scope.platform, scope.subject)
        for scope in scopes
        if scope is not None and scope.kind is ScopeKind.PRIVATE
    }
    return private | await journal.heard()


def accounts_of(memory: Memory) -> frozenset[Account]:
    """Whose memory it is, and who said it."""
    scope = parsed(memory.scope)
    if scope is None:
        return frozenset()
    owner = (scope.platform, scope.subject)
    said = None if memory.speaker is None else (scope.platform, memory.speaker.id)
    theirs = owner if scope.kind is ScopeKind.PRIVATE else None
    return frozenset(account for account in (theirs, said) if account is not None)


def erased_of(accounts: Iterable[Account], ledger: Ledger, after: int) -> frozenset[Scope]:
    """Those of the accounts that were erased after the erasure of this number."""
    return frozenset(
        Scope(ScopeKind.PRIVATE, platform, user)
        for platform, user in accounts
        if ledger.erased_since((platform, user), after)
    )


def parsed(key: str) -> Scope | None:
    """The scope of a key; None for a damaged one."""
    try:
        return Scope.parse(key)
    except ValueError:
        return None
