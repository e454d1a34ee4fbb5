"""How often the memories of this installation prove useful, by kind and facet."""

from dataclasses import dataclass, field

from ..forgetting.rates import Posterior, UsefulnessRates
from ..ports import MemoryReader, Verdicts

RENEWED_AFTER = 3_600.0
"""Seconds for which rates are reused before they are read again."""


@dataclass(slots=True)
class Usefulness:
    """Rates from the ledger. Purged memories are not counted: their kind is no longer known."""

    store: MemoryReader
    journal: Verdicts
    _rates: UsefulnessRates = field(default_factory=UsefulnessRates)
    _read_at: float | None = None

    async def rates(self, *, now: float) -> UsefulnessRates:
        """As of `now`, at most an hour old."""
        if self._read_at is None or not 0 <= now - self._read_at < RENEWED_AFTER:
            self._rates = await usefulness(self.store, self.journal)
            self._read_at = now
        return self._rates


async def usefulness(store: MemoryReader, journal: Verdicts) -> UsefulnessRates:
    """The rates of all memories that are still there, in whatever status."""
    rates, after = UsefulnessRates(), ""
    while page := await journal.judged(after=after):
        verdicts = {each.memory: Posterior(each.useful, each.useless) for each in page}
        for memory in await store.find(list(verdicts)):
            rates = rates.with_verdicts(memory, verdicts[memory.id])
        after = page[-1].memory
    return rates
