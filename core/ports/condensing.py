"""The part of a journal that keeps what is old short: without text, then as counts."""

from collections.abc import Mapping
from typing import Protocol


class OldTurns(Protocol):
    """What is old loses its text first; what nothing rests on any more loses its rows."""

    async def drop_texts(self, until: float, scopes: frozenset[str] | None = None) -> int:
        """Empty the text of turns said before `until`, in these scopes (None: in all).

        Only of closed episodes with no work left; their kept reply goes, and what is told of their
        recalls. Turns stay as rows without text. Returns how many were emptied, at most 5 000.
        """
        ...

    async def faded(self, *, after: str = "", limit: int = 50) -> list[str]:
        """Ids of episodes whose text is all gone by `drop_texts`, those after `after`, in order."""
        ...

    async def condense(self, kept: Mapping[str, frozenset[int]]) -> int:
        """Keep of these faded episodes just the turns given (seqs); how many turns are gone.

        One transaction. What was shown in their turns and the verdicts on it are kept as counts:
        `outcomes`, `judged`, `verdict_counts` and `statistics` tell the same as before. Gone are
        their recalls, `showings`, the audit entries of these verdicts, keys of finished work
        (nothing of a condensed turn is queued again), and that a message of a turn that is gone
        would be a duplicate. An episode without turns is gone.
        """
        ...

    async def condense_log(self, until: float) -> int:
        """Audit entries on memories purged before `until` become a count for each month.

        Returns how many did, at most 1 000.
        """
        ...
