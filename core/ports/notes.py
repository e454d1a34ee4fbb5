"""Part of the journal: small values that outlive a restart."""

from collections.abc import Mapping
from typing import Protocol


class Notes(Protocol):
    """Named values, and settings changed at run time."""

    async def note(self, name: str) -> str | None:
        """A small persistent value, such as the time of the last sweep."""
        ...

    async def set_note(self, name: str, value: str) -> None:
        """Set it."""
        ...

    async def overrides(self) -> Mapping[str, str]:
        """Settings changed at run time: dotted name -> JSON text."""
        ...

    async def set_override(self, name: str, value: str | None) -> None:
        """Set, or with None remove, one."""
        ...
