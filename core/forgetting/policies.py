"""Which policy decides over which scope: one for all, or two that are compared. Pure."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from .policy import ForgettingPolicy


class ComparisonGroup(StrEnum):
    """The halves of a comparison: A has the usual policy, B the one on trial."""

    A = "A"
    B = "B"


@dataclass(frozen=True, slots=True)
class Policies:
    """The usual policy and, while two are compared, the one on trial."""

    usual: ForgettingPolicy
    trial: ForgettingPolicy | None = None

    def of(self, scope: str) -> ForgettingPolicy:
        """The policy that decides over a scope, by its key."""
        if self.trial is None or group_of(scope) is ComparisonGroup.A:
            return self.usual
        return self.trial

    @property
    def all(self) -> tuple[ForgettingPolicy, ...]:
        """Those in force."""
        return (self.usual,) if self.trial is None else (self.usual, self.trial)


def group_of(scope: str) -> ComparisonGroup:
    """The group of a person or of a chat group: the same under every persona, for good."""
    whose, _, _persona = scope.rpartition("/")
    digest = hashlib.blake2b(whose.encode("utf-8", "replace"), digest_size=1).digest()
    return ComparisonGroup.B if digest[0] % 2 else ComparisonGroup.A
