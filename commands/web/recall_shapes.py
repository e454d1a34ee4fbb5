"""What the page is sent of recalls: which were, what each found, showed and left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.model.conversation import ScopeKind
from ...core.recall.trace import LegReport
from .shapes import MemoryShape


@dataclass(frozen=True, slots=True)
class TurnShape:
    """A turn with its recall in a line. `silence` is why nothing was brought up."""

    turn: int
    at: float
    owner: str
    owner_name: str
    owner_kind: ScopeKind
    asker: str
    text: str
    masked: bool
    shown: int
    silence: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class TurnList:
    """The newest turns. `why_masked` is a refusal, "" if all are shown."""

    turns: list[TurnShape]
    why_masked: str


@dataclass(frozen=True, slots=True)
class ReasonShape:
    """What spoke for a memory, or against it, in logits."""

    column: str
    weight: float


@dataclass(frozen=True, slots=True)
class ShownShape:
    """A memory under its number in the block; None for one that is gone."""

    number: int
    memory: MemoryShape | None
    legs: list[str]
    fit: float
    reasons: list[ReasonShape]


@dataclass(frozen=True, slots=True)
class LeftOutShape:
    """How many were left out for one reason, and some of them."""

    reason: str
    count: int
    examples: list[MemoryShape]


@dataclass(frozen=True, slots=True)
class RecallShape:
    """One recall."""

    shown: list[ShownShape]
    left_out: list[LeftOutShape]
    legs: Sequence[LegReport]
    silence: str
    worth: float | None
    tokens: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class RecallReportShape:
    """The recalls of a turn and the block, exactly as the model was shown it."""

    question: str
    at: float
    owner: str
    owner_name: str
    owner_kind: ScopeKind
    recalls: list[RecallShape]
    block: str
    why_masked: str
