"""Part of the journal: which journal it is."""

from typing import Protocol


class JournalIdentity(Protocol):
    """What ids of turns, episodes and memories are derived from."""

    @property
    def id(self) -> str:
        """UUID of this journal, fixed at its creation: namespace of derived ids."""
        ...
