"""Chinese."""

from ...text.lazy_pattern import lazy_pattern
from ...text.traditional import SIMPLIFIED
from ..extraction_rule import ExtractionRules
from ..language import Language
from . import (
    attributes,
    beside,
    changes,
    clock,
    contrasts,
    dates,
    days,
    extraction_rules,
    facts,
    festivals,
    intentions,
    names_and_signs,
    namings,
    others,
    periods,
    pronouns,
    replacements,
    self_description,
    third_person,
    weekdays,
)
from .block import BLOCK
from .entity_extraction import chinese_names
from .events import EVENTS
from .function_words import EVERYDAY, FUNCTION_CHARACTERS, LONE_WORD, STOP_WORDS
from .kin import KIN, POSSESSIVE, WORDS
from .learning import LEARNING
from .markers import MARKERS
from .media import MEDIA
from .reports import REPORTS
from .sample import SAMPLE
from .surnames import given_name

LANGUAGE = Language(
    "zh",
    script=lazy_pattern("[\u4e00-\u9fff]"),
    unit=lazy_pattern("[\u4e00-\u9fff]"),
    stop_words=STOP_WORDS,
    function_characters=FUNCTION_CHARACTERS,
    lone_word=LONE_WORD,
    markers=MARKERS,
    names=chinese_names,
    extraction=ExtractionRules(
        (
            *names_and_signs.RULES,
            *self_description.FIRST,
            *extraction_rules.RULES,
            *intentions.RULES,
            *changes.RULES,
            *facts.RULES,
            *self_description.RULES,
            *replacements.RULES,
        ),
        pairs=(*replacements.PAIRS, *self_description.PAIRS),
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
        in_role=("{subject}是{role}", "{subject}是做{role}的"),
        lasts=extraction_rules.subject_lasts,
        holder=changes.HOLDER,
        pronoun=pronouns.PRONOUN,
        somebody=pronouns.SOMEBODY,
        company=pronouns.COMPANY,
        own_kin="我{kin}",
        kin_words=WORDS,
        possessed="{whose}的",
        introduces=pronouns.INTRODUCES,
        others=others.OTHERS,
        omitted=changes.OMITTED,
        speaking="我",
        plural=third_person.PLURAL,
        with_plural="{who}：{clause}",
        no_longer=changes.no_longer,
        takes_back=changes.TAKES_BACK,
        meant=changes.MEANT,
        instead=changes.INSTEAD,
        not_that=changes.NOT_THAT,
        denied=contrasts.DENIED,
        asserted=contrasts.ASSERTED,
        joined=contrasts.JOINED,
        trailing=changes.TRAILING,
        called=namings.CALLED,
        also_called="{who}也叫{x}",
        slots=changes.NOUNS,
        narrowed=changes.narrowed,
    ),
    attributes=attributes.ATTRIBUTES,
    question_ends=("吗", "呢", "么"),
    everyday=EVERYDAY,
    nobody=frozenset({"用户", "该用户", "提问者"}),
    possessive=POSSESSIVE,
    kin=KIN,
    given_name=given_name,
    reports=REPORTS,
    events=EVENTS,
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
    times_before=beside.BEFORE,
    times_after=beside.AFTER,
    folding=SIMPLIFIED,
    time_joining=beside.JOINING,
)
