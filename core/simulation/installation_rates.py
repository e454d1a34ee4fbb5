"""How much an installation remembers and recalls, measured from its own store and journal."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..forgetting.lifecycle import DAY
from ..ports import Filter, MemoryReader, Verdicts
from .run import Conditions

RECENT = 30.0
"""Days whose new memories are counted."""

LEAST_VERDICTS = 20
"""With fewer verdicts nothing is said about how often a recall is useful."""

MOST_RECALLS = 50


@dataclass(frozen=True, slots=True)
class InstallationRates:
    """New memories a day, judged recalls per new memory, share of them useful (0..1).

    None where too little has happened yet to tell.
    """

    calls: int | None
    top_k: int | None
    useful_prob: float | None

    @property
    def complete(self) -> bool:
        """Whether all three are known."""
        return None not in (self.calls, self.top_k, self.useful_prob)

    def over(self, conditions: Conditions) -> Conditions:
        """These conditions, with the measured rates where there are any."""
        known: Mapping[str, float | None] = {
            "fewest_calls": self.calls,
            "most_calls": self.calls,
            "top_k": self.top_k,
            "useful_prob": self.useful_prob,
        }
        changes = {name: value for name, value in known.items() if value is not None}
        return replace(conditions, **changes)  # pyright: ignore[reportArgumentType] - as named


async def own_rates(store: MemoryReader, journal: Verdicts, *, now: float) -> InstallationRates:
    """Of everything in the installation; what has been deleted for good is not counted."""
    every = await store.count(Filter(status=None))
    old = await store.count(Filter(status=None, created_before=now - RECENT * DAY))
    useful, useless = await journal.verdict_counts()
    judged = useful + useless
    known = judged >= LEAST_VERDICTS
    return InstallationRates(
        calls=max(1, round((every - old) / RECENT)) if every > old else None,
        top_k=min(MOST_RECALLS, max(1, round(judged / every))) if known and every else None,
        useful_prob=useful / judged if known else None,
    )
