"""Relatives, friends and pets by one name each, however they are called. Pure."""

import re
from functools import cache

from .registry import languages


def kin_of(words: str) -> str:
    """What somebody is to the speaker, by the words that name them; "" if these name nobody."""
    plain = words.strip()
    return next((name for name, pattern in _kin() if pattern.fullmatch(plain)), "")


@cache
def _kin() -> tuple[tuple[str, re.Pattern[str]], ...]:
    possessive = "|".join(each.possessive for each in languages() if each.possessive)
    return tuple(
        (name, re.compile(rf"(?:{possessive})?(?:{called})", re.IGNORECASE))
        for language in languages()
        for name, called in language.kin.items()
    )
