"""Chinese."""

import re

from ...text.traditional import SIMPLIFIED
from ..language import Language
from . import clock, dates, days, festivals, periods, weekdays
from .entity_extraction import chinese_names
from .learning import LEARNING
from .statements import STATEMENTS, WISHES
from .words import (
    BLOCK,
    EVERYDAY,
    FUNCTION_CHARACTERS,
    GENITIVES,
    KIN,
    LONE_WORD,
    MARKERS,
    MEDIA,
    POSSESSIVE,
    SAMPLE,
    STOP_WORDS,
)

LANGUAGE = Language(
    "zh",
    script=re.compile("[\u4e00-\u9fff]"),
    unit=re.compile("[\u4e00-\u9fff]"),
    stop_words=STOP_WORDS,
    function_characters=FUNCTION_CHARACTERS,
    lone_word=LONE_WORD,
    markers=MARKERS,
    names=chinese_names,
    statements=STATEMENTS,
    wishes=WISHES,
    # 呢 and 么 end as many statements: 我在上班呢, 没什么.
    question_ends=("吗",),
    everyday=EVERYDAY,
    nobody=frozenset({"用户", "该用户", "提问者"}),
    possessive=POSSESSIVE,
    kin=KIN,
    genitives=GENITIVES,
    sample=SAMPLE,
    block=BLOCK,
    learning=LEARNING,
    media=MEDIA,
    procedure="“{asked}”是这样做的（做成过 {times} 次）：",
    times=(
        *dates.RULES,
        *periods.RULES,
        *festivals.RULES,
        *weekdays.RULES,
        *days.RULES,
        *clock.RULES,
    ),
    times_before=days.BEFORE,
    times_after=days.AFTER,
    folding=SIMPLIFIED,
    time_joining=days.JOINING,
)
