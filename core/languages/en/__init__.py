"""English."""

import re

from ...text.time.rule import rules_in
from ..language import Language
from . import clock, dates, days, holidays, periods, weekdays, words
from .learning import LEARNING
from .statements import STATEMENTS, WISHES

LANGUAGE = Language(
    "en",
    script=re.compile("[A-Za-z\uff21-\uff3a\uff41-\uff5a]"),
    unit=re.compile("[A-Za-z]{2,}"),
    later=True,
    stop_words=words.STOP_WORDS,
    stem=words.stem,
    markers=words.MARKERS,
    statements=STATEMENTS,
    wishes=WISHES,
    everyday=words.EVERYDAY,
    nobody=frozenset({"user", "the user", "you", "me"}),
    possessive=words.POSSESSIVE,
    kin=words.KIN,
    genitives=words.GENITIVES,
    sample=words.SAMPLE,
    block=words.BLOCK,
    learning=LEARNING,
    media=words.MEDIA,
    times=rules_in(dates, periods, holidays, days, weekdays, clock),
    times_before=days.BEFORE,
    times_after=days.AFTER,
    time_lead=days.LEAD,
    time_joining=days.JOINING,
)
