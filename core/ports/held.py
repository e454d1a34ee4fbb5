"""Part of the journal: episodes whose learning waits for the next call about their chat."""

from collections.abc import Sequence
from typing import Protocol

from ..model.conversation import Episode
from .extractions import Extraction
from .work import Work

WAITED = "waited"
"""In the payload of LEARN work: it has been held, or is asked for, and is not held again."""


class HeldEpisodes(Protocol):
    """An episode that may wait is held: its LEARN work is HELD, and due at the latest at a time."""

    async def hold(self, work: Work, *, until: float) -> None:
        """Hold the work, unless a reply of its episode is kept, or it was asked for, meanwhile."""
        ...

    async def held_beside(self, episode: str) -> list[Episode]:
        """Held episodes of the same session and scope without a kept reply, oldest first."""
        ...

    async def save_extractions(self, extractions: Sequence[Extraction]) -> list[Extraction]:
        """Keep the first reply of each episode, and make their held work due; those kept.

        All in one transaction: a call is about all its episodes or about none.
        """
        ...

    async def hold_no_more(self, now: float) -> None:
        """LEARN work that is held, or due at `now`, is due and not to be held."""
        ...
