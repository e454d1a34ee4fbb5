"""What English speakers say about themselves, as patterns over single clauses. Pure."""

import re

from ...model.intentions import IntentionType
from ...model.memory import Facet, Kind, Mood
from ...text.lazy_pattern import lazy_pattern
from ..extraction_rule import ExtractionRule
from .kin import WIDER_FAMILY
from .phrases import phrases

KIN = (
    f"(?:{'|'.join(WIDER_FAMILY.values())}|mother|mom|mum|father|dad|wife|husband|partner"
    "|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kid|baby"
    "|brother|sister|grandma|grandmother|grandpa|grandfather|roommate|flatmate|cat|dog|puppy"
    "|kitten|rabbit|hamster|parrot)"
)
_ADVERB = (
    "(?:really|also|still|always|absolutely|just|totally|especially|actually|truly|particularly"
    "|mostly|currently|now|both|only|definitely|recently|usually|quite|kind of|very much)"
)
_ADVERBS = rf"(?:{_ADVERB} )*"
_DEICTIC = (
    "(?:it|that|this|these|those|you|your|yours|him|her|his|them|their|how|when|what|where|why|who"
    "|the|all the|to$|to (?:think|say|believe|know|see|be|hear)|myself|so|as|one|being here|seeing"
    "|hearing)"
)
SOMETHING = rf"(?P<x>(?!{_DEICTIC}\b)(?:(?!\byour?\b)[^,.]){{2,60}})"
_NUMBER = "(?:an?|one|two|three|four|five|six|some|several|[0-9]+)"
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|weds?|thur?s?|fri|sat)"
WHEN = (
    rf"(?:tonight|tomorrow|next \w+|this (?:weekend|summer|winter|autumn|fall|spring|{_DAY})"
    rf"|(?:(?:on|by|before|for) )?{_DAY},? (?:the )?\d+(?:st|nd|rd|th)?(?:(?: of)? {_MONTH})?"
    rf"|(?:(?:on|by|before|for) )?{_DAY}|(?:(?:on|by|for) )?the \d+(?:st|nd|rd|th)(?: of {_MONTH})?"
    r"|(?:(?:by|before|at) )?(?:the )?end of (?:the|this|next) (?:week|month|year)"
    r"|in (?:a few|a couple of|two|three|\d+) (?:days|weeks|months|years)"
    rf"|in {_MONTH}|(?:(?:on|by|for) )?{_MONTH} \d+(?:st|nd|rd|th)?|later this \w+"
    rf"|(?:(?:on|by|for) )?\d+(?:st|nd|rd|th)? {_MONTH})"
)
"""A time to come."""
ERRAND = (
    "(?:bed|sleep|say|ask|tell|be honest|need|have to|assume|guess|try|let|go now|lunch|dinner"
    "|work now|see|check|look|take a (?:look|nap|shower|break)|keep|stop|miss|do (?:it|that|this)"
    "|need|use|show|send|share|point|add|pass|the|it|that|this)"
)
_PERSON_NAME = (
    r"(?P<x>(?!not\b|a\b|an\b|the\b|on\b|in\b|what\b|when\b|if\b|it\b|back\b|later\b|crazy\b|old\b)"
    r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,2}?)"
)
_STATE = (
    "(?:vegan|vegetarian|married|single|pregnant|diabetic|divorced|retired|engaged|left-handed"
    "|colou?r-?blind|deaf|gluten|lactose|coeliac|celiac|asthmatic|bilingual|unemployed"
    "|self-employed)"
)
_PET_OR_KIN = rf"(?:{KIN}s?|children|kids|puppies|fish|turtle|bird|horse|twins|allergy|siblings)"
_AM = "(?:i am|i['’]m)"
_WE_ARE = "(?:i am|i['’]m|we are|we['’]re)"

LEAD = lazy_pattern(
    r"(?:(?:well|so|oh|hey|hi|hello|btw|by the way|actually|also|and|but|because|since|honestly"
    r"|yeah|yes|yep|no|nope|fyi|ok|okay|um+|uh+|ah|anyway|besides|plus|then|sure|thanks|sorry"
    r"|just so you know|for the record|in fact|to be honest|tbh|personally|correction|although"
    r"|though|while)\b[\s,]+)+",
    re.I,
)
"""Words that open a clause without changing what it says."""

REMEMBER = lazy_pattern(
    r"(?:please\s+|can you\s+|you should\s+|always\s+)*"
    r"(?:remember\s+that\b|don['’]t\s+forget\s+that\b|keep\s+in\s+mind(?:\s+that\b)?"
    r"|(?:make\s+a\s+)?note(?:\s+down)?\s+that\b|(?:please\s+)?remember(?=\s+(?:i|my|i['’]m)\b)"
    r"|please\s+remember\b(?!\s+(?:to|when|how|me|it|this)\b)|remember\s+this$)"
    r"\s*(?P<x>.*)",
    re.I,
)
"""A request to remember what follows."""

BEFORE_THING = lazy_pattern(r"(?!)")
NO_THING = lazy_pattern(r"(?:my|our|to|all|being)\b|(?:\S+\s+){3}", re.I)
"""What names no thing, but describes one or says more."""

RULES: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "name",
        phrases(rf"my (?:full |first |last )?name(?: is|['’]s) {_PERSON_NAME}"),
        0.85,
        thing="person",
        cues=("what is the name", "who is"),
        slot="name",
    ),
    ExtractionRule(
        "kin name",
        phrases(rf"my {KIN}(?:['’]s name is|(?: is|['’]s) (?:called|named)) {_PERSON_NAME}"),
        0.75,
        thing="person",
        cues=("what is the name",),
        slot="name",
    ),
    ExtractionRule(
        "call me",
        phrases(
            r"(?:please )?(?:(?:you can|from now on)(?: please)? )?(?:just )?call me "
            rf"{_PERSON_NAME}(?: from now on| please)?"
        ),
        0.85,
        facet=Facet.INSTRUCTION,
        thing="person",
        template="{who} wants to be called {x}",
        cues=("what is the name", "how to address"),
        to_bot=True,
        slot="nickname",
    ),
    ExtractionRule(
        "birthday",
        phrases(
            rf"my (?:{KIN}['’]s )?birthday(?: is|['’]s) (?:on )?(?:the )?"
            rf"(?P<x>[^,.]*(?:{_MONTH}|\d[-/]\d)[^,.]*)"
        ),
        0.85,
        cues=("when is the birthday", "date of birth"),
        slot="birthday",
    ),
    ExtractionRule(
        "age",
        phrases(
            rf"(?:{_AM}|my {KIN}(?: is|['’]s)) (?:already |now |almost )?"
            r"(?P<x>\d{1,3}(?: years old)?)(?: now)?"
        ),
        0.65,
        cues=("how old", "age"),
        slot="age",
    ),
    ExtractionRule(
        "allergy",
        phrases(rf"(?:{_AM}|my {KIN}(?: is|['’]s)) {_ADVERBS}(?:\w+ly )?allergic to {SOMETHING}"),
        0.9,
        thing="thing",
        cues=("allergies", "must not eat"),
        slot="allergy",
    ),
    ExtractionRule(
        "state",
        phrases(
            rf"(?:{_AM}|my {KIN}(?: is|['’]s)) {_ADVERBS}(?P<x>{_STATE}(?:[ -][^,.]{{2,30}})?)"
        ),
        0.7,
        cues=("about the person",),
        slot="state",
    ),
    ExtractionRule(
        "origin",
        phrases(
            rf"(?:{_AM} (?:originally )?from|i come from|i was born in|i grew up in) {SOMETHING}"
        ),
        0.7,
        thing="place",
        cues=("where from", "home town"),
        slot="home_town",
    ),
    ExtractionRule(
        "identity",
        phrases(
            rf"(?:{_AM}|my {KIN}(?: is|['’]s)) {_ADVERBS}an? "
            r"(?P<x>(?!bit|little|lot|few|tad|mess|moron|idiot|genius|fan|big|huge|total|complete|hot|bad|good|terrible|horrible|failure|fool"
            r"|man of|person|firm|believer|joke|wreck|sucker|goner|human|day|hundred)"
            r"\w[\w-]*(?: \w[\w'’-]*){0,5})"
        ),
        0.65,
        cues=("occupation", "what does the person do"),
        slot="job",
    ),
    ExtractionRule(
        "home",
        phrases(
            rf"(?:i {_ADVERBS}live|my {KIN} lives|{_AM} (?:\w+ )?based"
            rf"|i {_ADVERBS}moved)"
            r" (?:in|near|at|to|outside|with) "
            r"(?P<x>(?!fear|hope|constant|the moment|a world|a house|tears"
            r"|(?:it|that|this|you|him|her|them)\b)[^,.]{2,50}?)(?: with [^,.]{2,40}?)?"
            rf"(?: and (?:i )?{_ADVERBS}(?:work|study|teach|commute|run|own|drive|am|have)"
            r"\b[^,.]{2,60})?"
        ),
        0.7,
        thing="place",
        cues=("where does the person live", "home"),
        slot="residence",
    ),
    ExtractionRule(
        "work",
        phrases(
            rf"(?:i {_ADVERBS}(?:work|study|teach)|my {KIN} (?:works|studies|teaches)"
            rf"|{_AM} (?:working|studying|employed))"
            r" (?:at|for|in|as) (?P<x>(?!the (?:morning|evening|afternoon)|progress|this|that|it\b"
            r"|you\b|least|first|all\b|peace)[^,.]{2,50})"
        ),
        0.7,
        thing="organization",
        cues=("job", "where does the person work"),
        slot="workplace",
    ),
    ExtractionRule(
        "favourite",
        phrases(
            r"my (?:all-time )?favou?rite (?:\w+ ){1,4}(?:is|are) (?P<x>(?!when|how|that|this|you)"
            r"[^,.]{2,50})"
        ),
        0.7,
        facet=Facet.PREFERENCE,
        mood=Mood.POSITIVE,
        thing="thing",
        cues=("favourite", "likes"),
        slot="favourite",
    ),
    ExtractionRule(
        "dislike",
        phrases(
            rf"(?:i {_ADVERBS}(?:hate|dislike|detest|can['’]?t stand|(?:don['’]t|do not) {_ADVERBS}"
            rf"(?:like|enjoy|eat|drink))|my {KIN} (?:hates|dislikes|doesn['’]t like)) {SOMETHING}"
        ),
        0.65,
        facet=Facet.PREFERENCE,
        mood=Mood.NEGATIVE,
        thing="thing",
        cues=("dislikes", "hates"),
        slot="like",
        denies=True,
    ),
    ExtractionRule(
        "like",
        phrases(
            rf"(?:i {_ADVERBS}(?:like|love|enjoy|adore|prefer)|my {KIN} {_ADVERBS}"
            rf"(?:likes|loves|enjoys|prefers)) {SOMETHING}"
        ),
        0.6,
        facet=Facet.PREFERENCE,
        mood=Mood.POSITIVE,
        thing="thing",
        cues=("likes", "enjoys", "favourite"),
        slot="like",
    ),
    ExtractionRule(
        "has",
        phrases(
            rf"i(?:['’]ve)? {_ADVERBS}(?:have|own|adopted|got) {_NUMBER} "
            rf"(?P<x>(?:[\w-]+ ){{0,3}}{_PET_OR_KIN}"
            r"(?: who [^,.]{2,30})?)(?: (?:named|called)"
            r" (?P<called>[^\W\d_][\w'’.-]*(?: (?!who|and|that)[^\W\d_][\w'’.-]*)?)"
            r"(?: who [^,.]{2,30})?)?"
        ),
        0.7,
        cues=("pets", "family"),
        slot="pet",
    ),
    ExtractionRule(
        "instruction",
        phrases(
            r"(?:(?:please|from now on|in (?:the )?future)[, ]+(?:always|never|don['’]t|do not|stop"
            r"|only|keep)|from now on"
            r"|(?:always|never)(?= (?:answer|reply|call|use|speak|respond|write|address|talk)))\b "
            r"(?P<x>(?!mind|forget|worry|again|be sorry|i\b|it\b)[^,.]{3,80})"
        ),
        0.85,
        facet=Facet.INSTRUCTION,
        template="{who}'s request to the bot: {clause}",
        cues=("instructions", "how to answer"),
        to_bot=True,
    ),
    ExtractionRule(
        "intention",
        phrases(
            rf"(?:(?:i|we) {_ADVERBS}plan (?:to|on)|{_WE_ARE} {_ADVERBS}planning (?:to|on)"
            rf"|(?:i|we) {_ADVERBS}intend to|{_WE_ARE} {_ADVERBS}going to)"
            rf" (?P<x>(?!{ERRAND}\b)(?:(?!\byour?\b)[^,.]){{3,70}})"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("plans", "intends to"),
    ),
    ExtractionRule(
        "own decision",
        phrases(
            r"(?:i['’]ve|i have|i)(?: just| finally)? decided to"
            rf" (?P<x>(?!{ERRAND}\b)(?:(?!\byour?\b)[^,.]){{3,70}})"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("plans", "intends to"),
        intention=IntentionType.DECISION,
    ),
    ExtractionRule(
        "dated plan",
        phrases(
            r"(?:(?:i|we)['’]ll|(?:i|we) will|(?:i|we) (?:really )?want to|(?:i|we) need to"
            rf"|(?:i|we) have to|{_WE_ARE} \w+ing)"
            rf" (?P<x>(?!{ERRAND}\b)(?:(?!\byour?\b)[^,.]){{0,60}}\b{WHEN}(?: [^,.]{{1,30}})?)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("plans", "upcoming"),
    ),
)
"""Tried in order; the first that matches a clause reads it."""
