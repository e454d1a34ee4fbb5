"""What English speakers say has changed about themselves, and what it is called. Pure.

Families of forms: a move, a new place of work, a trade taken up, an exchange of one thing for
another, a bond made or broken, something given up. Who it is about may be left out.
"""

import re

from ...text.lazy_pattern import lazy_pattern
from ..extraction_rule import NAMED, ExtractionRule, change_rule
from .jobs import JOBS
from .kin import WIDER_FAMILY
from .phrases import phrases

_KIN = "|".join(WIDER_FAMILY.values()) + (
    "|mother|mom|mum|father|dad|parents|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|son"
    "|daughter|kid|baby|brother|sister|grandma|grandmother|grandpa|grandfather|gran|nan|roommate|flatmate"
    "|friend|boss|uncle|aunt|cousin|cat|dog"
)
TIME = (
    r"(?:(?:just|finally|recently|now|actually|officially|already|also|since|then|again|currently"
    r"|happily|only|really|both|all|ever|went ahead and|ended up|have|has|had(?: to)?|got to)\s+)*+"
)
_OPENING = (
    r"(?:(?:last|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day),? "
    r"|(?:yesterday|today|recently|finally|just|guess what|big news|turns out|so|as of \w+ ?\w*"
    r"|a (?:few|couple of) \w+ ago|in (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december)),? )*+"
)
ANYBODY = rf"{_OPENING}(?:(?:i|we|my (?:{_KIN})|i['’]ve|we['’]ve)(?:['’]s)? )?{TIME}"
_AM = rf"{_OPENING}(?:(?:i am|i['’]m|we['’]re|we are|my (?:{_KIN})(?: is|['’]s)) )?{TIME}"
NOW = (
    r"(?: now| again| these days| instead| for good| last \w+| this \w+| yesterday| today| recently"
    r"| already| at last| in \w+| since \w+| \w+ (?:days?|weeks?|months?|years?) ago| anymore"
    r"| (?:on|last|this|next|until) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?: night| morning)?"
    r"| tonight| this time(?: a?round)?| after all| finally| in the end| for (?:real|now)"
    r"| at long last| (?:full|part)[- ]time| permanently| though| at the weekend"
    r"| the other (?:day|week|month)| a (?:few|couple of) (?:days|weeks|months) (?:ago|back)"
    r"| a (?:week|month|year|while) (?:ago|back)| over the (?:summer|weekend|holidays)"
    r"| from \w+(?: \w+)?)*+"
)
_X = r"(?P<x>(?!(?:it|that|this|him|her|them|you|the (?:next|other))\b)[^,.;]{2,50}?)"
_SOMEONE = r"(?:someone|somebody|an? (?:\w+ )?(?:guy|girl|man|woman|boy|lady))(?: [^,.;]+?)?"
_PLACE = (
    r"(?P<x>(?!(?:it|that|this|him|her|them|you|the (?:next|moment|couch|sofa|gym|door)|bed|hope"
    r"|tears|love|fear|debt|trouble|person|on|out|up|forward|away)\b)[^,.;]{2,40}?)"
)


def _change(
    name: str, slot: str, pattern: str, value: str = "", *, denies: bool = False
) -> ExtractionRule:
    return change_rule(f"change of {name}", slot, phrases(pattern), 0.7, value, denies=denies)


NOUNS = {
    "job": "workplace",
    "company": "workplace",
    "school": "school",
    "major": "major",
    "name": "name",
    "surname": "name",
    "last name": "name",
    "nickname": "nickname",
    "address": "residence",
    "home": "residence",
    "number": "contact:phone",
    "phone number": "contact:phone",
    "email": "contact:email",
    "email address": "contact:email",
    "phone": "device:phone",
    "laptop": "device:computer",
    "computer": "device:computer",
    "car": "car",
    "birthday": "birthday",
    "height": "height",
    "weight": "weight",
    "boss": "boss",
    "manager": "boss",
    "landlord": "landlord",
    "landlady": "landlord",
    "flatmate": "flatmate",
    "roommate": "flatmate",
    "supervisor": "boss",
    "commute": "commute",
}
"""The attribute that a noun names; any other names itself."""

_NOUN = (
    rf"(?:{'|'.join(sorted(NOUNS, key=len, reverse=True))}"
    r"|(?:\w+ )?(?:class|lesson|practice|appointment|session|shift|plan|provider|gym|team|bank"
    r"|dentist|doctor))"
)

RULES: tuple[ExtractionRule, ...] = (
    _change(
        "home",
        "residence",
        rf"{ANYBODY}(?:moved|relocated|emigrated|resettled)(?: back| over| house| out| away| home)?"
        rf"(?: from [^,.;]{{2,30}}?)? (?:to|into|in with) {_PLACE}{NOW}",
    ),
    _change(
        "home",
        "residence",
        rf"{_AM}(?:living|settled|based|renting|staying put)(?: down| up| over)? (?:in|at|near"
        rf"|outside) "
        rf"{_PLACE}{NOW}",
    ),
    _change(
        "home",
        "residence",
        rf"{ANYBODY}(?:settled down|bought a (?:house|flat|place)) in {_PLACE}{NOW}",
    ),
    _change(
        "home",
        "residence",
        rf"{ANYBODY}(?:live|lives|reside|resides|rent|rents) (?:in|at|near) {_PLACE}{NOW}",
    ),
    _change("home", "residence", rf"{_AM}in {_PLACE} now"),
    _change(
        "work",
        "workplace",
        rf"{ANYBODY}(?:joined(?! (?:an?|the|my|our|this|some|in|us)\b)|transferred to"
        rf"|jumped ship to|moved over to|signed (?:on )?with"
        rf"|got hired (?:at|by)"
        rf"|was hired by|start(?:ed)?(?: work(?:ing)?| a (?:new )?job| my new job) at"
        rf"|got (?:a|the|my) (?:new )?(?:job|position|role) (?:at|with)|switched (?:jobs"
        rf"|companies) to"
        rf"|changed jobs to|left [^,.;]{{2,30}}? for) {_X}{NOW}",
    ),
    _change(
        "work",
        "workplace",
        rf"{_AM}(?:working|employed|temping|freelancing|driving) (?:at|for) {_X}{NOW}",
    ),
    _change("work", "workplace", rf"{ANYBODY}(?:work|works|teach|teaches) (?:at|for) {_X}{NOW}"),
    _change(
        "work",
        "workplace",
        rf"{ANYBODY}(?:quit(?:ted)?|left|resigned from|retired from|lost|walked out of"
        rf"|stepped down from)"
        rf" (?:my|the|a|his|her|our) (?:old |day )?(?:job|position|post|role|company|firm)"
        rf"(?: (?:at|with|in)(?: [\w'’-]+){{1,5}}?)?{NOW}",
        denies=True,
    ),
    _change(
        "work",
        "workplace",
        rf"(?:{ANYBODY}(?:(?:was|got|been) (?:fired|laid off|let go|made redundant)|resigned"
        rf"|retired"
        rf"|handed (?:in my notice|my notice in)(?: at [^,.;]{{2,40}}?)?)"
        rf"|{_AM}(?:unemployed|out of work|between jobs|retired)){NOW}",
        denies=True,
    ),
    _change(
        "trade",
        "job",
        rf"(?:{ANYBODY}(?:became|got promoted to|was promoted to|retrained as|work(?:s|ed)? as"
        rf"|switched (?:careers )?to (?:being|working as)|qualified as|started (?:work(?:ing)? )?as"
        rf"|got a job as|landed a (?:job|role) as)|{_AM}(?:working as|training as|promoted to|now))"
        rf" (?:an? |the )?{_X}{NOW}",
    ),
    _change(
        "studies",
        "school",
        rf"{ANYBODY}(?:graduated|dropped out)(?: (?:from|of) [^,.;]{{2,40}}?)?{NOW}",
        denies=True,
    ),
    _change(
        "studies",
        "school",
        rf"{ANYBODY}(?:got into|got accepted (?:to|at|by)|enrol?led (?:at|in)|transferred to"
        rf"|started (?:at|university at|college at)|go to|study at) "
        rf"(?P<x>[^,.;]*(?:university|college|school|institute|academy|uni|mit"
        rf"|ucl)\b[^,.;]{{0,20}}?){NOW}",
    ),
    _change(
        "name",
        "name",
        rf"(?:{ANYBODY}changed my (?:full |last |sur)?name to|my (?:full |last |sur)?name(?:['’]s"
        rf"| is) now"
        rf"|(?:i['’]m|i am) officially) (?P<x>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){{0,2}})",
    ),
    _change(
        "bond",
        "marital",
        rf"(?:{ANYBODY}(?:got|are|were)|{_AM}) ?(?:now )?married(?: to [^,.;]+?)?{NOW}",
        "married",
    ),
    _change("bond", "marital", rf"{ANYBODY}tied the knot{NOW}", "married"),
    _change(
        "bond",
        "marital",
        rf"(?:{ANYBODY}(?:got|are)|{_AM}) ?(?:now )?engaged(?: to [^,.;]+?)?{NOW}",
        "engaged",
    ),
    _change(
        "bond",
        "marital",
        rf"(?:{ANYBODY}(?:got|are)|{_AM}) ?(?:now )?(?:divorced|separated){NOW}",
        "divorced",
    ),
    _change(
        "bond",
        "marital",
        rf"(?:{ANYBODY}(?:broke up|split up|split)(?: with [^,.;]+?)?|{_AM}single"
        rf"|{ANYBODY}got dumped){NOW}",
        "single",
    ),
    _change(
        "bond",
        "marital",
        rf"(?:{_AM}(?:dating|seeing) {_SOMEONE}|{ANYBODY}(?:started (?:dating|seeing) {_SOMEONE}"
        rf"|have a (?:new )?(?:girl|boy)friend)){NOW}",
        "in a relationship",
    ),
    _change(
        "exchange",
        NAMED,
        rf"{ANYBODY}(?:changed|switched|swapped|moved|upgraded|updated|pushed|rescheduled) (?:my"
        rf"|the|our) "
        rf"(?P<of>{_NOUN}) (?:to|for|into) (?:an? |the |my )?{_X}{NOW}",
    ),
    _change(
        "exchange",
        NAMED,
        rf"my new (?P<of>{_NOUN})(?: is|['’]s) (?:called |named |an? )?{_X}{NOW}",
    ),
    _change(
        "exchange",
        NAMED,
        rf"my (?P<of>{_NOUN})(?: is|['’]s) now (?:called |named |an? |at |on )?{_X}{NOW}",
    ),
    _change(
        "exchange",
        NAMED,
        rf"(?:the |my )?(?P<of>{_NOUN}) (?:(?:got|has been|was|is) )?(?:moved|changed"
        rf"|switched|pushed)"
        rf" to {_X}{NOW}",
    ),
    _change(
        "taste",
        "like",
        rf"{ANYBODY}(?:switched|gone over|went over|converted"
        rf"|changed over)(?: from [^,.;]{{2,30}}?)? to {_X}{NOW}",
    ),
    _change(
        "taste",
        "like",
        rf"(?:{ANYBODY}(?:got into|took up|fell in love with)|{_AM}(?:really )?into) {_X}{NOW}",
    ),
    _change(
        "taste",
        "like",
        rf"{ANYBODY}(?:quit|(?:gave|given|give) up(?: on)?|stopped|dropped(?! (?:off|by|in|out|it"
        rf"|them)\b)|ditched|kicked|went off"
        rf"|gone off|went cold turkey on"
        rf"|swore off|cut out) {_X}{NOW}",
        denies=True,
    ),
    _change(
        "diet",
        "diet",
        rf"(?:{ANYBODY}(?:went|gone|turned|became|been)|{_AM}) ?(?:a )?(?P<x>vegan|vegetarian|keto"
        rf"|pescatarian|gluten[- ]free){NOW}",
    ),
)
"""Tried after what people say of what there is."""

_ANYMORE = lazy_pattern(r"\s+(?:any ?more|any longer|no longer)$", re.I)
_NEVER_MORE = (
    (lazy_pattern(r"\b(?P<v>am|is|are|['’]m|['’]s|['’]re) not\b", re.I), r"\g<v>"),
    (lazy_pattern(r"\b(?P<v>is|are)n['’]t\b", re.I), r"\g<v>"),
    (lazy_pattern(r"\b(?:do not|don['’]t) ", re.I), ""),
    (lazy_pattern(r"\b(?:does not|doesn['’]t) ", re.I), ""),
)
_NO_LONGER = lazy_pattern(r"\bno longer\s+", re.I)

HOLDER = lazy_pattern(
    rf"^(?:{_OPENING}(?:my|our) |(?:i|we)(?:['’]ve| have)?(?: got| have) an? (?:[\w-]+ ){{0,2}}?)"
    rf"(?P<kin>{_KIN}|puppy|kitten|rabbit|hamster|parrot)\b",
    re.I,
)
"""Somebody of theirs, where a clause begins with them."""

OMITTED = lazy_pattern(
    r"(?:no longer|not|now|just|currently|don['’]t|working|living|still|allergic|weigh)\b", re.I
)
TAKES_BACK = lazy_pattern(
    r"(?:(?:oh|oops|wait|sorry|hang on|hold on|actually|ugh|hmm|well|argh|no)[\s,.!-]*)*"
    r"(?:correction|scratch that|my mistake|my bad|i misspoke|that['’]s wrong|that was wrong"
    r"|i was wrong|typo)\b[\s,.!:;-]*",
    re.I,
)
MEANT = lazy_pattern(
    r"(?:(?:oh|oops|wait|sorry|no|nope|actually|well)[\s,.!-]*)*"
    r"(?:(?:what )?i (?:actually |really )?meant(?: to say| was)?|i should have said|make that"
    r"|that should be"
    r"|it should be)\s+(?:that\s+)?",
    re.I,
)
INSTEAD = lazy_pattern(
    r"(?:actually |really )?(?:it|that)(?:['’]s| is| was| should be)"
    r"(?: (?:actually|really|just|only))? ",
    re.I,
)
RATHER = lazy_pattern(r",?\s+(?:and\s+)?(?:not|instead\s+of|rather\s+than)\s+\S.*\Z", re.I | re.S)
NOT_THAT = lazy_pattern(r"(?:it['’]s |it is |that['’]s |i said )?not (?P<x>.{1,40})", re.I)

_PLACES_OF_STUDY = lazy_pattern(r"\b(?:university|college|school|institute|academy|uni)\b", re.I)
_STATES = {
    "marital": lazy_pattern("married|single|divorced|engaged", re.I),
    "diet": lazy_pattern("vegan|vegetarian", re.I),
    "allergy": lazy_pattern("(?:lactose|gluten)[ -]intolerant", re.I),
}
INSTRUMENT = (
    r"(?:(?:bass|electric|acoustic|classical) )?(?:guitar|piano|violin|cello|viola|drums?|flute"
    r"|clarinet|saxophone|sax|trumpet|trombone|ukulele|harp|banjo|accordion|oboe|keyboards?|organ"
    r"|harmonica|mandolin|bass)"
)
DRINK = (
    r"(?:(?:black|green|herbal|iced|mint|oat|decaf|white|hot) )*(?:coffee|tea|matcha|chai|cocoa"
    r"|espresso|lattes?|water|juice|milk|cola|coke|lemonade|kombucha|hot chocolate)"
)
_HABITS = {
    "instrument": lazy_pattern(rf"(?:(?:learning|playing|to play) )?(?:the )?{INSTRUMENT}", re.I),
    "favourite:drink": lazy_pattern(rf"(?:drinking )?{DRINK}", re.I),
    "smoking": lazy_pattern("smoking|cigarettes|the fags|fags|vaping", re.I),
    "alcohol": lazy_pattern("drinking|alcohol|booze|the booze", re.I),
    "language": lazy_pattern(
        "(?:learning |studying )?(?:english|spanish|french|german|italian|portuguese|dutch|swedish"
        "|norwegian|danish|finnish|polish|czech|russian|greek|turkish|arabic|hebrew|hindi|mandarin"
        "|cantonese|chinese|japanese|korean|vietnamese|thai|welsh|irish|latin)",
        re.I,
    ),
}
"""What is no taste, but something of its own that is begun and given up."""
_FAMILY = lazy_pattern(
    r"\b(?:brother|sister|son|daughter|kid|child|children|twin|sibling|mother|father)s?\b", re.I
)


TRAILING = lazy_pattern(rf"(?:{NOW[3:-3]})+$", re.I)
"""What follows a value and is no part of it."""


def no_longer(clause: str) -> str:
    """I no longer live in Lyon, as I live in Lyon; any other clause as it is."""
    if _NO_LONGER.search(clause):
        return _NO_LONGER.sub("", clause, count=1)
    if not _ANYMORE.search(clause):
        return clause
    positive = _ANYMORE.sub("", clause)
    for pattern, instead in _NEVER_MORE:
        if pattern.search(positive):
            return pattern.sub(instead, positive, count=1)
    return clause


_HOUSE = lazy_pattern(
    r"(?:the|an?|my|our) (?:[\w-]+ ){0,3}?"
    r"(?:house|flat|apartment|home|place|bungalow|cottage|room)",
    re.I,
)
"""A house that is not said to be anywhere is no place that a town would be replaced by."""


def narrowed(slot: str, value: str, clause: str) -> str:
    """A school is no workplace, what somebody is not always a trade, and a child no pet."""
    if slot == "residence" and _HOUSE.fullmatch(value):
        return ""
    if slot == "state":
        return next((name for name, pattern in _STATES.items() if pattern.match(value)), "")
    if slot == "like":
        return next((name for name, words in _HABITS.items() if words.fullmatch(value)), slot)
    if slot == "job":
        return slot if JOBS.search(value) else ""
    if slot == "workplace" and re.search(
        r"\b(?:work|works|working|employed|study|studies|studying) in\b", clause, re.I
    ):
        # Where one works is no employer, where one studies no subject.
        return ""
    if slot == "workplace" and re.search(r"\bstud(?:y|ies|ying)\b", clause, re.I):
        return "school" if _PLACES_OF_STUDY.search(value) else "major"
    as_value = rf"\b(?:work|works|working) as {re.escape(value)}"
    if slot == "workplace" and re.search(as_value, clause, re.I):
        return "job"
    if slot == "pet" and ("allergy" in value or _FAMILY.search(value)):
        return "" if "allergy" in value else "family"
    return slot
