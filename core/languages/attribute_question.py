"""How people ask for an attribute of a person. Values only."""

import re
from dataclasses import dataclass

from ..text.lazy_pattern import lazy_pattern

type Keys = tuple[str, ...]
"""Attributes, the likeliest first."""


NOTHING = lazy_pattern(r"(?!)")


@dataclass(frozen=True, slots=True)
class AttributeQuestions:
    """How a language asks for an attribute of a person.

    Where `advice` matches, no fact is asked for. `lead` opens a question without changing it,
    `trailing` ends one so. What is left asks for what a noun stands for, if one of the `frames`
    matches it from start to end, with that as the group `noun`; or for the keys beside one of the
    other `patterns`. The group `who`, where there is one, is whose it is, perhaps with the
    `possessive` after it; `speaker` is what speakers call themselves and what is theirs.

    Speakers may leave out `myself` before what they ask of themselves, "" where they do not; where
    `to_you` is found and nobody is named, the bot is asked.

    A question of another form, if it asks of the speaker's own life and not of an `occasion`, may
    ask for what its `words` are about. `theirs` finds somebody of theirs, as the group `who`, and
    `others` people under whom nothing is kept by what they are.
    """

    frames: tuple[re.Pattern[str], ...]
    nouns: tuple[tuple[re.Pattern[str], Keys], ...]
    patterns: tuple[tuple[re.Pattern[str], Keys], ...]
    advice: re.Pattern[str]
    lead: re.Pattern[str]
    trailing: re.Pattern[str]
    speaker: re.Pattern[str]
    possessive: re.Pattern[str]
    words: tuple[tuple[re.Pattern[str], Keys], ...]
    occasion: re.Pattern[str]
    theirs: re.Pattern[str]
    others: re.Pattern[str]
    myself: str = ""
    to_you: re.Pattern[str] = NOTHING
