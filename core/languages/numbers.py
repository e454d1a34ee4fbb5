"""Numbers in a text however they are written: 28, 二十八, twenty-eight, May. Pure."""

import re

from ..text.quoting import normalise
from .en.dates import MONTHS
from .en.numerals import ENGLISH, english_number
from .han_numerals import NUMBER, chinese_number

_WORDS = "|".join(
    sorted(
        (
            word
            for word in ENGLISH
            if not word.startswith("a") and word not in ("couple", "dozen", "half a dozen")
        ),
        reverse=True,
    )
)
_DIGITS = r"\d+(?:\.\d+)?"
_TENS = "(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
_COMPOUND = rf"{_TENS}-(?:one|two|three|four|five|six|seven|eight|nine)"

NUMBER_EN = rf"(?:{_DIGITS}|\b(?:{_COMPOUND}|{_WORDS})\b)"
NUMBER_ZH = rf"(?:{_DIGITS}|{NUMBER})"
"""Regular expressions of one number."""

_NAMED = f"(?:{'|'.join(MONTHS)})[a-z]*"
_MONTH = re.compile(rf"\b{_NAMED}(?= \d)|(?<=\d ){_NAMED}")
_COUNTED_ZH = re.compile(rf"(?!一[只条个辆套位名]){NUMBER}(?=[岁月日号点年只条个辆套位名头匹厘公])")
_COUNTED_EN = re.compile(rf"\b(?!one\b)(?:{_COMPOUND}|{_WORDS})\b")
_DAY = re.compile(r"(?<=\d)号")
_ANY = re.compile(rf"{NUMBER_EN}|{NUMBER_ZH}")


def in_digits(text: str) -> str:
    """Normalised, with counted numbers and the days of months in digits."""
    plain = _COUNTED_ZH.sub(lambda found: _number(found.group()), normalise(text))
    return _DAY.sub("日", _COUNTED_EN.sub(lambda found: _number(found.group()), plain))


def numbers(text: str) -> tuple[float, ...]:
    """Every number of a text in ascending order; a month beside a day counts as its number."""
    plain = _MONTH.sub(lambda found: str(MONTHS[found.group()[:3]]), normalise(text).strip())
    return tuple(sorted(float(_number(found)) for found in _ANY.findall(plain)))


def _number(text: str) -> str:
    if text[0].isascii() and text[0].isdigit():
        return text
    try:
        return str(english_number(text) if text.isascii() else chinese_number(text))
    except ValueError:
        return "-1"
