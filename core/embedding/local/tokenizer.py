"""SentencePiece's unigram tokenizer as XLM-R uses it. Pure.

Kudo, "Subword Regularization" (2018): of all ways to write a word as pieces of the vocabulary,
the one with the largest sum of log probabilities, found by Viterbi's algorithm.
"""

import unicodedata
from collections.abc import Iterator

from .weights import Vocabulary

SPACE = "\u2581"
_UNKNOWN_PENALTY = 10.0
_CHARACTERS_PER_TOKEN = 6


class Tokenizer:
    """Text to piece ids. Any string is accepted; the time is bounded by the limit of tokens."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        control = {vocabulary.begin, vocabulary.end, vocabulary.padding, vocabulary.unknown}
        self._unknown = vocabulary.unknown
        self._scores: list[float] = vocabulary.scores.tolist()
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._replacements = dict(vocabulary.replacements) | {ord(SPACE): " "}
        # Control pieces must not be written by a user: "</s>" in a text is four characters.
        self._ids = {
            piece: number
            for number, piece in enumerate(vocabulary.pieces)
            if number not in control and piece != "<mask>"
        }
        self._longest: dict[str, int] = {}
        for piece in self._ids:
            self._longest[piece[0]] = max(len(piece), self._longest.get(piece[0], 0))

    def ids(self, text: str, limit: int) -> list[int]:
        """At most `limit` piece ids of `text`, without begin and end marks."""
        found: list[int] = []
        for word in self._words(text, limit * _CHARACTERS_PER_TOKEN):
            found += self._pieces(word)
            if len(found) >= limit:
                break
        return found[:limit]

    def _words(self, text: str, longest: int) -> Iterator[str]:
        """Normalised words, each after a space mark: no piece reaches across a space."""
        composed = unicodedata.normalize("NFC", text[:longest])
        # A single character may become eighteen.
        plain = composed.translate(self._replacements)[:longest]
        for word in plain.split():
            yield SPACE + word

    def _pieces(self, word: str) -> list[int]:
        last = self._last_pieces(word)
        found: list[int] = []
        end = len(word)
        while end > 0:
            start, number = last[end]
            # Neighbouring unknown characters are one unknown piece.
            if number != self._unknown or found[-1:] != [number]:
                found.append(number)
            end = start
        return found[::-1]

    def _last_pieces(self, word: str) -> list[tuple[int, int]]:
        """For each prefix of `word`: where the last piece of its best reading starts, its id."""
        size = len(word)
        best = [float("-inf")] * (size + 1)
        best[0] = 0.0
        last = [(0, self._unknown)] * (size + 1)
        for start in range(size):
            reached = best[start]
            if reached + self._unknown_score > best[start + 1]:
                best[start + 1] = reached + self._unknown_score
                last[start + 1] = (start, self._unknown)
            longest = min(self._longest.get(word[start], 0), size - start)
            for end in range(start + 1, start + longest + 1):
                number = self._ids.get(word[start:end])
                if number is None:
                    continue
                score = reached + self._scores[number]
                if score > best[end]:
                    best[end] = score
                    last[end] = (start, number)
        return last
