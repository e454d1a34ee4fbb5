"""What can be broken, by name; failures since the start; texts of them without keys."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec

HIDDEN = "***"
_SHORTEST = 4
"""Characters of a key that is hidden wherever it occurs; a shorter one is part of other words."""

_PREFIXED = r"\b(?:sk|pk|rk|ak|gsk|xai|hf|ghp|glpat|pat|key|api)[-_][\w-]{12,}"
_OF_A_MAKER = r"\bAIza[\w-]{20,}|\b[0-9a-f]{32}\.\w{12,}"
_HEADER = r"(?<=\bbearer )\s*[^\s'\",;]+|(?<=\bbasic )\s*[A-Za-z0-9+/=]{8,}"
_IN_ADDRESS = r"(?<=://)[^/\s@'\"]+(?=@)"
_NAME = r"api[-_ ]?key|(?:access|auth|chroma)[-_ ]?token|token|secret|password|passwd|authorization"
_NAMED = (
    rf"((?:{_NAME})(?: provided| is)?[\"']?\s*[:=]\s*b?[\"']?(?:bearer\s+)?)"
    r"(?!bearer\b)[^\s\"'&,;}*]{4,}"
)
_KEY_IN_QUERY = r"([?&](?:key|sig|signature|code)=)[^\s\"'&]+"

_SECRETS = re.compile(
    "|".join((_NAMED, _KEY_IN_QUERY, _PREFIXED, _OF_A_MAKER, _HEADER, _IN_ADDRESS)), re.I
)


def masked(text: str, *known: str) -> str:
    """The text without the `known` secrets and without whatever looks like one."""
    for secret in known:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, HIDDEN)
    return _SECRETS.sub(lambda found: f"{found[1] or found[2] or ''}{HIDDEN}", text)


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


@dataclass(frozen=True, slots=True)
class Incident:
    """Failures at one place: how many, when last (Unix seconds), and the last error text."""

    count: int
    last_at: float
    text: str


class Incidents:
    """Counts failures by place. Bounded by the number of places."""

    def __init__(self) -> None:
        self._by_place: dict[str, Incident] = {}

    def record(self, place: str, error: BaseException | str, now: float) -> Incident:
        """Count one failure; returns the state after it."""
        words = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        before = self._by_place.get(place)
        incident = Incident((before.count if before else 0) + 1, now, masked(words)[:300])
        self._by_place[place] = incident
        return incident

    def snapshot(self) -> Mapping[str, Incident]:
        """All places that failed, by name."""
        return dict(sorted(self._by_place.items()))
