"""Part of the journal: who speaks, and what they have chosen."""

from collections.abc import Mapping
from typing import Protocol

from ..model.consent import Consent
from ..model.conversation import Account


class Accounts(Protocol):
    """Which accounts are one person, and what people call themselves."""

    async def aliases(self) -> Mapping[tuple[str, str], str]:
        """(platform, user id) -> person."""
        ...

    async def set_alias(self, platform: str, user: str, person: str | None) -> None:
        """Set, or with None remove, an alias."""
        ...

    async def names(self) -> Mapping[str, Mapping[Account, str]]:
        """Chat (`Scope.owner`) -> account -> the name it last spoke under there.

        Kept by `Turns.append`; empty names are not noted.
        """
        ...

    async def chat_names(self) -> Mapping[str, str]:
        """Chat (`Scope.owner`) -> what it last called itself; kept like `names`.

        Erased with the last of what is recorded of the chat.
        """
        ...


class Choices(Protocol):
    """What owners of memories have chosen."""

    async def consents(self) -> Mapping[str, Consent]:
        """What owners (`Scope.owner`) have chosen; without those who have chosen nothing."""
        ...

    async def set_consent(self, owner: str, consent: Consent) -> None:
        """Replace the owner's choices."""
        ...
