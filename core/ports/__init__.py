"""What the engine needs from outside: small protocols, each defined by its contract tests."""

# pyright: reportUnusedImport=false
from ..model.vectors import EmbedderIdentity, Vector
from .audit import AuditEntry, AuditLog
from .condensing import OldTurns
from .disclosures import Disclosure, Disclosures
from .episodes import EpisodeLimits, Episodes
from .erasure import ERASED, Deletions, Erasure, ErasureLedger, Ledger
from .extractions import Extraction, Extractions, Rereadings
from .files import DataFiles, DataPlaces, Frozen
from .foreign import ForeignTables
from .identity import JournalIdentity
from .journal import Journal
from .models import (
    ChatModel,
    Clock,
    Completion,
    Embedder,
    EmbedderSource,
    ModelSource,
    Prompt,
    Reranker,
)
from .notes import Notes
from .people import Accounts, Choices
from .recalls import Recalls, Recollection, Showing
from .records import (
    COLUMNS_AT_ONCE,
    Amendment,
    Change,
    Columns,
    Condition,
    Filter,
    MemoryReader,
    MemoryRecords,
    MemoryWriter,
    Order,
    Tally,
    Tiers,
    Unreadable,
)
from .relations import Ancestor, Mention, Relations
from .sleeps import SleepReports, Sleeps
from .store import MemoryStore
from .text_search import Scored, TextSearch
from .transitions import Decay, DecayCount, Transitions
from .turns import Appended, Segmenter, Turns
from .usage import Census, Expense, ModelUsage, Purpose, Usage
from .vector_search import Embedded, MemoryVectors, VectorSearch, VectorWriter, Views
from .verdicts import Judged, Verdicts
from .work import Work, WorkKind, WorkQueue, WorkState
