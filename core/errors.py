"""What can be broken, by name. Expected outcomes are values; these are raised."""

from enum import StrEnum


class TidemarkError(Exception):
    """Base of every error this plugin raises on purpose."""


class MemoryNotFound(TidemarkError):
    """No memory with this id in the scopes that were asked for."""


class Fault(StrEnum):
    """What is wrong with a file of ours, with where it lies, or with a server in its place."""

    DAMAGED = "damaged"
    FOREIGN = "foreign"
    NEWER = "newer"
    FULL = "full"
    READ_ONLY = "read_only"
    LOCKED = "locked"
    UNREADABLE = "unreadable"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    MISSING = "missing"
    OTHER = "other"


class StorageError(TidemarkError):
    """The store or the journal could not do what was asked; nothing was half done.

    `file` is the name of the file or the address, "" if it is not the file's fault.
    """

    def __init__(self, text: str, *, file: str = "", fault: Fault = Fault.OTHER) -> None:
        super().__init__(text)
        self.file = file
        self.fault = fault


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


class BudgetExhausted(TidemarkError):
    """The cap on model calls or tokens of this day is reached."""


class ReplyMalformed(TidemarkError):
    """The model's reply does not fit the contract; `problems` says where."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
