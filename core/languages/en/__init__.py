"""English."""

import re

from ..language import Language
from . import clock, dates, days, holidays, periods, time_modifiers, weekdays
from .block import BLOCK
from .function_words import EVERYDAY, STOP_WORDS
from .kin import GENITIVES, KIN, POSSESSIVE
from .learning import LEARNING
from .markers import MARKERS
from .media import MEDIA
from .name_words import NAME_WORDS
from .sample import SAMPLE
from .statements import STATEMENTS, WISHES
from .stemming import stem

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
    times_before=time_modifiers.BEFORE,
    times_after=time_modifiers.AFTER,
    time_lead=time_modifiers.LEAD,
    time_joining=time_modifiers.JOINING,
)
