"""English."""

from ...text.lazy_pattern import lazy_pattern
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
    health,
    holidays,
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
from .events import EVENTS
from .function_words import EVERYDAY, STOP_WORDS
from .kin import KIN, POSSESSIVE, WORDS
from .learning import LEARNING
from .markers import MARKERS
from .media import MEDIA
from .name_words import NAME_WORDS
from .reports import REPORTS
from .sample import SAMPLE
from .stemming import stem

LANGUAGE = Language(
    "en",
    script=lazy_pattern("[A-Za-z\uff21-\uff3a\uff41-\uff5a]"),
    unit=lazy_pattern("[A-Za-z]{2,}"),
    later=True,
    stop_words=STOP_WORDS,
    stem=stem,
    markers=MARKERS,
    name_words=NAME_WORDS,
    extraction=ExtractionRules(
        (
            *names_and_signs.RULES,
            *self_description.FIRST,
            *health.RULES,
            *extraction_rules.RULES,
            *intentions.RULES,
            *changes.RULES,
            *facts.RULES,
            *self_description.RULES,
            *replacements.RULES,
            *intentions.APPOINTMENTS,
        ),
        pairs=replacements.PAIRS,
        lead=extraction_rules.LEAD,
        remember=extraction_rules.REMEMBER,
        told=third_person.told,
        asked=third_person.asked,
        told_request=third_person.asked,
        nameless="The user",
        request="{who} asked to remember: {x}",
        comma=", ",
        holder=changes.HOLDER,
        pronoun=pronouns.PRONOUN,
        somebody=pronouns.SOMEBODY,
        company=pronouns.COMPANY,
        own_kin="my {kin}",
        kin_words=WORDS,
        possessed="{whose}'s ",
        introduces=pronouns.INTRODUCES,
        others=others.OTHERS,
        omitted=changes.OMITTED,
        speaking="i ",
        in_role=("{subject}work as {role}",),
        with_subject="{who} {clause}",
        plural=third_person.PLURAL,
        no_longer=changes.no_longer,
        takes_back=changes.TAKES_BACK,
        meant=changes.MEANT,
        instead=changes.INSTEAD,
        not_that=changes.NOT_THAT,
        trailing=changes.TRAILING,
        called=namings.CALLED,
        also_called="{who} is also called {x}",
        slots=changes.NOUNS,
        narrowed=changes.narrowed,
        before_thing=extraction_rules.BEFORE_THING,
        no_thing=extraction_rules.NO_THING,
    ),
    attributes=attributes.ATTRIBUTES,
    abbreviations=("Dr", "Mr", "Ms", "St", "Mrs"),
    everyday=EVERYDAY,
    nobody=frozenset({"user", "the user", "you", "me"}),
    possessive=POSSESSIVE,
    kin=KIN,
    given_name=namings.given_name,
    reports=REPORTS,
    events=EVENTS,
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
    times_before=beside.BEFORE,
    times_after=beside.AFTER,
    time_lead=beside.LEAD,
    time_joining=beside.JOINING,
)
