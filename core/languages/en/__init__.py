"""English."""

import re

from ..language import Language
from . import clock, dates, days, holidays, periods, weekdays
from .learning import LEARNING
from .statements import STATEMENTS, WISHES
from .words import (
    BLOCK,
    EVERYDAY,
    GENITIVES,
    KIN,
    MARKERS,
    MEDIA,
    NAME_WORDS,
    POSSESSIVE,
    SAMPLE,
    STOP_WORDS,
    stem,
)

LANGUAGE = Language(
    "en",
    script=re.compile("[A-Za-z\uff21-\uff3a\uff41-\uff5a]"),
    unit=re.compile("[A-Za-z]{2,}"),
    later=True,
    stop_words=STOP_WORDS,
    stem=stem,
    markers=MARKERS,
    name_words=NAME_WORDS,
    statements=STATEMENTS,
    wishes=WISHES,
    everyday=EVERYDAY,
    nobody=frozenset({"user", "the user", "you", "me"}),
    possessive=POSSESSIVE,
    kin=KIN,
    genitives=GENITIVES,
    sample=SAMPLE,
    block=BLOCK,
    learning=LEARNING,
    media=MEDIA,
    procedure="“{asked}” was done like this ({times} times):",
    times=(
        *dates.RULES,
        *periods.RULES,
        *holidays.RULES,
        *days.RULES,
        *weekdays.RULES,
        *clock.RULES,
    ),
    times_before=days.BEFORE,
    times_after=days.AFTER,
    time_lead=days.LEAD,
    time_joining=days.JOINING,
)
