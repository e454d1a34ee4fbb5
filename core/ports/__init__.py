"""What the engine needs from outside: small protocols, each defined by its contract tests."""

# pyright: reportUnusedImport=false
from ..model.memory import EmbedderIdentity, Vector
from .files import DataFiles, ForeignTables, Frozen
from .journal import (
    ERASED,
    AuditEntry,
    AuditLog,
    Census,
    Erasure,
    Expense,
    Journal,
    Ledger,
    Notes,
    Purpose,
    Usage,
    Work,
    WorkKind,
    WorkState,
)
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
from .store import (
    AT_ONCE,
    Amendment,
    Ancestor,
    Change,
    Condition,
    DecayCount,
    Embedded,
    Filter,
    MemoryReader,
    MemoryRecords,
    MemoryStore,
    MemoryVectors,
    Mention,
    Order,
    Scored,
    Tally,
    Tiers,
    Unreadable,
    Views,
)
from .turns import (
    Accounts,
    Appended,
    Disclosure,
    EpisodeLimits,
    Extraction,
    Judged,
    Recalls,
    Recollection,
    Segmenter,
    Showing,
    Turns,
)
