"""Failures in the caller's language: where, of what sort, and in which words they came."""

from collections.abc import Mapping

from ...core.model.errors import INSTALL
from ...core.model.redaction import masked
from ...core.text.quoting import quoted
from .request import Request

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
