"""What the engine needs from outside: small protocols, each defined by its contract tests."""

from ..model.vectors import EmbedderIdentity, Vector
from .disclosures import Disclosure
from .erasure import Erasure, Ledger
from .files import DataFiles, Frozen
from .journal import (
    Appended,
    AuditEntry,
    EpisodeLimits,
    Extraction,
    Journal,
    Recollection,
    Segmenter,
    Showing,
    Usage,
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
from .outcomes import Judged, Outcome
from .store import (
    Amendment,
    Ancestor,
    Change,
    Condition,
    DecayCount,
    Embedded,
    Filter,
    MemoryStore,
    Mention,
    Order,
    Scored,
    Tally,
    Unreadable,
)
from .work import Work, WorkKind, WorkState

__all__ = [
    "Amendment",
    "Ancestor",
    "Appended",
    "AuditEntry",
    "Change",
    "ChatModel",
    "Clock",
    "Completion",
    "Condition",
    "DataFiles",
    "DecayCount",
    "Disclosure",
    "Embedded",
    "Embedder",
    "EmbedderIdentity",
    "EmbedderSource",
    "EpisodeLimits",
    "Erasure",
    "Extraction",
    "Filter",
    "Frozen",
    "Journal",
    "Judged",
    "Ledger",
    "MemoryStore",
    "Mention",
    "ModelSource",
    "Order",
    "Outcome",
    "Prompt",
    "Recollection",
    "Reranker",
    "Scored",
    "Segmenter",
    "Showing",
    "Tally",
    "Unreadable",
    "Usage",
    "Vector",
    "Work",
    "WorkKind",
    "WorkState",
]
