"""Relatives, friends and pets by one name each, however they are called. Pure."""

import re
from collections.abc import Iterator
from functools import cache

from ..text.lazy_pattern import lazy_pattern
from .language import Marker
from .markers import marker
from .registry import languages
from .scripts import in_one_script

_SHE = frozenset(
    (
        "mother daughter sister grandmother aunt granddaughter niece mother_in_law daughter_in_law"
        " sister_in_law"
    ).split()
)
_HE = frozenset(
    (
        "father son brother grandfather uncle grandson nephew father_in_law son_in_law"
        " brother_in_law"
    ).split()
)
_IT = frozenset({"dog", "cat", "rabbit", "hamster"})


def kin_of(words: str) -> str:
    """What somebody is to the speaker, by the words that name them; "" if these name nobody."""
    plain = in_one_script(words.strip())
    return next((name for name, pattern in _kin() if pattern.fullmatch(plain)), "")


def kin_names() -> tuple[str, ...]:
    """The names of all relatives, friends and pets that some language knows, each once."""
    return tuple(dict.fromkeys(name for language in languages() for name in language.kin))


def may_be_called(kin: str, pronoun: str) -> bool:
    """Whether "she", "he" or "it" may stand for a relative, friend or pet of this name."""
    if kin in _IT:
        return True
    if pronoun == "it" or kin == "parents":
        return False
    return kin not in (_HE if pronoun == "she" else _SHE)


def owned_kin(name: str) -> Iterator[tuple[str, str]]:
    """Whose relative somebody is and what they are, if they are called so: Ruth's aunt."""
    for mark in (each for language in languages() for each in language.genitives):
        owner, _, relative = name.partition(mark)
        if kin_of(relative):
            yield owner, relative


def called_by_title() -> re.Pattern[str]:
    """Finds whoever is called by a family name and a title, which may be a relative's: 刘姐."""
    return marker(Marker.CALLED, tuple(language.code for language in languages()))


@cache
def _kin() -> tuple[tuple[str, re.Pattern[str]], ...]:
    possessive = "|".join(each.possessive for each in languages() if each.possessive)
    return tuple(
        (name, lazy_pattern(rf"(?:{possessive})?(?:{called})", re.IGNORECASE))
        for language in languages()
        for name, called in language.kin.items()
    )
