"""What cannot be read is left out of a recall and named in its trace; the rest of it answers."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace

from ..model.errors import Fault, StorageError
from ..model.memory import Memory
from ..ports import MemoryReader
from ..records.sparing import spared
from .legs.parallel import Searched
from .trace import Leg, LegReport, LegState

_ALWAYS_READ = frozenset({Leg.SEMANTIC, Leg.ENTITY, Leg.TIME})
"""Legs that cannot end well without an answer of the store, whatever is asked."""


class Failures:
    """The failures of one recall, by the leg whose data could not be read."""

    def __init__(self) -> None:
        self._problems: dict[Leg, str] = {}
        self._first: StorageError | None = None

    async def spared[T](self, leg: Leg, work: Awaitable[T], otherwise: T) -> T:
        """The result of the work; `otherwise` if the store fails, which is noted."""

        def note(error: StorageError) -> None:
            self._problems.setdefault(leg, f"{type(error).__name__}: {error}")
            self._first = self._first or error

        return await spared(work, otherwise, note)

    def raise_outage(self, searched: Searched) -> None:
        """Raises the StorageError of a store of which no part answers."""
        failure = searched.failure or self._first
        answered = any(
            report.state is LegState.OK and report.leg in _ALWAYS_READ
            for report in searched.reports
        )
        if failure is not None and not answered and not any(searched.found.values()):
            raise failure

    def told(self, reports: Sequence[LegReport]) -> tuple[LegReport, ...]:
        """The reports, with those of the legs of which something failed later."""
        problems = dict(self._problems)
        every: list[LegReport] = []
        for report in reports:
            problem = problems.pop(report.leg, "")
            sound = problem and report.state in (LegState.OK, LegState.OFF)
            every.append(
                replace(report, state=LegState.FAILED, problem=problem) if sound else report
            )
        late = (LegReport(leg, LegState.FAILED, problem=why) for leg, why in problems.items())
        return (*every, *late)


async def find_spared(
    store: MemoryReader, ids: Sequence[str], scopes: frozenset[str], failures: Failures
) -> list[Memory]:
    """The records with these ids; one by one where a damaged one takes the others with it.

    Raises StorageError if none can be read.
    """
    if not ids:
        return []
    try:
        return await store.find(ids, scopes)
    except StorageError as error:
        if error.fault is not Fault.DAMAGED:
            raise
        every = [await failures.spared(Leg.ENTITY, store.find([id], scopes), None) for id in ids]
        if all(one is None for one in every):
            raise
        return [memory for one in every if one is not None for memory in one]
