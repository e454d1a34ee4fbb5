"""Everything that an engine is made of."""

from dataclasses import dataclass

from ..model.errors import Incidents
from ..ports import Clock, EmbedderSource, Journal, MemoryStore, ModelSource, Reranker
from ..queue.worker import Report
from ..recall.trace import Leg
from ..scoring.boundaries import BoundaryModels
from ..scoring.decision import Fitted
from ..scoring.fitted import FITTED
from ..settings import Settings


@dataclass(frozen=True, slots=True)
class Parts:
    """What an engine is made of. Legs in `without` are never asked: a benchmark's ablation."""

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
