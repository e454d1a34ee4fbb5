"""How English speakers ask for an attribute of a person, by its noun or by what somebody does.

A question with "should", "can" or "need" asks for advice: no fact answers it. Pure.
"""

import re

from ...text.lazy_pattern import lazy_pattern
from ..attribute_question import AttributeQuestions
from .attribute_activities import ACTIVITIES
from .attribute_nouns import NOUNS
from .attribute_vocabulary import OCCASION, OTHERS, WORDS
from .attribute_words import (
    ADJECTIVE,
    ADVERB,
    BE,
    DO,
    DOING,
    HOW,
    KIN,
    ME,
    SORT,
    WHO,
    WHOSE,
    keyed,
)
from .phrases import phrases

_NOUN = rf"(?P<noun>{'|'.join(noun for _, noun in NOUNS)})"
_ABOUT = "(?: called| named| like| about| on| in| with| from| of| for)?"

_FRAMES = (
    # What is my address, what's the name of my cat, when is Ann's birthday.
    rf"{HOW}{BE} (?:it that )?(?:the names? of )?{WHOSE} {ADJECTIVE}{_NOUN}{_ABOUT}",
    # (do you know) what my address is
    rf"{HOW} {WHOSE} {ADJECTIVE}{_NOUN} (?:is|was|are|were){_ABOUT}",
    # Which gym do I go to, how many cats have I got.
    rf"(?:what|which|how many) {SORT}{ADJECTIVE}{_NOUN} {DO} {WHO}(?: {ADVERB}{DOING})?",
    # (tell me) which gym I go to
    rf"(?:what|which|how many) {SORT}{ADJECTIVE}{_NOUN} {ME} {ADVERB}{DOING}",
    # Who supplies our internet.
    rf"who (?:supplies|provides|does|runs|cuts|fixes) {WHOSE} {ADJECTIVE}{_NOUN}",
    # Do I have a car, have I got any animals at home.
    rf"(?:do|does|have|has) {ME} {ADVERB}(?:(?:have|got|own|keep|have got) )?(?:(?:any|an?"
    rf"|some) )?"
    rf"{ADJECTIVE}{_NOUN}(?: at home| at all)?",
)

ATTRIBUTES = AttributeQuestions(
    frames=tuple(map(phrases, _FRAMES)),
    nouns=keyed(NOUNS),
    patterns=keyed(ACTIVITIES),
    advice=lazy_pattern(r"\b(?:should i|for the best|worth it)\b", re.I),
    lead=phrases(
        r"(?:(?:hey|hi|so|ok|okay|well|and|but|oh|um|by the way|btw|please|quick question|sorry"
        r"|wait|bot|again|remind me|tell me|say|can you (?:tell|remind) me|could you (?:tell"
        r"|remind) me"
        r"|do you (?:still )?(?:know|remember|recall)|i (?:forgot|forget|can['’]?t remember)"
        r"|any idea"
        r"|what was it again|guess|do you happen to know)\b[ ,:]*)+"
    ),
    trailing=phrases(
        r"(?:[ ,](?:now|again|then|these days|at the moment|currently|right now|at present|today"
        r"|anyway"
        r"|nowadays|still|please|exactly|any ?more|as of now|lately|originally|before|earlier"
        r"|previously"
        r"|back then|once|in the past|beforehand|long ago|before (?:this|that)(?: one)?"
        r"|before now|remember|actually|atm|do you know|do you remember))+$"
    ),
    speaker=lazy_pattern(r"(?:i|we|my|our|me|us|mine|ours|my (?:body|health))?", re.I),
    possessive=lazy_pattern(r"['’]s?$"),
    words=keyed((keys, rf"\b(?:{words})\b") for keys, words in WORDS),
    occasion=OCCASION,
    theirs=phrases(rf"\b(?P<who>(?:my|our) (?:{KIN}))\b(?:['’]s)?"),
    others=OTHERS,
)
