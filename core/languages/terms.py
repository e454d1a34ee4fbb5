"""Index terms for any language, and the part of a text that has most of a question's. Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, reduce

from ..text.quoting import IDEOGRAPHIC, folded
from .registry import languages

SINGLE = "_"
"""What marks a single character, so that only words of one character ask for it."""

TERMS_VERSION = 2
INDEX_VERSION = 4

# Vowel signs, points and accents belong to their word; variation selectors to no word.
_MARKS = "".join(
    chr(code) for code in range(0x300, 0xFE00) if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
_RUN = re.compile(rf"([{IDEOGRAPHIC}]+)|((?:(?![{IDEOGRAPHIC}])[^\W_][{_MARKS}]*)+)")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_ONE_CHARACTER = re.compile(rf"[\W_]*(?P<word>{_HAN.pattern})[\W_]*")
_LONGEST_TERM = 40
_SHORT = 400
"""Characters of a text whose terms are kept: a recall asks several times for those of one line."""


@cache
def stop_words() -> frozenset[str]:
    """Function words of every language, as the index sees them."""
    stem = _stemming()
    return frozenset(stem(word) for language in languages() for word in language.stop_words)


def terms(text: str) -> list[str]:
    """Index terms of `text` in order, repetitions kept. A lone ideograph is its own term."""
    return _terms(folded(text))


def index_terms(text: str) -> list[str]:
    """The `terms`, and each Han character that carries meaning once: what a text is found by."""
    said = folded(text)
    single = with_meaning(_HAN.findall(said))
    return [*_terms(said), *sorted(character + SINGLE for character in single)]


def query_terms(text: str) -> list[str]:
    """Distinct terms to search for; words of one character are terms of their own.

    Function words are among them, the last: what a term tells its rarity says, in every language.
    """
    said = folded(text)
    alone = [word + SINGLE for word in _lone_words(said)]
    every = dict.fromkeys([*_terms(said), *alone])
    return sorted(every, key=lambda term: not carries_meaning(term))


def content_terms(text: str) -> frozenset[str]:
    """Terms that carry meaning; empty for a text of function words only."""
    return _kept_content(text) if len(text) <= _SHORT else with_meaning(terms(text))


@lru_cache(8_192)
def _kept_content(text: str) -> frozenset[str]:
    return with_meaning(terms(text))


def with_meaning(among: Iterable[str]) -> frozenset[str]:
    """Those that carry meaning. As `carries_meaning`, without two calls for each term."""
    stop, apart = stop_words(), _function_characters().isdisjoint
    return frozenset(term for term in among if term not in stop and apart(term))


def carries_meaning(term: str) -> bool:
    """Whether an index term is more than a function word or a piece of one."""
    # A bigram with a pronoun or particle in it mostly spans a word boundary.
    return term not in stop_words() and _function_characters().isdisjoint(term)


@cache
def _function_characters() -> frozenset[str]:
    return frozenset("".join(language.function_characters for language in languages()))


@cache
def _lone_word_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each.lone_word) for each in languages() if each.lone_word)


def _lone_words(said: str) -> list[str]:
    """Words of one character in a `folded` text, by what stands beside them, or by nothing."""
    if whole := _ONE_CHARACTER.fullmatch(said):
        return [whole["word"]]
    return [match["word"] for each in _lone_word_patterns() for match in each.finditer(said)]


@cache
def _stemming() -> Callable[[str], str]:
    """The stemmers of all languages one after another; each leaves alone what is not its own."""
    stemmers = [language.stem for language in languages() if language.stem is not None]
    if len(stemmers) == 1:
        return stemmers[0]
    return lambda word: reduce(lambda stemmed, stem: stem(stemmed), stemmers, word)


def _terms(text: str) -> list[str]:
    stem = _stemming()
    found: list[str] = []
    for ideographs, word in _RUN.findall(text):
        if word:
            found.append(stem(word[:_LONGEST_TERM]))
        elif len(ideographs) == 1:
            found.append(ideographs)
        else:
            found += map(str.__add__, ideographs, ideographs[1:])
    return found


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
