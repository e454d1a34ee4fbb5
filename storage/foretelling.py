"""When memories will be forgotten by a decay plan, found by reading each of them."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from ..core.forgetting.decay_plan import DecayPlan
from ..core.model.memory import Kind, Memory
from ..core.ports import Filter, Foretold


class Iterated(Protocol):
    """A store whose memories can be read one after another."""

    def iterate(self, where: Filter, *, page: int = 200) -> AsyncIterator[Memory]:
        """Every match once."""
        ...


async def foretold_by_reading(
    store: Iterated,
    plan: DecayPlan,
    scopes: frozenset[str],
    ends: Sequence[float],
    *,
    limit: int,
    named: frozenset[Kind] | None,
) -> Foretold:
    """`Decay.foretold`, with no more in memory than a page and what is named."""
    last = max(ends)
    told = Foretold((0,) * len(ends))
    async for memory in store.iterate(Filter(scopes=scopes, exempt=False)):
        at = plan.spent_at(memory)
        if at is not None and at <= last:
            told = told.merged(_alone(memory, at, ends, named), limit)
    return told


def _alone(
    memory: Memory, at: float, ends: Sequence[float], named: frozenset[Kind] | None
) -> Foretold:
    soonest = ((at, memory.id),) if named is None or memory.kind in named else ()
    return Foretold(tuple(int(at <= end) for end in ends), soonest)
