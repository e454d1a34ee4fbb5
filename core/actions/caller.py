"""Who asks, and from where."""

from dataclasses import dataclass

from ..model.conversation import Scope, ScopeKind
from ..text.quoting import quoted

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Caller:
    """`person` is the sender's id on the platform of `scope`; `session` the chat it came from."""

    scope: Scope
    session: str
    person: str
    name: str
    admin: bool

    @property
    def signature(self) -> str:
        """Who did it, for the audit log."""
        name = quoted(self.name, LONGEST_NAME)
        return f"{name} ({self.person})" if name else self.person

    @property
    def sees_everything(self) -> bool:
        """Whether memories of every scope exist for the caller; see `masking` for their texts."""
        return self.admin and self.scope.kind is ScopeKind.PRIVATE
