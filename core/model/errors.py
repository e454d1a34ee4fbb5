"""What can be broken, by name. Expected outcomes are values; these are raised."""

from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec

from .redaction import masked

INSTALL: Mapping[str, str] = {
    "chromadb": 'pip install "chromadb>=1.5,<2"',
    "fsrs": "pip install fsrs",
}
"""How to install an optional package.

The text of an error holds the command unchanged. By it our own advice is recognised, and shown as
it is; the rest of an error's text is quoted.
"""


def installed(package: str) -> bool:
    """Whether it can be imported, without importing it."""
    try:
        return find_spec(package) is not None
    except ValueError:  # another module took this name and has no spec
        return False


class TidemarkError(Exception):
    """Base of every error this plugin raises on purpose. Keys and tokens are masked in its text."""

    def __init__(self, *words: object) -> None:
        super().__init__(*(masked(each) if isinstance(each, str) else each for each in words))


class MemoryNotFound(TidemarkError):
    """No memory with this id in the scopes that were asked for."""


class Fault(StrEnum):
    """What is wrong with a file of the plugin, with its disk, or with the server used instead."""

    DAMAGED = "damaged"
    FOREIGN = "foreign"
    NEWER = "newer"
    FULL = "full"
    READ_ONLY = "read_only"
    LOCKED = "locked"
    HELD = "held"
    UNREADABLE = "unreadable"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    MISSING = "missing"
    LOST = "lost"
    APART = "apart"
    MOVING = "moving"
    OTHER = "other"


OUTAGES = frozenset(
    {
        Fault.FULL,
        Fault.READ_ONLY,
        Fault.LOCKED,
        Fault.HELD,
        Fault.UNREADABLE,
        Fault.UNREACHABLE,
        Fault.REFUSED,
        Fault.MOVING,
    }
)
"""Faults that pass by themselves, or once the disk or the server has been repaired."""


class StorageError(TidemarkError):
    """The store or the journal could not do what was asked; nothing was half done.

    `file` is the name of the file or the address, "" if it is not the file's fault.
    """

    def __init__(self, text: str, *, file: str = "", fault: Fault = Fault.OTHER) -> None:
        super().__init__(text)
        self.file = file
        self.fault = fault


class UnreadableRecord(StorageError):
    """One stored record cannot be read as a memory; all others are unaffected."""


class SchemaTooNew(StorageError):
    """The file was written by a newer version of the plugin; it is left untouched."""


class EmbeddingUnavailable(TidemarkError):
    """No vector could be had: down, slow, wrong dimension, wrong count, not finite, zero."""


class RerankUnavailable(TidemarkError):
    """Documents could not be judged: the reranker is missing, down, or answers nonsense."""


class RerankResting(RerankUnavailable):
    """The reranker has failed again and again and is left alone for a while; nothing was asked."""


class ModelUnavailable(TidemarkError):
    """The chat model could not be reached or answered nothing; trying later may help."""


class ModelTimedOut(ModelUnavailable):
    """It had not answered when its time was up, by our clock or its server's; less may be read."""


class BudgetExhausted(TidemarkError):
    """The cap on model calls or tokens of this day is reached."""


class ReplyMalformed(TidemarkError):
    """The model's reply does not fit the contract; `problems` says where."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
