"""Failures in the caller's language: what broke, where, and what becomes of memory."""

from collections.abc import Mapping, Sequence

from ...core.model.errors import INSTALL, Fault, StorageError
from ...core.model.redaction import masked
from ...core.text.quoting import quoted
from .phrases import Phrases
from .request import Request

BOTH: Sequence[str] = ("zh", "en")

_LEG = " leg"

LONGEST_WORDS = 120

SORTS: Mapping[str, str] = {
    "TimeoutError": "late",
    "EmbeddingUnavailable": "embedder",
    "ModelTimedOut": "late",
    "ModelUnavailable": "model",
    "RerankUnavailable": "reranker",
    "ReplyMalformed": "malformed",
    "BudgetExhausted": "budget",
    "StorageError": "storage",
    "CollectionGone": "storage",
    "SchemaTooNew": "newer",
    "OSError": "storage",
}
"""Names of error classes; whatever is not here is an internal error."""


def not_available(phrases: Phrases, chosen: str, problem: Exception | None) -> str:
    """Memory is not open: by this problem, or because it is still being opened."""

    def told(language: str) -> str:
        opening = phrases.say(language, "command.opening")
        reason = opening if problem is None else _reason(phrases, language, problem)
        return phrases.say(language, "command.unavailable", reason=reason)

    return "\n".join(map(told, languages(chosen)))


def not_done(phrases: Phrases, chosen: str, error: Exception | None) -> str:
    """A command failed by this error, or was cut short."""

    def told(language: str) -> str:
        if not isinstance(error, StorageError):
            return phrases.say(language, "command.failed")
        return phrases.say(language, "command.failed_by", reason=_reason(phrases, language, error))

    return "\n".join(map(told, languages(chosen)))


def languages(chosen: str) -> Sequence[str]:
    """What is spoken while memory cannot be asked what people speak."""
    # What people speak is read from the journal, which may be the very thing that is broken.
    return BOTH if chosen == "auto" else (chosen,)


def reason_of(phrases: Phrases, language: str, fault: Fault, file: str) -> str:
    """What is wrong with a file or a server, and what becomes of it."""
    # A folder is asked through a process of its own, which is no server to the owner.
    if fault is Fault.UNREACHABLE and "://" not in file:
        return phrases.say(language, "file.not_answering", file=file)
    return phrases.say(language, f"file.{fault}", file=file)


def _reason(phrases: Phrases, language: str, error: Exception) -> str:
    if not isinstance(error, StorageError):
        return phrases.say(language, f"file.{Fault.OTHER}")
    return reason_of(phrases, language, error.fault, error.file)


def place(request: Request, name: str) -> str:
    """The part of the plugin that failed."""
    if name.endswith(_LEG):
        leg = request.say(f"leg.{name.removesuffix(_LEG)}")
        return request.say("place.leg", leg=leg)
    return request.named(f"place.{name}", quoted(name, 40))


def failure(request: Request, error: str) -> str:
    """What `Class: words` means, and the words, which nobody has translated, in quotes.

    Of our own advice to install a package nothing is quoted: it can be pasted.
    """
    for package, command in INSTALL.items():
        if command in error:
            return request.say("failure.missing", package=package, command=command)
    name, colon, words = error.removeprefix("TidemarkError: ").partition(": ")
    if not colon or not name.isidentifier():
        name, words = "", error
    words = masked(words)
    sort = request.say(f"failure.{SORTS.get(name, 'other')}")
    words = quoted(words, LONGEST_WORDS)
    return request.say("failure.said", sort=sort, words=words) if words else sort
