"""Numbers as they are written out in English. Pure."""

from collections.abc import Mapping

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ENGLISH: Mapping[str, int] = (
    {word: value for value, word in enumerate(_ONES)}
    | {word: 10 * (value + 2) for value, word in enumerate(_TENS)}
    | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a couple": 2, "a dozen": 12}
    | {"couple": 2, "dozen": 12, "half a dozen": 6}
)
"""Words for whole numbers, without compounds."""

NUMBER = (
    r"(?:\d{1,9}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-\w+|"
    + "|".join(word.replace(" ", r"\s+") for word in sorted(ENGLISH, key=len, reverse=True))
    + ")"
)
"""A regular expression for what `english_number` reads."""


def english_number(text: str) -> int:
    """12, twelve, twenty-one or "a couple of". Raises ValueError for what is no number."""
    plain = " ".join(text.split())
    if plain.isdecimal():
        return int(plain)
    if plain in ENGLISH:
        return ENGLISH[plain]
    tens, _, ones = plain.partition("-")
    if tens in _TENS and ones in _ONES[1:10]:
        return ENGLISH[tens] + ENGLISH[ones]
    raise ValueError(f"no number: {text}")
