"""The part of a long memory that has most of a question's terms. Pure."""

import re

from .terms import content_terms

_SENTENCE = re.compile(r"[^。！？!?；;\n.]*[。！？!?；;\n.]*")


def excerpt(text: str, wanted: frozenset[str], limit: int) -> str:
    """At most `limit` characters: those that hold most of the `wanted` terms, else the first.

    Parts begin and end between sentences where these are short; "…" stands for what is left out.
    """
    if len(text) <= limit:
        return text
    pieces = _pieces(text, max(1, limit // 4))
    terms = [content_terms(piece) & wanted for piece in pieces]
    windows = [_end(pieces, start, limit - 2) for start in range(len(pieces))]
    held = [len(frozenset[str]().union(*terms[i:end])) for i, end in enumerate(windows)]
    start = held.index(max(held))
    end = windows[start]
    before, after = "…" if start else "", "…" if end < len(pieces) else ""
    return before + "".join(pieces[start:end]).strip() + after


def _pieces(text: str, longest: int) -> list[str]:
    sentences = (match.group() for match in _SENTENCE.finditer(text))
    return [
        sentence[start : start + longest]
        for sentence in sentences
        for start in range(0, len(sentence), longest)
    ]


def _end(pieces: list[str], start: int, room: int) -> int:
    """Index after the last piece of a window that begins at `start`; at least one piece."""
    end = start
    while end < len(pieces) and (end == start or room >= len(pieces[end])):
        room -= len(pieces[end])
        end += 1
    return end
