"""Chinese."""

import re

from ...text.time.rule import rules_in
from ...text.traditional import SIMPLIFIED
from ..language import Language
from . import clock, dates, days, festivals, periods, weekdays, words
from .learning import LEARNING
from .statements import STATEMENTS, WISHES

LANGUAGE = Language(
    "zh",
    script=re.compile("[\u4e00-\u9fff]"),
    unit=re.compile("[\u4e00-\u9fff]"),
    stop_words=words.STOP_WORDS,
    function_characters=words.FUNCTION_CHARACTERS,
    lone_word=words.LONE_WORD,
    markers=words.MARKERS,
    statements=STATEMENTS,
    wishes=WISHES,
    # 呢 and 么 end as many statements: 我在上班呢, 没什么.
    question_ends=("吗",),
    everyday=words.EVERYDAY,
    nobody=frozenset({"用户", "该用户", "提问者"}),
    possessive=words.POSSESSIVE,
    kin=words.KIN,
    genitives=words.GENITIVES,
    sample=words.SAMPLE,
    block=words.BLOCK,
    learning=LEARNING,
    media=words.MEDIA,
    times=rules_in(dates, periods, festivals, weekdays, days, clock),
    times_before=days.BEFORE,
    times_after=days.AFTER,
    folding=SIMPLIFIED,
    time_joining=days.JOINING,
)
