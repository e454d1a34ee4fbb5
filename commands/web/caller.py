"""Who opens the page: the dashboard's owner, or an integration with an API key."""

from ...core.actions.caller import Caller
from ...core.model.conversation import Scope, ScopeKind

PLATFORM = "dashboard"
"""Under which the accounts of the dashboard are accounts of a person."""


def owner_of_dashboard(username: str) -> Caller:
    """An admin in a private chat of their own: everything exists, private texts say nothing."""
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, username)
    return Caller(scope, f"{PLATFORM}:{username}", username, username, admin=True)
