"""English."""

import re

from ..language import Language
from . import clock, dates, days
from .markers import MARKERS

LANGUAGE = Language(
    "en",
    script=re.compile("[A-Za-z\uff21-\uff3a\uff41-\uff5a]"),
    later=True,
    markers=MARKERS,
    times=(*dates.RULES, *days.RULES, *clock.RULES),
    time_joining="to|until|till|through",
)
