"""Chinese."""

import re

from ...text.traditional import SIMPLIFIED
from ..extraction_rule import ExtractionRules
from ..language import Language
from . import (
    attributes,
    beside,
    changes,
    clock,
    dates,
    days,
    extraction_rules,
    facts,
    festivals,
    intentions,
    periods,
    third_person,
    weekdays,
)
from .block import BLOCK
from .entity_extraction import chinese_names
from .events import EVENTS
from .function_words import EVERYDAY, FUNCTION_CHARACTERS, STOP_WORDS
from .kin import KIN, POSSESSIVE
from .learning import LEARNING
from .markers import MARKERS
from .reports import REPORTS
from .sample import SAMPLE

LANGUAGE = Language(
    "zh",
    script=re.compile("[\u4e00-\u9fff]"),
    unit=re.compile("[\u4e00-\u9fff]"),
    stop_words=STOP_WORDS,
    function_characters=FUNCTION_CHARACTERS,
    markers=MARKERS,
    names=chinese_names,
    extraction=ExtractionRules(
        (*extraction_rules.RULES, *intentions.RULES, *changes.RULES, *facts.RULES),
        lead=extraction_rules.LEAD,
        remember=extraction_rules.REMEMBER,
        told=third_person.told,
        asked=third_person.asked,
        told_request=third_person.told,
        nameless="用户",
        request="{who}要求记住：{x}",
        comma="，",
        before_thing=extraction_rules.BEFORE_THING,
        no_thing=extraction_rules.NO_THING,
        subject=extraction_rules.SUBJECT,
        own="我",
        lasts=extraction_rules.subject_lasts,
        holder=changes.HOLDER,
        omitted=changes.OMITTED,
        speaking="我",
        no_longer=changes.no_longer,
        takes_back=changes.TAKES_BACK,
        meant=changes.MEANT,
        trailing=changes.TRAILING,
        slots=changes.NOUNS,
        narrowed=changes.narrowed,
    ),
    attributes=attributes.ATTRIBUTES,
    question_ends=("吗", "呢", "么"),
    everyday=EVERYDAY,
    nobody=frozenset({"用户", "该用户", "提问者"}),
    possessive=POSSESSIVE,
    kin=KIN,
    reports=REPORTS,
    events=EVENTS,
    sample=SAMPLE,
    block=BLOCK,
    learning=LEARNING,
    times=(
        *dates.RULES,
        *periods.RULES,
        *festivals.RULES,
        *weekdays.RULES,
        *days.RULES,
        *clock.RULES,
    ),
    times_before=beside.BEFORE,
    times_after=beside.AFTER,
    folding=SIMPLIFIED,
    time_joining=beside.JOINING,
)
