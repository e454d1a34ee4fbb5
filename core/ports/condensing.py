"""Part of the journal: old turns lose their text, later their rows; counts are kept."""

from collections.abc import Mapping
from typing import Protocol


class OldTurns(Protocol):
    """Old turns lose their text first, and their rows once no memory rests on them."""

    async def drop_texts(self, until: float, scopes: frozenset[str] | None = None) -> int:
        """Empty the text of turns said before `until`, in these scopes (None: in all).

        Only turns of closed episodes with no work left. The kept reply of these episodes and the
        explanations of their recalls are deleted too. Turns stay as rows without text. Returns how
        many were emptied, at most 5 000.
        """
        ...

    async def faded(self, *, after: str = "", limit: int = 50) -> list[str]:
        """Ids after `after`, in order, of episodes whose every turn `drop_texts` has emptied."""
        ...

    async def condense(self, kept: Mapping[str, frozenset[int]]) -> int:
        """Delete all but the given turns (seqs) of these emptied episodes; returns how many.

        One transaction. What was shown in their turns and the verdicts on it are kept as counts, so
        `judged`, `verdict_counts` and `statistics` answer as before. Deleted are their
        recalls, `showings`, the audit entries of these verdicts and the keys of finished work (work
        for a condensed turn is never queued again). A message of a deleted turn is no longer
        recognised as a duplicate. An episode without turns is deleted.
        """
        ...

    async def condense_log(self, until: float) -> int:
        """Replace audit entries on memories purged before `until` by a count for each month.
        Returns how many were replaced, at most 1 000.
        """
        ...
