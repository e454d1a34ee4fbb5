"""English."""

import re

from ..language import Language
from . import clock, dates, days
from .function_words import STOP_WORDS
from .markers import MARKERS
from .stemming import stem

LANGUAGE = Language(
    "en",
    script=re.compile("[A-Za-z\uff21-\uff3a\uff41-\uff5a]"),
    later=True,
    stop_words=STOP_WORDS,
    stem=stem,
    markers=MARKERS,
    times=(*dates.RULES, *days.RULES, *clock.RULES),
    time_joining="to|until|till|through",
)
