"""What an engine is made of, and how the failures that it survives are told."""

from dataclasses import dataclass

from ..model.errors import Incident, Incidents
from ..ports import Clock, EmbedderSource, Journal, MemoryStore, ModelSource, Reranker
from ..queue.worker import Report
from ..recall.trace import Leg
from ..scoring.boundaries import BoundaryModels
from ..scoring.decision import Fitted
from ..scoring.fitted import FITTED
from ..settings import Settings

TOLD_EVERY = 100
"""Of the failures in one place the first is reported, and every one of this number."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Legs in `without` are never asked: a benchmark's ablation."""

    store: MemoryStore
    journal: Journal
    clock: Clock
    models: ModelSource
    embedders: EmbedderSource
    settings: Settings
    report: Report
    incidents: Incidents
    without: frozenset[Leg] = frozenset()
    reranker: Reranker | None = None
    fitted: Fitted = FITTED
    boundaries: BoundaryModels | None = None

    def count(self, place: str, error: BaseException) -> Incident:
        """Count a failure for `/memory health`; the state after it."""
        return self.incidents.record(place, error, self.clock.now())

    def note(self, place: str, error: BaseException) -> None:
        """Count a failure and report it if it is its turn; what follows a colon is no place."""
        incident = self.count(place.partition(":")[0], error)
        if incident.count == 1 or incident.count % TOLD_EVERY == 0:
            self.report(f"{place} (failure {incident.count})", error)
