"""A memory's index terms as a Chroma document: what a server searches by itself.

The terms are those of every store's index, so scripts are folded, words stemmed and Chinese cut
into pairs of characters; each stands between two spaces, so that asking for a term finds no part
of another. Its kind and the turns it distils are words that no text has.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.languages.terms import SINGLE, index_terms
from ...core.model.memory import Kind
from .quotas import DOCUMENT_BYTES, TEXT_SEARCH_BYTES
from .text import IndexEntry

_KIND = "kind="
_TURN = "turn="
_MARKS = str.maketrans(SINGLE, "~")
"""Chroma takes the index's own mark for any character."""


@dataclass(frozen=True, slots=True)
class IndexedTerms:
    """What a document says: `terms` as `term` writes them, repetitions kept."""

    kind: str
    turns: frozenset[int]
    terms: Sequence[str]


def document(entry: IndexEntry) -> str:
    """Of what does not fit into a document the last terms are left out."""
    words = [f"{_KIND}{entry.kind}", *(f"{_TURN}{turn}" for turn in entry.turns)]
    words += map(term, index_terms(entry.text))
    whole = f" {' '.join(words)} "
    if len(whole.encode()) <= DOCUMENT_BYTES:
        return whole
    # The last word may have been cut in two.
    return whole.encode()[:DOCUMENT_BYTES].decode(errors="ignore").rpartition(" ")[0] + " "


def said(text: str) -> IndexedTerms:
    """The document with this text."""
    kind, turns, terms = "", set[int](), list[str]()
    for word in text.split(" "):
        if word.startswith(_KIND):
            kind = word.removeprefix(_KIND)
        elif word.startswith(_TURN):
            turns.add(int(word.removeprefix(_TURN)))
        elif word:
            terms.append(word)
    return IndexedTerms(kind, frozenset(turns), terms)


def term(index_term: str) -> str:
    """An index term as documents have it."""
    return index_term.translate(_MARKS)


def with_term(term: str) -> Mapping[str, Any]:
    """The filter for documents with a term."""
    return {"$contains": f" {term} "}


def with_turns(turns: Iterable[int]) -> list[Mapping[str, Any]]:
    """Filters that together find the documents of what distils any of these turns."""
    filters: list[str] = []
    for word in (f"{_TURN}{turn}" for turn in turns):
        longer = f"{filters[-1][:-2]}|{word}) " if filters else ""
        if longer and len(longer.encode()) <= TEXT_SEARCH_BYTES:
            filters[-1] = longer
        else:
            filters.append(f" ({word}) ")
    return [{"$regex": each} for each in filters]


def with_kinds(kinds: Iterable[Kind]) -> Mapping[str, Any]:
    """The filter for documents of these kinds."""
    return {"$regex": f" {_KIND}({'|'.join(sorted(kinds))}) "}


def of_kinds(
    found: Mapping[str, IndexedTerms], kinds: Iterable[Kind] | None
) -> dict[str, IndexedTerms]:
    """Those of these kinds, None for all."""
    if kinds is None:
        return dict(found)
    names = {kind.value for kind in kinds}
    return {id: each for id, each in found.items() if each.kind in names}
