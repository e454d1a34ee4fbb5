"""What can be broken, by name. Expected outcomes are values; these are raised."""

from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec

from .redaction import masked

INSTALL: Mapping[str, str] = {
    "chromadb": 'pip install "chromadb>=1.5,<2"',
    "fsrs": "pip install fsrs",
}
"""How to get a package that is optional. An error's text has it as it is: by that the advice is
known from other people's words, which are neutralised before they are shown."""


def installed(package: str) -> bool:
    """Whether it can be imported; it is not imported for that."""
    try:
        return find_spec(package) is not None
    except ValueError:  # something else goes by its name, without telling where it comes from
        return False


class TidemarkError(Exception):
    """Base of every error this plugin raises on purpose. Its words hold no key of anybody's."""

    def __init__(self, *words: object) -> None:
        super().__init__(*(masked(each) if isinstance(each, str) else each for each in words))


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
    LOST = "lost"
    APART = "apart"
    OTHER = "other"


OUTAGES = frozenset(
    {
        Fault.FULL,
        Fault.READ_ONLY,
        Fault.LOCKED,
        Fault.UNREADABLE,
        Fault.UNREACHABLE,
        Fault.REFUSED,
    }
)
"""What passes by itself, or when somebody has seen to the disk or the server."""


class StorageError(TidemarkError):
    """The store or the journal could not do what was asked; nothing was half done.

    `file` is the name of the file or the address, "" if it is not the file's fault.
    """

    def __init__(self, text: str, *, file: str = "", fault: Fault = Fault.OTHER) -> None:
        super().__init__(text)
        self.file = file
        self.fault = fault


class UnreadableRecord(StorageError):
    """A single record is no memory; all others are as they were."""


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
