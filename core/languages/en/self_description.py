"""What English speakers say of themselves in everyday chat, each by the words of its attribute.

Studies, routines, skills, health, things in use, and people of theirs. Tried after what is said of
changes and of possessions. Pure.
"""

from dataclasses import replace

from ..extraction_rule import ExtractionRule
from .facts import KIN, fact
from .phrases import phrases

_ADVERBS = (
    "(?:(?:also|still|always|just|now|currently|usually|normally|recently|finally|really|both|only"
    "|actually|already|mostly|pretty much|all) )*"
)
_AM = r"(?:i am|i['’]m)"
_WE = r"(?:i|we|i['’]ve|we['’]ve|i have|we have)"
_NUMBER = (
    "(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    "|twenty|thirty|forty|forty-five)"
)
_X = r"(?P<x>(?!(?:it|that|this|him|her|them|you|my|your|the (?:next|other))\b)[^,.;]{2,40}?)"
_PLACE = r"(?P<x>(?-i:[A-Z])[\w'’-]*(?: (?:of|the|on|upon|(?-i:[A-Z])[\w'’.-]*)){0,3})"
_CAR = (
    "(?:tesla|honda|toyota|ford|mazda|bmw|audi|volvo|subaru|kia|hyundai|nissan|volkswagen|vw|skoda"
    "|seat|fiat|renault|peugeot|chevy|chevrolet|jeep|lexus|porsche|mini|mercedes|byd|rivian|vespa)"
)
_PHONE = "(?:iphone|pixel|galaxy|samsung|oneplus|xiaomi|fairphone|nokia|motorola|huawei)"
_CLOCK = (
    r"(?P<x>[0-9]{1,2}(?::[0-9]{2})?(?: ?[ap]m)?|five|six|seven|eight|nine|ten"
    r"|eleven|midnight|noon|half past \w+)"
)
_CONDITION = (
    "(?:high|low) blood pressure|high cholesterol|hypertension|asthma|diabetes|type [12] diabetes"
    "|arthritis|migraines?|insomnia|anxiety|depression|adhd|epilepsy|celiac disease|coeliac disease"
    "|ibs|eczema|psoriasis|gout|anaemia|anemia|hay fever|tinnitus|sleep apn(?:o)?ea|a bad back"
    "|a heart condition"
)
_DRUG = (
    "(?:formin|pril|sartan|statins?|olol|azole|mycin|cillin|oxetine|traline|opram|zepam|gliptin"
    "|parin|xaban|triptan|thyroxine|lukast|glutide|dipine|gabalin|pentin|lamide|idone|azine"
    "|profen|solone|insulin|steroids|antibiotics|antidepressants)"
)
"""How the names of medicines end, and of little else."""
_MEDICINE = rf"(?:{_DRUG}|ins?|ol|ine|pril|statins?|one|ide|am|en|tablets)"
_SKILL = (
    r"(?:play|speak|cook|draw|paint|knit|sew|code|juggle|ski|surf|skate|swim|sing|dance|drive)"
    r"(?: (?!it|that|this|you|for you|with|well|a bit$)[^,.;]{2,30})?"
)
_DOING = (
    "play|run|swim|go|work out|train|practi[cs]e|walk|cycle|bike|ride|climb|jog|meditate|do yoga"
    "|teach|volunteer|take|have|meet|call|visit|cook|read|write|study|babysit|commute"
)
_OFTEN = (
    r"(?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|other day|\w+day)"
    r"|on (?:\w+days?)(?: (?:and|&) \w+days?)*|once a \w+|twice a \w+|\w+ (?:times|days) a \w+)"
)


def _said(name: str, pattern: str, importance: float = 0.6) -> ExtractionRule:
    """What is remembered as it was said: it is the value of no attribute."""
    return ExtractionRule(name, phrases(pattern), importance)


FIRST: tuple[ExtractionRule, ...] = (
    fact(
        "house in a town",
        "residence",
        r"(?:(?:i am|i['’]m|i['’]ve|we are|we['’]re|we['’]ve|i|we) )?(?:(?:all|now|finally|just) )*"
        r"(?:settled|moved) (?:in|into) (?:the|our|a|my) (?:[\w-]+ ){0,3}?(?:flat|apartment|house"
        rf"|studio|cottage|place|bungalow) in {_PLACE}(?: now)?",
    ),
    fact(
        "rooms in a town",
        "residence",
        rf"(?:i|we) {_ADVERBS}live in an? (?:[\w-]+ ){{0,3}}?(?:flat|apartment"
        rf"|house|studio|condo|cottage|place"
        rf"|room|loft|bungalow|town|village|suburb) (?:in|near|outside|just outside) {_PLACE}",
    ),
    fact(
        "home after the town of birth",
        "residence",
        rf"i grew up in [^,.;]{{2,30}}? but (?:now )?(?:i )?(?:now )?live in {_PLACE}(?: now)?",
    ),
    fact(
        "job given up",
        "workplace",
        r"(?:i|we)(?:['’]ve)? (?:just |finally )?(?:quit|left|gave up) "
        r"(?:my|the) (?:\w+ )?job to [^,.;]{2,50}",
        denies=True,
    ),
    fact(
        "employer with a role",
        "workplace",
        rf"i {_ADVERBS}work as (?P<role>an? [\w -]{{2,40}}?) (?:at"
        rf"|for) (?!home\b|least\b|the moment\b){_X}",
    ),
    fact(
        "retirement",
        "workplace",
        r"i(?:['’]ve| have)?(?: been)?(?: just| finally| recently| now)* retired"
        r"(?: from [^,.;]{2,30}?)?(?: (?:last|this|in|after|at|early|on|since|for)\b[^,.;]{2,40})?",
        denies=True,
    ),
    fact(
        "given up for something else",
        "like",
        r"(?:i|we)(?:['’]ve)? (?:just |finally )?(?:gave|given) up (?P<x>[\w"
        r" ]{2,25}?) and (?:went back|switched|moved on) to [^,.;]{2,40}",
        denies=True,
    ),
)
"""Tried before rules that read part of the same words as something else."""

RULES: tuple[ExtractionRule, ...] = (
    fact(
        "marriage of some years",
        "marital",
        rf"(?:i['’]ve|we['’]ve|i have|we have) been married (?:for )?(?:over"
        rf" |almost |nearly )?{_NUMBER} (?:years?|months?)(?: now)?",
        "married",
    ),
    fact(
        "partner by name",
        "partner",
        r"my (?:girlfriend|boyfriend|wife|husband|partner|fianc[eé]e?) "
        r"(?P<x>(?-i:[A-Z])[\w'’-]+)(?: is| works| teaches| studies| runs"
        r"| loves| hates)\b [^.;]{2,60}",
    ),
    fact(
        "pets together",
        "pet",
        rf"(?:i|we) {_ADVERBS}have {_NUMBER} (?P<x>(?:\w+ )?(?:cats|dogs|rabbits"
        rf"|hamsters|parrots|chickens|fish))",
    ),
    fact(
        "condition",
        "illness",
        rf"{_WE} (?:{_ADVERBS})(?:have|got|suffer from|was diagnosed with"
        rf"|been diagnosed with) (?P<x>{_CONDITION})",
    ),
    fact(
        "medicine",
        "medication",
        rf"{_AM} (?:{_ADVERBS})on (?P<x>\w+{_MEDICINE})(?: now)?",
    ),
    fact(
        "medicine for something",
        "medication",
        rf"{_AM} (?:{_ADVERBS})on (?P<x>\w*{_DRUG})(?: (?:for|against) [^,.;]{{2,40}}?)?"
        r"(?: (?:now|these days|at the moment|instead))?",
    ),
    replace(
        fact(
            "medicine begun",
            "medication",
            rf"(?:i have|i['’]ve|i was|they['’]ve|they have|they)(?: just| now)?(?: been)? "
            rf"(?:put|started|switched|moved)(?: me)? (?:on(?:to)?|to) (?P<x>\w*{_DRUG})"
            r"(?: (?:for|against|instead of|from) [^,.;]{2,40}?)?(?: now| instead)?",
        ),
        template="{who} was put on {x}",
    ),
    replace(
        fact(
            "medicine stopped",
            "medication",
            r"(?:(?:they|the doctor|my (?:doctor|gp))(?:['’]ve| have|['’]s| has)?(?: just)?"
            r" (?:taken|took) me off"
            r"|(?:i am|i['’]m) (?:now )?off|(?:i['’]ve|i have) (?:just )?(?:come|been taken) off"
            rf"|i (?:came|was taken) off) (?:my |the )?(?P<x>\w*{_DRUG})(?: now)?",
            denies=True,
        ),
        template="{who} no longer takes {x}",
    ),
    replace(
        fact(
            "medicine prescribed",
            "medication",
            r"(?:the|my) (?:doctor|gp|consultant|specialist|cardiologist|psychiatrist)"
            rf"(?: has|['’]s)?(?: just)? (?:put me on|prescribed(?: me)?) (?P<x>\w+{_MEDICINE})"
            r"(?: (?:for|against|to) [^,.;]{2,40})?",
        ),
        template="{who} was put on {x}",
    ),
    fact(
        "medicine taken",
        "medication",
        rf"i {_ADVERBS}take (?P<x>(?!a|the|my|it|that|this|some|care|walks?"
        rf"|naps?|notes?)\w{{4,20}})(?: (?:tablets|pills))? (?:every (?:day"
        rf"|morning|night|evening)|daily|twice a day|once a day)",
    ),
    fact(
        "car in use",
        "car",
        rf"i (?:{_ADVERBS})(?:just )?(?:bought|got|drive|leased|own)(?: myself)?"
        rf" (?:a|an|my)(?: new| used| second-hand| little| old)* (?P<x>{_CAR}"
        rf"(?: [\w-]{{1,12}}){{0,2}})",
    ),
    fact(
        "phone in use",
        "device:phone",
        rf"i (?:{_ADVERBS})(?:use|have|got|bought|switched to)(?: a| an| the"
        rf"| my)?(?: new| old)* (?P<x>{_PHONE}(?: [\w-]{{1,10}}){{0,3}})",
    ),
    fact(
        "studies",
        "major",
        rf"i (?:{_ADVERBS})(?:studied|majored in|did my degree in|have a degree"
        rf" in) {_X}(?: (?:in|at) (?:college|university|uni|school|[\w ]{{2,20}}))?",
    ),
    fact(
        "examination",
        "exam",
        rf"{_AM} (?:{_ADVERBS})(?:preparing|studying|revising|cramming) for"
        rf" (?:the |my |an? )?(?P<x>[\w -]*?(?:ielts|toefl|gre|gmat|lsat|mcat"
        rf"|sat|bar exam|bar|cpa|exams?|finals|certification|driving test))",
    ),
    fact(
        "blood",
        "blood_type",
        r"my blood type(?: is|['’]s) (?P<x>(?:a|b|ab|o)[+-]?(?: (?:positive|negative))?)",
    ),
    fact(
        "height in figures",
        "height",
        rf"{_AM} (?P<x>[0-9]{{3}} ?(?:cm|centimet(?:er|re)s)|[4-7](?: ?"
        rf"(?:'|’|foot|feet|ft) ?)[0-9]{{0,2}}(?:\"|in)?)(?: tall)?",
    ),
    fact(
        "getting up",
        "wake_time",
        rf"i (?:{_ADVERBS})(?:get up|wake up|am up) at (?:about |around )?{_CLOCK}"
        rf"(?: (?:every (?:day|morning)|in the morning|on weekdays))?",
    ),
    fact(
        "going to bed",
        "bedtime",
        rf"i (?:{_ADVERBS})go to (?:bed|sleep) at (?:about |around )?{_CLOCK}"
        rf"(?: (?:every (?:day|night)|at night|on weekdays))?",
    ),
    fact(
        "languages spoken",
        "language",
        r"i (?:also |can )*speak (?P<x>(?:some |fluent |a bit of |a little"
        r" )?(?:english|spanish|french|german|italian|portuguese|dutch|mandarin"
        r"|cantonese|chinese|japanese|korean|arabic|hindi|russian|polish|turkish)\b[^.;]{0,40})",
    ),
    fact("skill", "skill", rf"i (?:also )?can (?P<x>{_SKILL})"),
    fact("home of kin", "residence", rf"i have an? (?:{KIN}) (?:living )?in {_PLACE}"),
    _said(
        "schooling of a child",
        r"my (?:son|daughter|kid|kids|boy|girl|niece|nephew|grandson|granddaughter|little one) "
        r"(?:has |have )?(?:just )?(?:started|starts|is in|is starting|goes"
        r" to) (?:kindergarten|preschool|pre-k|nursery|daycare|primary(?:"
        r" school)?|elementary(?: school)?|middle school|high school|secondary"
        r" school|college|uni|university|(?:first|second|third|fourth|fifth"
        r"|sixth|[0-9]+th) grade|year [0-9]+)(?: [^,.;]{0,20})?",
    ),
    _said("routine", rf"i {_ADVERBS}(?:{_DOING})\b[^,.;?]{{0,40}}? {_OFTEN}(?: [^,.;?]{{0,20}})?"),
    _said(
        "effort",
        rf"{_AM} (?:{_ADVERBS})(?:trying|hoping) to (?:lose|gain|quit|cut"
        rf" down|get fit|save|learn|conceive|eat)[^,.;?]{{0,40}}",
    ),
    _said("training", rf"{_AM} (?:{_ADVERBS})training for (?:a|an|the|my) [^,.;?]{{2,40}}"),
    _said(
        "pregnancy",
        rf"(?:{_AM}|my wife is|my wife['’]s) (?:{_NUMBER} (?:weeks|months)"
        rf" )?pregnant(?: with [^,.;]{{2,30}})?",
        0.8,
    ),
    _said(
        "death of kin",
        rf"my (?:{KIN}|grandmother|grandfather|granddad|nana) (?:has |just"
        rf" )?(?:passed away|died|passed)(?: (?:last|this|in|on|yesterday"
        rf"|when)\b[^,.;]{{0,25}})?",
        0.75,
    ),
    _said(
        "operation of kin",
        rf"my (?:{KIN}) (?:just )?(?:had|is having|is getting) (?:a |an |her"
        rf" |his |their )?(?:\w+ )?(?:surgery|operation|replacement|bypass"
        rf"|transplant)(?: [^,.;]{{0,25}})?",
        0.7,
    ),
    _said(
        "watching",
        rf"{_AM} (?:{_ADVERBS})(?:watching|rewatching|binging|bingeing|reading"
        rf"|playing) (?-i:[A-Z])[^,.;?]{{2,40}}",
    ),
    _said(
        "fear",
        rf"{_AM} (?:{_ADVERBS})(?:really |so |a bit |terrified|scared|afraid)*"
        rf"(?:terrified|scared|afraid) of (?!you|it|that|this|what|him|her"
        rf"|them|losing|being|my)[^,.;?]{{3,30}}",
    ),
    _said(
        "way to work",
        rf"my commute (?:is|takes)(?: about| around| over)? {_NUMBER} (?:hours?"
        rf"|minutes)[^,.;]{{0,20}}",
    ),
    _said("place of work", r"my office is (?:in|on|near) (?!a |the middle|my |chaos)[^,.;]{2,30}"),
    _said(
        "roots of somebody",
        rf"my (?:roommate|flatmate|housemate|boss|best friend|{KIN}) is "
        rf"(?:originally )?from {_PLACE}",
    ),
)
