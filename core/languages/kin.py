"""Relatives, friends and pets by one name each, however they are called. Pure."""

import re
from collections.abc import Iterator
from functools import cache

from .registry import languages
from .scripts import in_one_script

_ANIMALS = frozenset({"dog", "cat", "rabbit", "hamster"})


def kin_of(words: str) -> str:
    """What somebody is to the speaker, by the words that name them; "" if these name nobody."""
    plain = in_one_script(words.strip())
    return next((name for name, pattern, _ in _kin() if pattern.fullmatch(plain)), "")


def kin_in(text: str) -> frozenset[str]:
    """All whom it names by what they are to somebody, by one name each; a compound by its own."""
    said = in_one_script(text)
    found = ((name, each) for name, _, kin in _kin() for each in kin.finditer(said))
    return frozenset(f"{each[1]}{name}{each[2]}".lower() for name, each in found)


def animal_in(words: str) -> str:
    """The word for a pet that a thing ends with: 橘猫, of "grey cat" the cat; "" for none."""
    ends = (words[place:] for place in range(len(words)))
    return next((end for end in ends if kin_of(end) in _ANIMALS), "")


def owned_kin(name: str) -> Iterator[tuple[str, str]]:
    """Whose relative somebody is and what they are, if they are called so: Ruth's aunt."""
    for mark in (each for language in languages() for each in language.genitives):
        owner, _, relative = name.partition(mark)
        if kin_of(relative):
            yield owner, relative


def kin_at(text: str) -> str:
    """The word for a relative, friend or pet that a text begins with; "" for none."""
    words = re.split(r"[^\w-]", text.strip(), maxsplit=1)[0]
    # Between ideographs no mark tells where a word ends.
    parts = [words] if words.isascii() else [words[:size] for size in (4, 3, 2, 1)]
    return next((part for part in parts if kin_of(part)), "")


@cache
def _kin() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """Each name with what finds somebody called so alone, and within a text."""
    possessive = "|".join(each.possessive for each in languages() if each.possessive)
    compound = r"((?:[a-z]+-)*)(?<![a-z])(?:{})(?![a-z])((?:-[a-z]+)*)"
    return tuple(
        (
            name,
            re.compile(rf"(?:{possessive})?(?:{called})", re.I),
            re.compile(compound.format(called), re.I),
        )
        for language in languages()
        for name, called in language.kin.items()
    )
