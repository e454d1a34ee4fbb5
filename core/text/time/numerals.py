"""Numbers as they are written out, in Chinese and English. Pure."""

from collections.abc import Mapping

HAN = "〇零一二两俩三四五六七八九"
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "俩": 2,
}
_POWERS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "廿": 20}

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ENGLISH: Mapping[str, int] = (
    {word: value for value, word in enumerate(_ONES)}
    | {word: 10 * (value + 2) for value, word in enumerate(_TENS)}
    | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a couple": 2, "a dozen": 12}
)
"""Words for whole numbers, without compounds."""

NUMBER = rf"(?:\d{{1,9}}|[{HAN}十廿百千万]{{1,12}})"
"""A regular expression for what `chinese_number` reads."""


def chinese_number(text: str) -> int:
    """一百零三, 二十, 廿三, 二〇二四 or 103. Raises ValueError for what is no number."""
    if text.isdecimal():
        return int(text)
    if len(text) > 1 and all(character in _DIGITS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text))
    total, section, digit = 0, 0, None
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character == "万":
            total, section, digit = (total + section + (digit or 0)) * 10_000, 0, None
        elif character in _POWERS:
            power = _POWERS[character]
            section += power * (1 if digit is None or character == "廿" else digit)
            digit = None
        else:
            raise ValueError(f"no number: {text}")
    return total + section + (digit or 0)


def english_number(text: str) -> int:
    """12, twelve, twenty-one or "a couple of". Raises ValueError for what is no number."""
    if text.isdecimal():
        return int(text)
    if text in ENGLISH:
        return ENGLISH[text]
    tens, _, ones = text.partition("-")
    if tens in _TENS and ones in _ONES[1:10]:
        return ENGLISH[tens] + ENGLISH[ones]
    raise ValueError(f"no number: {text}")
