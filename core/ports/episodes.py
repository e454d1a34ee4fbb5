"""Part of the journal: stretches of conversation, learnt from as a whole."""

from dataclasses import dataclass
from typing import Protocol

from ..model.conversation import Episode, EpisodeEnd


@dataclass(frozen=True, slots=True)
class EpisodeLimits:
    """When an open episode is closed: seconds of silence, turns, characters."""

    silence: float = 1800.0
    turns: int = 40
    characters: int = 12_000


class Episodes(Protocol):
    """At most one open episode per session; `Turns.append` opens and continues it."""

    async def episode(self, episode: str) -> Episode | None:
        """The episode, or None."""
        ...

    async def open_episode(self, session: str) -> Episode | None:
        """The open episode of a session."""
        ...

    async def close_episode(
        self, session: str, end: EpisodeEnd, *, at: float, before: int | None = None
    ) -> Episode | None:
        """Close the session's open episode and queue its LEARN work; None if none is open.

        With `before`, turns from that seq on move to a new open episode; None if nothing is
        earlier.
        """
        ...

    async def recut(self, episode: str, *, before: int) -> bool:
        """End a closed episode before the turn `before` instead (TOPIC).

        The turns from there on are an episode of their own, ended as this one was, with LEARN work.
        What was shown and judged in a turn goes with the turn. False, and nothing happens, if a
        reply is kept of the episode, if there are no turns on both sides, or if a private reply
        would move.
        """
        ...

    async def close_silent(self, *, quiet_since: float, at: float) -> list[Episode]:
        """Close every open episode whose last turn is at or before `quiet_since` (SILENCE)."""
        ...

    async def first_opened(self) -> float | None:
        """When the oldest episode there is was opened; None without one."""
        ...

    async def scopes(self) -> frozenset[str]:
        """Keys of every scope in which something is recorded."""
        ...
