"""What English speakers say of what they have and do, each by the family of its words. Pure.

Tried after what is said of changes. Each family says its attribute by a word of its own, so that
nothing is read from a verb alone.
"""

from ..extraction_rule import NAMED, ExtractionRule
from .changes import ANYBODY, NOW, TIME
from .kin import WIDER_FAMILY
from .phrases import phrases

_X = r"(?P<x>(?!(?:it|that|this|him|her|them|you|not|so|the (?:next|other))\b)[^,.;]{2,40}?)"
KIN = (
    rf"(?:{'|'.join(WIDER_FAMILY.values())}|mother|mum|mom|father|dad|parents|wife|husband|partner"
    r"|girlfriend|boyfriend|fianc[eé]e?|son|daughter"
    r"|boy|girl|brother|sister|sis|gran|nan|grandma|grandpa|aunt|uncle|cousin|best friend"
    r"|best mate)"
)
_LANGUAGE = (
    r"(?P<x>english|spanish|french|german|italian|portuguese|dutch|swedish|norwegian|danish|finnish"
    r"|polish|czech|russian|ukrainian|greek|turkish|arabic|hebrew|persian|farsi|hindi|urdu|bengali"
    r"|mandarin|cantonese|chinese|japanese|korean|vietnamese|thai|welsh|irish|gaelic|latin"
    r"|icelandic"
    r"|hungarian|romanian|swahili|esperanto)"
)
_NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen)"
)
_NOWHERE = (
    r"(?!(?:hospital|bed|love|trouble|tears|charge|debt|pain|shock|a|an|the|his|her|their|my|court"
    r"|jail|prison|town|touch|labou?r|surgery|bits|two|no)\b)"
)
_NO_PLACE = (
    r"(?!(?:year|grade|class|primary|secondary|reception|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|sales|marketing|finance|accounting|love|bed)\b)"
)
"""Words that may be written with a capital after "my wife is in" and are no place."""

DATE = (
    r"[0-9]{1,2}(?:st|nd|rd|th)?(?: of)?"
    r" (?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) [0-9]{1,2}(?:st|nd|rd|th)?"
)
_ANIMAL = r"(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|fish|horse|bird|gerbil|budgie|tortoise)"


def fact(
    name: str, slot: str, pattern: str, value: str = "", *, denies: bool = False
) -> ExtractionRule:
    return ExtractionRule(
        f"fact of {name}", phrases(pattern), 0.65, slot=slot, value=value, denies=denies
    )


RULES: tuple[ExtractionRule, ...] = (
    fact(
        "home",
        "residence",
        rf"(?:{TIME})(?:renting|rented|bought|found|got) (?:a|an|my"
        rf"|our) (?:[\w-]+ ){{0,4}}?(?:flat|place|house|room"
        rf"|apartment|studio|two-bed|one-bed|condo"
        rf"|cottage) in (?P<x>{_NOWHERE}[^,.;]{{2,30}}?){NOW}",
    ),
    fact(
        "home",
        "residence",
        rf"(?:my|our|the) new (?:flat|place|house|apartment|home)(?:['’]s| is)? in "
        rf"(?P<x>{_NOWHERE}[^,.;]{{2,30}}?)(?: is [^,.;]+)?{NOW}",
    ),
    fact(
        "home of kin",
        "residence",
        rf"my {KIN} lives(?: still| now)?(?: out| over| down| up| back)? in "
        rf"(?P<x>{_NOWHERE}[^,.;]{{2,30}}?){NOW}",
    ),
    fact(
        "home of kin",
        "residence",
        rf"my {KIN}(?:['’]s| is)(?: still| now)?(?: out| over| down| up| back)? in "
        rf"(?P<x>{_NO_PLACE}(?-i:[A-Z][a-z])[^,.;]{{1,30}}?){NOW}",
    ),
    fact(
        "age of kin",
        "age",
        rf"my {KIN}(?:['’]s| has| is)?(?: just"
        rf"| now)? turned (?P<x>{_NUMBER}){NOW}",
    ),
    fact(
        "job",
        "job",
        rf"{ANYBODY}(?:got )?(?:promoted to|made) (?P<x>[\w -]*?(?:manager|lead"
        rf"|director|head [\w ]+|partner"
        rf"|supervisor|sergeant|captain|professor)){NOW}",
    ),
    fact(
        "business",
        "business",
        rf"{ANYBODY}(?:run|own|opened|started|have) (?:a|an"
        rf"|my own) (?P<x>(?:[\w-]+ ){{0,3}}(?:shop"
        rf"|store|business|company|bakery|cafe|café|restaurant|studio|garage|garden centre|salon"
        rf"|bar|pub))(?: .*)?",
    ),
    fact(
        "business",
        "business",
        rf"(?:my|the|our) (?P<x>shop|store|business|company|bakery"
        rf"|cafe|café|restaurant|studio|salon|bar|pub)"
        rf" (?:shut|closed|went bust|folded)(?: (?:down|for good))*{NOW}",
        denies=True,
    ),
    fact(
        "pet",
        "pet",
        r"(?:i|we)(?:['’]ve| have)?(?: got| have| own| adopted| bought)? (?:a"
        r"|an|two|three) "
        r"(?P<x>(?:[\w-]+ ){0,2}[\w-]+) (?:called|named) (?P<called>[\w'’-]+)",
    ),
    fact(
        "pet",
        "pet",
        rf"(?:my|our|the) (?P<x>{_ANIMAL}) (?:passed away|died|was put (?:down"
        rf"|to sleep)|ran away"
        rf"|crossed the rainbow bridge){NOW}",
        denies=True,
    ),
    fact(
        "allergy",
        "allergy",
        rf"(?:deathly|severely|badly|mildly|very|terribly|seriously"
        rf"|so) allergic to {_X}{NOW}",
    ),
    fact(
        "allergy",
        "allergy",
        rf"{ANYBODY}(?:outgrew|grew out of|got over) (?:my"
        rf"|the) {_X} allergy{NOW}",
        denies=True,
    ),
    fact(
        "language",
        "language",
        rf"(?:{ANYBODY}|(?:i['’]m|i am|we['’]re) {TIME})(?:learning|studying|taking|doing"
        rf"|picking up) {_LANGUAGE}"
        rf"(?: (?:on|with|at|in|lessons|classes|now|again|instead)\b[^,.;]*)?",
    ),
    fact(
        "language",
        "language",
        rf"{ANYBODY}(?:dropped|quit|gave up(?: on)?"
        rf"|stopped(?: learning| doing)?|ditched) {_LANGUAGE}"
        rf"(?: [^,.;]*)?",
        denies=True,
    ),
    fact(
        "name",
        "name",
        r"the name(?:['’]s"
        r"| is) (?P<x>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,2})",
    ),
    fact(
        "volunteering",
        "volunteering",
        rf"(?:i|i['’]m|i am|we) {TIME}volunteer(?:ing)? (?:at|for"
        rf"|with) (?P<x>(?:(?:the|an?|my|our) )?[\w'’-]+(?: [\w'’-]+){{0,2}}?)"
        rf"(?: (?:every|on|each) .*)?{NOW}",
    ),
    fact(
        "volunteering",
        "volunteering",
        rf"{ANYBODY}(?:stopped volunteering at"
        rf"|(?:had to )?step(?:ped)? down from) {_X}{NOW}",
        denies=True,
    ),
    fact(
        "provider",
        "provider:internet",
        rf"(?:i['’]m|i am|we['’]re"
        rf"|we are) (?:now )?with {_X} for (?:internet|broadband|wifi)(?: .*)?",
    ),
    fact("smoking", "smoking", rf"{ANYBODY}(?:still )?smoke(?: (?P<x>[^,.;]{{3,30}}))?{NOW}"),
    fact(
        "smoking",
        "smoking",
        rf"{ANYBODY}(?:quit|gave up|stopped|kicked) (?:smoking"
        rf"|cigarettes|the fags){NOW}",
        "",
        denies=True,
    ),
    fact(
        "alcohol",
        "alcohol",
        rf"(?:i|we) (?:don['’]t|do not|never) drink(?: alcohol"
        rf"| booze)?{NOW}",
        "",
        denies=True,
    ),
    fact(
        "alcohol",
        "alcohol",
        rf"(?:i['’]m|i am) (?:now )?(?:sober|teetotal|off the (?:booze"
        rf"|drink)){NOW}",
        "",
        denies=True,
    ),
    fact(
        "debt",
        "debt",
        rf"{ANYBODY}(?:(?:finally )?paid off|cleared) (?:all )?(?:my|the|our) "
        rf"(?P<x>(?:[\w-]+ ){{0,2}}(?:loans?|mortgage|debts?|credit cards?)){NOW}",
        denies=True,
    ),
    fact(
        "debt",
        "debt",
        rf"(?:i['’]m|i am|we['’]re) (?:finally |now )?debt[- ]free{NOW}",
        "",
        denies=True,
    ),
    fact("debt", "debt", rf"{ANYBODY}still owe {_X}{NOW}"),
    fact(
        "people",
        NAMED,
        r"my (?:new )?(?P<of>boss|manager|landlord|landlady|flatmate|roommate"
        r"|supervisor)"
        r"(?: is|['’]s)(?: called| named) (?P<x>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?)",
    ),
    fact(
        "way of work",
        "work_mode",
        rf"(?:(?:i['’]m|i am|we['’]re) )?(?:{TIME})(?P<x>(?:fully "
        rf"|completely )?(?:remote|hybrid)|working from home"
        rf"|back in the office(?: full[- ]time)?|wfh){NOW}",
    ),
    fact(
        "way to work",
        "commute",
        rf"i (?P<x>cycle|bike|drive|walk|take the (?:bus|train|tube"
        rf"|metro|tram|subway))(?: in| to work"
        rf"| into work| to the office){NOW}",
    ),
    fact("car", "car", rf"(?:i|we) (?:now )?drive an? {_X}{NOW}"),
    fact(
        "car",
        "car",
        rf"{ANYBODY}(?:traded|swapped) (?:in )?(?:my|the"
        rf"|our) [\w -]{{2,20}}? (?:in )?for an? {_X}{NOW}",
    ),
    fact("team", "team", rf"i support {_X}(?: fc)?(?P<t> now)?"),
    fact(
        "gym",
        "gym",
        rf"{ANYBODY}(?:joined|signed up (?:to|with|at)"
        rf"|go to) (?P<x>(?!(?:an?|the|my) )(?:[\w']+ )?\w*gym\w*)(?: on .*)?{NOW}",
    ),
    fact(
        "gym",
        "gym",
        rf"{ANYBODY}(?:cancelled|canceled|quit"
        rf"|dropped) my gym(?: membership)?{NOW}",
        "",
        denies=True,
    ),
    fact(
        "wedding",
        "marriage_date",
        rf"(?:our |the |my |my {KIN}['’]s )?wedding(?: is|['’]s) (?:on |set for )"
        r"(?:the )?(?P<x>[^,.;!]{3,30})",
    ),
    fact(
        "wedding on another day",
        "marriage_date",
        rf"(?:our |the |my |my {KIN}['’]s )?wedding(?:['’]s| is| was| got| has)?(?: now)?"
        r"(?: been)? (?:(?:put|pushed|moved|brought)(?: back| off| forward)?|postponed"
        r"|rescheduled|delayed)"
        r" (?:to|until|till) (?:the )?(?P<x>[^,.;!]{3,30})",
    ),
    fact(
        "wedding",
        "marriage_date",
        rf"{ANYBODY}(?:called (?:off )?(?:the"
        rf"|our) wedding(?: off)?|(?:the|our) wedding(?:['’]s| is) off){NOW}",
        "",
        denies=True,
    ),
    fact(
        "wedding by getting married",
        "marriage_date",
        rf"(?:(?:i['’]m|i am|we['’]re|we are|my {KIN}(?:['’]s| is)) )?"
        rf"(?:getting married|tying the knot) (?:on )?(?:the )?(?P<x>{DATE})"
        r"(?:,? (?:at|in) [^,.;]{2,40})?",
    ),
    fact(
        "weight",
        "weight",
        r"(?:(?:i|i['’]m|i am) )?(?:now |currently |still |already )*"
        r"(?:weigh(?:ing)?(?: in at)? |(?:down |up )(?:to |at ))(?:about |around |just )?"
        r"(?P<x>[0-9]{2,3}(?:\.[0-9])? ?(?:kgs?|kilos?|stone|st)\b(?: ?(?:and )?[0-9]{1,2}"
        rf"(?: ?(?:lbs?|pounds))?)?){NOW}",
    ),
    fact(
        "weight in pounds",
        "weight",
        r"i (?:now |currently |still |already )*weigh (?:about |around |just )?"
        rf"(?P<x>[0-9]{{2,3}}(?:\.[0-9])? ?(?:lbs?|pounds)){NOW}",
    ),
    fact(
        "licence",
        "driving_licence",
        rf"{ANYBODY}(?:passed my driving test"
        rf"|got my (?:driving )?licen[cs]e){NOW}",
        "has a licence",
    ),
)
