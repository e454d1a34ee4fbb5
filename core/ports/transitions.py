"""Part of the memory store: decay of all memories in one call, and what is due for deletion."""

from dataclasses import dataclass
from typing import Protocol

from ..forgetting.decay_plan import DecayPlan
from ..forgetting.lifecycle import BinPolicy
from ..model.memory import Memory


@dataclass(frozen=True, slots=True)
class DecayCount:
    """What one pass of forgetting did: memories weakened, binned, archived, summarised, demoted.

    Those summarised are among those binned; those demoted are not among those weakened.
    """

    weakened: int
    binned: int
    archived: int = 0
    summarised: int = 0
    demoted: int = 0

    def __add__(self, other: "DecayCount") -> "DecayCount":
        return DecayCount(
            self.weakened + other.weakened,
            self.binned + other.binned,
            self.archived + other.archived,
            self.summarised + other.summarised,
            self.demoted + other.demoted,
        )


class Decay(Protocol):
    """What a policy that can be stated as data does to all memories, in one call."""

    async def decay(
        self,
        now: float,
        plan: DecayPlan,
        bin_policy: BinPolicy,
        scopes: frozenset[str] | None = None,
    ) -> DecayCount:
        """`plan.applied` to every live memory of these scopes (None: of all).

        `standing.since` of those binned is exactly `now`. Running it twice changes nothing more.
        """
        ...


class Transitions(Protocol):
    """Which memories are on their way to the bin, went there, or are due to be deleted from it."""

    async def binned_at(self, now: float, *, after: str = "", limit: int = 500) -> list[Memory]:
        """Memories whose `standing.since` is exactly `now` and that are binned, by id."""
        ...

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        """Ids of binned memories whose `purge_at` has passed."""
        ...
