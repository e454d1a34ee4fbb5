"""Chinese."""

import re

from ...text.traditional import SIMPLIFIED
from ..language import Language
from . import clock, dates, days, festivals, periods, time_modifiers, weekdays
from .block import BLOCK
from .entity_extraction import chinese_names
from .function_words import EVERYDAY, FUNCTION_CHARACTERS, LONE_WORD, STOP_WORDS
from .kin import GENITIVES, KIN, POSSESSIVE
from .learning import LEARNING
from .markers import MARKERS
from .media import MEDIA
from .sample import SAMPLE
from .statements import STATEMENTS, WISHES

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
    times_before=time_modifiers.BEFORE,
    times_after=time_modifiers.AFTER,
    folding=SIMPLIFIED,
    time_joining=time_modifiers.JOINING,
)
