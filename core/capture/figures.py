"""Numbers as a memory counts with them, and every reading that they may have. Pure."""

import re
from collections.abc import Mapping

from ..conflict.numbers import numbers
from ..languages.en.numerals import ENGLISH
from ..languages.han_numerals import HAN, chinese_number
from ..text.normalisation import normalise

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_WORDS: Mapping[str, float] = (
    {word: float(value) for word, value in ENGLISH.items() if value > 1 and " " not in word}
    | {word: float(place) for place, word in enumerate(_ORDINALS.split(), 1)}
    | {"once": 1.0, "twice": 2.0, "double": 2.0, "triple": 3.0, "both": 2.0, "pair": 2.0}
    | {"half": 0.5, "hundred": 100.0, "thousand": 1e3, "million": 1e6}
)
_COUNTED = frozenset(
    word for word, value in ENGLISH.items() if value > 1 and " " not in word and word != "couple"
)
_UNITS: Mapping[str, float] = {
    "k": 1e3,
    "m": 1e6,
    "万": 1e4,
    "千": 1e3,
    "百": 1e2,
    "亿": 1e8,
    "%": 0.01,
    "thousand": 1e3,
    "million": 1e6,
    "hundred": 1e2,
    "成": 0.1,
    "折": 0.1,
}
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9_.])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(k\b|m\b|万|千|百|亿|%|thousand|million|hundred)?"
    r"|(?<=[A-Za-z])(\d+)"
)
_HAN_COUNTED = re.compile(
    rf"(?<![第{HAN}十百千万])([{HAN}十廿百千万]{{1,12}})"
    r"(?=[岁年月日号点个只条辆套位名头匹次天周块元斤公千米分小人本部张间种杯层楼所家万亿%])"
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_IDLE = frozenset("一 一二 十 千 万 百 千万 一两 一百 十万 百万".split())
"""Han numerals that mostly count nothing: 一点, 十分, 千万."""

type Readings = Mapping[str, frozenset[float]]


def figures(text: str) -> Readings:
    """The numbers that a text counts with, as they are written, and what each may mean.

    "One" and "a" count nothing, nor do Han numerals inside of other words.
    """
    plain = normalise(text)
    found = {**_digits(plain)}
    for word in _WORD.findall(plain):
        if word in _COUNTED or _is_compound(word):
            found[word] = frozenset(numbers(word))
    for match in _HAN_COUNTED.finditer(plain):
        if match[1] not in _IDLE and (value := _han(match[1])) is not None:
            found[match[1]] = frozenset({value})
    return found


def readings(text: str) -> Readings:
    """Everything in a text that may stand for a number, read in every way."""
    plain = normalise(text)
    words = {word: frozenset({_WORDS[word]}) for word in _WORD.findall(plain) if word in _WORDS}
    han = {
        run: frozenset({value})
        for run in re.findall(rf"[{HAN}十廿百千万]+", plain)
        if (value := _han(run)) is not None
    }
    return {**_digits(plain), **words, **han}


def _digits(plain: str) -> dict[str, frozenset[float]]:
    found: dict[str, frozenset[float]] = {}
    for match in _DIGITS.finditer(plain):
        whole, part, unit, after_letter = match.groups()
        value = float((whole or after_letter).replace(",", "") + (part or ""))
        meant = {value, value * _UNITS[unit]} if unit else {value}
        found[match[0].strip()] = frozenset(meant)
    return found


def _is_compound(word: str) -> bool:
    tens, _, ones = word.partition("-")
    return bool(ones) and tens in _COUNTED and ones in ENGLISH


def _han(run: str) -> float | None:
    try:
        return float(chinese_number(run))
    except ValueError:
        return None
