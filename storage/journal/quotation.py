"""Whether a text quotes what others said, however it was shortened or made safe to show. Pure.

Only letters and digits are compared. A long text is known by any of its pieces, since only a part
of it may be quoted; what has fewer than `SHORTEST` letters tells nothing and is not looked for.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

SHORTEST = 4
PIECE = 24

type Pieces = Mapping[str, frozenset[str]]
"""What to look for, by its first `SHORTEST` letters."""


def pieces_of(texts: Iterable[str]) -> Pieces:
    """Pieces of the texts by which a quotation of them is recognised."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        for piece in _cut(_letters(text)):
            found[piece[:SHORTEST]].add(piece)
    return {start: frozenset(pieces) for start, pieces in found.items()}


def quotes(text: str, pieces: Pieces) -> bool:
    """Whether the text holds one of the pieces."""
    letters = _letters(text)
    starts = {letters[n : n + SHORTEST] for n in range(len(letters) - SHORTEST + 1)}
    return any(piece in letters for start in starts & pieces.keys() for piece in pieces[start])


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def _cut(letters: str) -> list[str]:
    if len(letters) < PIECE:
        return [letters] if len(letters) >= SHORTEST else []
    return [letters[n : n + PIECE] for n in range(0, len(letters) - PIECE + 1, PIECE)]
