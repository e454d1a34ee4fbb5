"""How English speakers ask for what is kept of somebody, by what it is called and what they do.

A question with "should", "can" or "need" asks for advice: no fact answers it. Pure.
"""

import re
from collections.abc import Iterable

from ..attribute_question import AttributeQuestions, Keys
from .attribute_nouns import NOUNS

_KIN = (
    r"(?:grand)?(?:mother|father|ma|pa|mum|mom|dad)|parents|wife|husband|partner|girlfriend"
    r"|boyfriend|fianc[eé]e?|spouse|(?:little |big |older |younger )?(?:son|daughter|brother|sister"
    r"|lad|boy|girl)|sis|kids?|child(?:ren)?|baby|gran|nan|aunt(?:ie)?|uncle|cousin"
    r"|(?:best )?(?:mate|friend)|flatmate|roommate|boss|colleague|dogs?|cats?|puppy|kitten|rabbit"
    r"|hamster"
)
_NO_NAME = (
    "what|who|where|when|how|why|this|that|these|those|it|there|here|the|an?|your?|i|we|they|he"
    "|she|any|some|most|all|each|every|people|one|my|our|his|her|their|do|does|did|am|is|are|was"
    "|were|have|has|had"
)
_NAME = rf"(?!(?:{_NO_NAME})\b)[^\W\d_][\w.-]*"
_WHO = rf"(?P<who>i|we|(?:my|our) (?:{_KIN})|{_NAME})"
_ME = rf"(?P<who>i|we|(?:my|our) (?:{_KIN}))"
_WHOSE = rf"(?P<who>my|our|(?:(?:my|our) (?:{_KIN})|{_NAME})(?:['’]s?|(?<=s)['’]))"
_BE = r"(?:['’]?s|['’]re| is| are| was| were)"
_DO = r"(?:do|does|did|am|is|are|was|were|have|has|had)"
_ADVERB = (
    r"(?:(?:currently|now|still|actually|usually|really|mostly|mainly|normally|even|again|also"
    r"|ever|already|these days|at the moment|at present|right now|originally|previously|just"
    r"|used? to|most|always|like to|tend to) )*"
)
_ADJECTIVE = (
    r"(?:(?:current|present|new|old|previous|former|last|first|own|full|exact|home|main|real"
    r"|usual|go-to|hot|cold|foreign|best|present-day|latest|mobile|cell) )*"
)
_ADVICE = r"(?:need|want|get|going|have to|supposed|allowed|should|can|could|would|might|must)"
_DOING = rf"(?!{_ADVICE}\b)[\w'’-]+(?: (?!{_ADVICE}\b)[\w'’-]+){{0,3}}"
_SORT = r"(?:(?:kind|sort|type|make|model|brand|breed|line)s? of )?"
_HOW = r"(?:what|which|who|whose|where|when|how (?:long|much|old|many|tall|high|big))"

_PATTERNS: tuple[tuple[str, ...], ...] = (
    (
        "residence",
        rf"(?:where|(?:in )?(?:what|which) (?:city|town|country|part of \w+|place|area|street"
        rf"|neighbou?rhood)) (?:(?:do|does|did|am|is|are|was|were) )?{_WHO} {_ADVERB}(?:live"
        rf"|lives|living|lived"
        r"|stay|stays|staying|reside|based|residing|rent|renting|settled|call(?:ing)? home)"
        r"(?: in| at)?",
    ),
    ("residence", rf"where(?:['’]s| is| was) {_WHOSE} (?:home|house|flat|apartment|place)"),
    (
        "residence",
        rf"where(?:['’]s| is| in the world is) (?P<who>(?:my|our) (?:{_KIN}))(?: living"
        r"| based| staying)?",
    ),
    (
        "residence",
        rf"where (?:can|could|would|do) (?:i|you|one|we) find (?P<who>(?:my|our) (?:{_KIN}))",
    ),
    ("residence", rf"(?:do|does) {_WHO} {_ADVERB}live (?:in|at|with|near|alone|on my own).*"),
    ("residence", rf"what(?: town| city)? (?:do|does) {_WHO} call home"),
    (
        "residence",
        r"(?:list |name )?(?:all )?the (?:places|cities|towns) (?:where )?(?P<who>i|we)(?:['’]ve"
        r"| have)? (?:called"
        r" home|lived(?: in)?)",
    ),
    (
        "home_town",
        rf"where (?:(?:am|is|are|do|does|was|did) )?{_WHO} {_ADVERB}(?:from|come from|born|grow up"
        r"|grew up|raised)(?: originally)?",
    ),
    (
        "workplace job",
        rf"where (?:(?:do|does|did|am|is|are) )?{_WHO} {_ADVERB}(?:work|works|working|worked"
        rf"|employed|teach"
        r"|teaches)",
    ),
    (
        "workplace job",
        rf"(?:who|what company|which company|what firm)(?: is it that)? (?:do|does|did|am"
        rf"|is) {_WHO}"
        rf" {_ADVERB}(?:work|working|employed)(?: for| at| by| with)",
    ),
    (
        "job workplace",
        rf"what (?:do|does|did) {_WHO} {_ADVERB}(?:do for (?:a living|work|money|a job)|work as)",
    ),
    (
        "job workplace",
        rf"what (?:is|am|are) {_WHO} {_ADVERB}(?:working as|by (?:trade|profession))",
    ),
    (
        "job workplace",
        rf"how (?:do|does|did) {_WHO} {_ADVERB}(?:earn|make) (?:my|a|our|his|her|their|the) "
        r"(?:living|money|crust|bread|keep)",
    ),
    (
        "job workplace",
        rf"(?:do|does|am|is) {_WHO} {_ADVERB}(?:employed|unemployed|working|retired|have a job)",
    ),
    (
        "school",
        rf"(?:where|what school|which school|what university|which university) (?:(?:do|does|did"
        rf"|am|is|are) )?"
        rf"{_WHO} {_ADVERB}(?:study|studying|studies|go to (?:school|university|college|uni)"
        rf"|at school"
        r"|enrolled|at|go to|attend|attending)(?: now)?",
    ),
    (
        "major thesis",
        rf"what (?:do|does|did|am|is|are) {_WHO} {_ADVERB}(?:study|studying|majoring in"
        r"|researching)(?: at (?:university|college|uni|school))?",
    ),
    ("birthday", rf"(?:when|what (?:day|date|year)|on what day) (?:was|were|is|am) {_WHO} born"),
    ("birthday", rf"when (?:do|does) {_WHO} turn \w+"),
    (
        "age birthday",
        rf"how old (?:(?:am|is|are|was|were) )?(?P<who>i|we|(?:my|our) (?:{_KIN})|{_NAME})"
        r"(?: (?:am|is|are))?",
    ),
    ("name nickname", r"(?:what|who)(?:['’]s| is| am) (?P<who>i) called|what am i called|who am i"),
    (
        "nickname instruction name",
        r"(?:what|how) (?:do|should|must|will|did i ask|did i tell|are) you (?:to )?(?:call"
        r"|address|supposed to"
        r" (?:call|address)) me",
    ),
    ("height", rf"how tall (?:am|is|are) {_WHO}"),
    ("weight", rf"how (?:much do|heavy am|heavy is|much does) {_WHO}(?: weigh)?"),
    (
        "marital partner",
        rf"(?:am|is|are) {_WHO} {_ADVERB}(?:married|single|engaged|divorced|in a relationship"
        r"|seeing (?:someone|anyone|anybody)|dating(?: anyone| someone| anybody)?|taken"
        r"|with anyone)",
    ),
    (
        "partner marital",
        rf"who (?:am|is|are) {_WHO} {_ADVERB}(?:married to|dating|seeing|with|engaged to)",
    ),
    (
        "marriage_date marital",
        rf"when (?:am|are|is|did) {_WHO} {_ADVERB}(?:getting married|get married"
        r"|marrying|marry|tying the knot)",
    ),
    ("child family", rf"how many (?:kids|children|sons|daughters) (?:do|does) {_WHO} have"),
    (
        "allergy",
        rf"(?:what|which \w+)(?:['’]?m| am| is| are) {_WHO} {_ADVERB}allergic to|"
        r"what am i allergic to",
    ),
    (
        "allergy diet",
        r"(?:what|which (?:foods?|drugs?|things|ingredients))(?: is it that)? (?:can['’]?t|cannot"
        r"|can not|mustn['’]?t|shouldn['’]?t|must not|should not|do|does"
        r"|may not) (?P<who>i) (?:not )?(?:eat"
        r"|drink|have|take|touch)",
    ),
    (
        "allergy",
        r"(?:what|which \w+)(?: must| should| needs? to| has to| have to)(?: be"
        r"| stay) (?:avoided|left out"
        r"|kept away)(?: with| for| from)? (?P<who>me|us)",
    ),
    ("allergy", rf"(?:am|is|are) {_WHO} {_ADVERB}allergic to (?:anything|something|\w+(?: \w+)?)"),
    ("diet", rf"(?:am|is|are) {_WHO} {_ADVERB}(?:an? )?(?:vegan|vegetarian|pescatarian|on a diet)"),
    (
        "diet allergy",
        rf"(?:do|does|can) {_WHO} {_ADVERB}eat (?:meat|fish|pork|beef|dairy|eggs|gluten|nuts"
        r"|seafood|shellfish)",
    ),
    (
        "illness",
        r"(?:is|was) (?:there )?(?:anything|something) (?:wrong|the matter) with (?P<who>me"
        r"|my (?:body"
        r"|health))(?: \w+){0,3}|what(?:['’]s| is) wrong with me|what(?: illness)? (?:do"
        r"|did) i suffer from"
        r"|what (?:did|have) i (?:injured?|hurt|broken?)|am i (?:ill|sick|injured|healthy"
        r"|in good health)",
    ),
    (
        "medication",
        rf"what (?:(?:medicine|medication|pills|drugs) )?(?:am|is|do|does) {_WHO} {_ADVERB}(?:on"
        rf"|taking|take)"
        r"(?: medication| medicine)?",
    ),
    (
        "favourite:food favourite:dish",
        rf"what(?:['’]s| is)? (?:{_WHOSE} favou?rite thing to eat|(?:food|dish|meal"
        rf"|cuisine) do {_NAME})",
    ),
    (
        "favourite:drink favourite:beverage",
        rf"(?:what|which)(?: \w+)? (?:drink|beverage|brew) (?:do|does|did)"
        rf" {_WHO} {_ADVERB}(?:prefer|like(?: best| most)?|love|drink|favou?r)(?: \w+){{0,2}}",
    ),
    (
        "favourite:drink",
        rf"what (?:do|does) {_WHO} {_ADVERB}(?:like to |prefer to )?drink(?: in the morning"
        rf"| most)?",
    ),
    (
        "favourite:music favourite:singer favourite:band",
        rf"(?:what|which)(?: kind of| sort of)? (?:music|band"
        rf"|singer|artist)s? (?:do|does|am|is) {_WHO} {_ADVERB}(?:like|listen(?:ing)? to|love"
        rf"|prefer|into)(?: \w+){{0,2}}",
    ),
    (
        "hobby like favourite",
        rf"what (?:do|does) {_WHO} (?:do|like to do|enjoy|enjoy doing|like doing)(?: for fun"
        rf"| in (?:my|our|his|her"
        r"|their) (?:free|spare) time| to relax| at weekends| on weekends| outside work)?(?<!do)",
    ),
    (
        "like favourite hobby",
        rf"what (?:things )?(?:do|does) {_WHO} {_ADVERB}(?:like|love|prefer)(?: best| most)?",
    ),
    (
        "exercise sport hobby",
        rf"(?:how|what) (?:do|does) {_WHO} {_ADVERB}(?:keep|stay|get) (?:fit|in shape|active)|"
        r"what (?:sport|sports|exercise|workout)s? do i (?:do|play)",
    ),
    (
        "language",
        rf"(?:what|which) (?:foreign )?languages? (?:(?:am|is|do|does|can|are) )?{_WHO}"
        rf" {_ADVERB}(?:speak|learn|learning|study|studying|know|taking)(?: now)?",
    ),
    (
        "instrument hobby",
        rf"(?:what|which) (?:musical )?instruments? (?:do|does|can|am|is) {_WHO} {_ADVERB}(?:play"
        r"|playing|learn|learning)",
    ),
    (
        "device:computer device",
        rf"(?:what|which) (?:computer|laptop|machine|pc) (?:do|does|am|is) {_WHO} {_ADVERB}"
        r"(?:use|have|work on|using|working on|own)",
    ),
    (
        "car",
        rf"(?:what|which)(?: kind of| sort of)? (?:car|vehicle|van)? ?(?:do|does|am"
        rf"|is) {_WHO} {_ADVERB}(?:drive"
        r"|driving|own)",
    ),
    (
        "commute",
        rf"how (?:do|does|am|is) {_WHO} {_ADVERB}(?:get|getting|go|going|travel|travelling"
        rf"|commute|commuting)"
        r" (?:to|into|in to) (?:work|the office|school|town|college|uni|campus)|"
        r"how do (?:i|we) commute",
    ),
    (
        "work_mode",
        rf"(?:do|does|am|is) {_WHO} {_ADVERB}(?:work(?:ing)? (?:from home|remotely|in (?:the"
        rf"|an) office"
        r"|on ?site)|(?:go|going) (?:in )?(?:to|into) the office|remote)(?: .*)?",
    ),
    (
        "schedule:work",
        rf"(?:when|what (?:hours|time|days?|shifts?)|which (?:hours|days?"
        rf"|shifts?))(?: in the day| of the day)?"
        rf" (?:do|does|am|is) {_WHO} {_ADVERB}(?:work|working|on)",
    ),
    (
        "boss",
        rf"who (?:do|does|am|is) {_WHO} {_ADVERB}(?:report to|answer to|work(?:ing)? under)|"
        r"who(?:['’]s| is| was) in charge of (?:me|us|my team|our team)",
    ),
    (
        "flatmate",
        rf"who(?: else)? (?:do|does|am|is|are) {_WHO} {_ADVERB}(?:live|living|share|sharing|room"
        rf"|rooming)"
        r"(?: a (?:flat|house|place|room))? with|who shares (?:the|my|our) (?:place|flat|house"
        r"|room)(?: with (?:me|us))?"
        r"|do i (?:still )?live (?:alone|by myself|on my own|with (?:anyone|anybody|someone))",
    ),
    ("salary", rf"how much (?:do|does) {_WHO} {_ADVERB}(?:earn|make|get paid|take home)(?: .*)?"),
    (
        "rent",
        rf"how much (?:(?:rent )?(?:do|does) {_WHO} pay(?: in| for| a month in)?(?: rent)?"
        rf"|is my rent)(?: .*)?",
    ),
    (
        "team favourite:team",
        rf"(?:what|which|who) ?(?:football |soccer )?(?:team|club)? (?:do|does|am|is) {_WHO} "
        rf"{_ADVERB}(?:support|supporting|follow|root for|a fan of)",
    ),
    (
        "smoking",
        rf"(?:do|does|am|is|have|has) {_WHO} {_ADVERB}(?:smok(?:e|ing)|an? smoker|quit smoking"
        rf"|given up smoking)",
    ),
    (
        "alcohol",
        rf"(?:do|does|am|is|have|has) {_WHO} {_ADVERB}(?:drink(?:ing)?(?: alcohol| booze| wine"
        rf"| beer)?"
        r"|teetotal|sober|given up (?:drinking|alcohol))",
    ),
    (
        "glasses",
        rf"(?:do|does) {_WHO} {_ADVERB}(?:wear|need) (?:glasses|contacts|contact lenses)"
        r"|do i need anything to see",
    ),
    (
        "debt",
        rf"(?:do|does|am|is) {_WHO} {_ADVERB}(?:owe|in debt|debt free)(?: .*)?|how much do (?:i|we)"
        r" (?:still )?owe(?: .*)?",
    ),
    (
        "driving_licence",
        r"(?:can|do|am|may) (?P<who>i) (?:legally )?(?:drive|allowed to drive)(?: a car"
        r"| legally)?",
    ),
    (
        "business",
        r"is (?P<who>my|our) (?:business|shop|store|company) (?:still )?(?:going|open|running"
        r"|trading|up and running)",
    ),
    (
        "volunteering",
        rf"(?:do|does|where do|where does) {_WHO} {_ADVERB}(?:volunteer|help out (?:with"
        rf"|at) .*)(?: .*)?",
    ),
    (
        "instruction",
        r"(?:how|what)(?: \w+)? (?:did|do) i (?:ask|tell|want|like) you to (?:reply|answer|talk"
        r"|speak|write|respond|be"
        r"|use|sound)(?: .*)?|how (?:long|lengthy|short|detailed|formal) should your (?:replies"
        r"|answers|messages|responses)"
        r" be|what (?:tone|style|language|format|manner) did i ask (?:you to use|for|you for)"
        r"|how should you (?:talk|speak|write|reply|respond|answer)(?: to me)?",
    ),
)


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+"), re.I)


def _keyed(table: Iterable[tuple[str, ...]]) -> tuple[tuple[re.Pattern[str], Keys], ...]:
    return tuple(
        (_whole(pattern), tuple(keys.split())) for keys, *patterns in table for pattern in patterns
    )


_NOUN = rf"(?P<noun>{'|'.join(noun for _, noun in NOUNS)})"
_ABOUT = "(?: called| named| like| about| on| in| with| from| of| for)?"

_FRAMES = (
    # What is my address, what's the name of my cat, when is Ann's birthday.
    rf"{_HOW}{_BE} (?:it that )?(?:the names? of )?{_WHOSE} {_ADJECTIVE}{_NOUN}{_ABOUT}",
    # (do you know) what my address is
    rf"{_HOW} {_WHOSE} {_ADJECTIVE}{_NOUN} (?:is|was|are|were){_ABOUT}",
    # Which gym do I go to, how many cats have I got.
    rf"(?:what|which|how many) {_SORT}{_ADJECTIVE}{_NOUN} {_DO} {_WHO}(?: {_ADVERB}{_DOING})?",
    # (tell me) which gym I go to
    rf"(?:what|which|how many) {_SORT}{_ADJECTIVE}{_NOUN} {_ME} {_ADVERB}{_DOING}",
    # Who supplies our internet.
    rf"who (?:supplies|provides|does|runs|cuts|fixes) {_WHOSE} {_ADJECTIVE}{_NOUN}",
    # Do I have a car, have I got any animals at home.
    rf"(?:do|does|have|has) {_ME} {_ADVERB}(?:(?:have|got|own|keep|have got) )?(?:(?:any|an?"
    rf"|some) )?"
    rf"{_ADJECTIVE}{_NOUN}(?: at home| at all)?",
)

ATTRIBUTES = AttributeQuestions(
    frames=tuple(map(_whole, _FRAMES)),
    nouns=_keyed(NOUNS),
    patterns=_keyed(_PATTERNS),
    advice=re.compile(r"\b(?:should i|for the best|worth it)\b", re.I),
    lead=_whole(
        r"(?:(?:hey|hi|so|ok|okay|well|and|but|oh|um|by the way|btw|please|quick question|sorry"
        r"|wait|bot|again|remind me|tell me|say|can you (?:tell|remind) me|could you (?:tell"
        r"|remind) me"
        r"|do you (?:still )?(?:know|remember|recall)|i (?:forgot|forget|can['’]?t remember)"
        r"|any idea"
        r"|what was it again|guess|do you happen to know)\b[ ,:]*)+"
    ),
    trailing=_whole(
        r"(?:[ ,](?:now|again|then|these days|at the moment|currently|right now|at present|today"
        r"|anyway"
        r"|nowadays|still|please|exactly|any ?more|as of now|lately|originally|before|earlier"
        r"|previously"
        r"|back then|once|in the past|beforehand|long ago|before (?:this|that)(?: one)?"
        r"|before now|remember|actually|atm|do you know|do you remember))+$"
    ),
    speaker=re.compile(r"(?:i|we|my|our|me|us|mine|ours|my (?:body|health))?", re.I),
    possessive=re.compile(r"['’]s?$"),
)
