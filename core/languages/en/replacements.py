"""What English speakers say has taken the place of something else. Pure.

A change may be announced in one clause and its value given in the next: "got a new job, at the
hospital". Such pairs are read as one clause, with the comma between them.
"""

from ..extraction_rule import NAMED, ExtractionRule, change_rule
from .changes import ANYBODY, DRINK, INSTRUMENT, NOW, TIME
from .phrases import phrases

_NOT = (
    r"(?!(?:it|that|this|him|her|them|you|not|so|the (?:next|other|moment)|a (?:while|bit|lot))\b)"
)
_X = rf"(?P<x>{_NOT}[^,.;]{{2,40}}?)"
_PLACE = (
    r"(?P<x>(?!(?:an?|my|his|her|their|our|it|bed|love|trouble|tears|hospital|town|charge|touch"
    r"|the (?:office|end|moment|hospital|same))\b)[^,.;]{2,30}?)"
)
_NAMED = r"(?P<x>(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*)?)"
_BE = r"(?:['’]s|['’]re|['’]m| is| are| am)"
_I = r"(?:i|we|i['’]ve|we['’]ve)"
_PRAISED = r"(?!(?:great|good|lovely|nice|better|more|less|some|an?|no|really|such|all|my|real)\b)"
"""After "with": not the praise of what is new."""
_PERSON = "boss|manager|supervisor|landlord|landlady|flatmate|roommate|dentist|doctor|gp"
_THING = r"phone|laptop|computer|car|camera|bike|bank"
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"(?: (?:and|evenings?|mornings?|nights?|\w+days?))*"
)
_DRINK = rf"(?P<x>{DRINK})"
_INSTRUMENT = rf"(?P<x>{INSTRUMENT})"


def _replaced(
    name: str, slot: str, pattern: str, value: str = "", *, denies: bool = False
) -> ExtractionRule:
    return change_rule(f"replacement of {name}", slot, phrases(pattern), 0.65, value, denies=denies)


PAIRS: tuple[ExtractionRule, ...] = (
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}(?:(?:changed|switched|moved|left|quit) (?:my )?(?:jobs?|compan(?:y|ies)"
        rf"|employers?)"
        rf"|(?:got|landed|found|started|have|took) (?:a |my )?new (?:job|gig|role|position)){NOW},"
        rf" (?:(?:i['’]m|we['’]re|i|it['’]s) )?(?:now |currently |working |work )*(?:at|for"
        rf"|with) {_PRAISED}{_X}{NOW}",
    ),
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:moved(?: house| home| flat| again| out)?|relocated){NOW},"
        rf" (?:(?:i['’]m|we['’]re|it['’]s) )?(?:now |living |this time )*(?:in|to"
        rf"|near) {_PLACE}{NOW}",
    ),
    _replaced(
        "thing",
        NAMED,
        rf"{ANYBODY}(?:got|bought|have|ordered|treated myself to|switched to)(?: myself)? (?:a "
        rf"|my )?new"
        rf" (?P<of>{_THING}){NOW}, (?:(?:it['’]s|it is|this one['’]s)(?: an?| the)?"
        rf"|an?|the) {_X}{NOW}",
    ),
    _replaced(
        "thing",
        NAMED,
        rf"(?:my |the )?(?:old )?(?P<of>{_THING}) (?:died|broke|packed in|gave up|got (?:stolen"
        rf"|wrecked))"
        rf"{NOW}, (?:so )?(?:(?:{_I}|now) )?(?:now )?(?:got|bought|have|use|using|on) (?:an? "
        rf"|the )?{_X}{NOW}",
    ),
    _replaced(
        "person",
        NAMED,
        rf"{ANYBODY}(?:got|have) (?:an? )?new (?P<of>{_PERSON}){NOW}, (?:(?:he|she|they|it){_BE} )?"
        rf"(?:(?:called|named) |(?:his|her|their) name{_BE} )?{_NAMED}{NOW}",
    ),
)
"""A clause that announces a change and the next that says to what; tried before all others."""

RULES: tuple[ExtractionRule, ...] = (
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:made the move|upped sticks|packed up and moved|moved(?: the whole family)?"
        rf"|(?:went|came|gone|come) back|flew back|returned)(?: over| out| home| down| up)? (?:to"
        rf"|for good to)"
        rf" {_PLACE} (?:for good|permanently){NOW}",
    ),
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:call|calling) {_PLACE} home{NOW}",
    ),
    _replaced(
        "home", "residence", rf"(?:my |our )?home{_BE} (?:now )?(?:in )?{_PLACE} (?:now|these days)"
    ),
    _replaced(
        "home",
        "residence",
        rf"(?:(?:i['’]m|i am|we['’]re) )(?:now |all )?(?:settled|living|back living|based)"
        rf" (?:in|near) {_PLACE}{NOW}",
    ),
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:got|picked up) the keys to (?:a|an|our|my) [^,.;]{{2,30}}? in {_PLACE}{NOW}",
    ),
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}(?:got|landed|took|found|started|accepted) (?:an? |my )?(?:new )?(?:job|role"
        rf"|position|post)(?: as [^,.;]{{2,30}}?)? (?:at|with|from|for) {_X}{NOW}",
    ),
    _replaced(
        "work",
        "workplace",
        rf"(?:(?:i['’]m|i am|we['’]re) )(?:now |currently )?(?:at|with) {_X} (?:now|these days)",
    ),
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}(?:left|quit) [^,.;]{{2,30}}? (?:for|to (?:join|work (?:at|for)"
        rf"|go to)) {_X}{NOW}",
    ),
    _replaced(
        "work",
        "workplace",
        rf"(?:{ANYBODY}got the (?:sack|boot|chop)(?: from [^,.;]+?)?{NOW}"
        rf"|[^,.;]{{2,30}}? (?:laid me off|let me go"
        rf"|fired me|made me redundant){NOW})",
        denies=True,
    ),
    _replaced(
        "trade",
        "job",
        rf"(?:(?:i['’]m|i am) (?:now )?(?:working as|training to be)|(?:i )?{TIME}retrained as"
        rf"|(?:i['’]ve been|i was|they) (?:just )?made(?: me)?) (?:an? |the )?{_X}{NOW}",
    ),
    _replaced(
        "bond",
        "marital",
        rf"(?:(?:he|she) proposed(?: to me)?(?: and i said yes)?|(?:i|we) got engaged{NOW})",
        "engaged",
    ),
    _replaced(
        "bond",
        "marital",
        rf"(?:(?:my|our|the) divorce (?:is|came|has come|went|got)(?: now)? (?:final|finali[sz]ed"
        rf"|through)|"
        rf"{ANYBODY}(?:filed for divorce|got divorced)){NOW}",
        "divorced",
    ),
    _replaced(
        "bond",
        "marital",
        rf"(?:(?-i:[A-Z])\w+ and i|me and (?-i:[A-Z])\w+|we)(?: have|['’]ve)? (?:broke up"
        rf"|broken up|split(?: up)?|are over"
        rf"|called it quits|ended (?:things|it)|called off (?:the|our) engagement){NOW}",
        "single",
    ),
    _replaced(
        "pet",
        "pet",
        rf"{ANYBODY}(?:rehomed|had to rehome|lost|had to put down) (?:my|our"
        rf"|the) (?P<x>(?:\w+ )?(?:dog|cat|puppy"
        rf"|kitten|rabbit|hamster|parrot|horse|bird)){NOW}",
        denies=True,
    ),
    _replaced(
        "pet",
        "pet",
        rf"{ANYBODY}(?:adopted|rescued|brought home|got) (?:an? |two "
        rf"|another )(?P<x>(?:[\w-]+ ){{0,2}}(?:dog|cat|puppy"
        rf"|kitten|rabbit|hamster|parrot|greyhound|labrador|retriever|terrier|tabby|budgie"
        rf"|tortoise)s?"
        rf"(?: (?:called|named) [\w'’-]+)?){NOW}",
    ),
    _replaced(
        "allergy",
        "allergy",
        rf"{ANYBODY}(?:not|can eat|fine with|okay with|ok with|cleared for) "
        rf"(?:allergic to )?{_X} (?:after all|again)",
        denies=True,
    ),
    _replaced(
        "allergy",
        "allergy",
        rf"{ANYBODY}(?:developed|been diagnosed with|got diagnosed with"
        rf"|have) an? {_X} allergy{NOW}",
    ),
    _replaced(
        "smoking",
        "smoking",
        rf"(?:(?:i['’]m|i am|been) (?:now )?)?(?:\w+ )?(?:days?|weeks?|months?"
        rf"|years?)?(?: without a cigarette"
        rf"| smoke[- ]free| cigarette[- ]free| off the (?:cigarettes|fags|cigs)){NOW}",
        denies=True,
    ),
    _replaced(
        "smoking",
        "smoking",
        rf"{ANYBODY}(?:started|taken up|took up|back on)(?: the)? "
        rf"(?P<x>smoking|vaping|cigarettes|fags|cigs)(?: again)?{NOW}",
    ),
    _replaced(
        "drink",
        "favourite:drink",
        rf"{ANYBODY}(?:switched|gone over|moved(?: on)?|converted"
        rf"|back)(?: from [^,.;]{{2,20}}?)? to {_DRINK}{NOW}",
    ),
    _replaced(
        "drink",
        "favourite:drink",
        rf"(?:it['’]s |i (?:only |mostly |just )?drink |i['’]m (?:on"
        rf"|onto) (?:the )?){_DRINK}(?: now| these days"
        rf"| only| instead| all the way)+",
    ),
    _replaced(
        "instrument",
        "instrument",
        rf"{ANYBODY}(?:(?:am |i['’]m )?(?:learning|playing|practi[sc]ing|taking up"
        rf"|studying)(?: to play)?|took up|taken up"
        rf"|switched to|moved (?:on )?to|started(?: on| learning| playing)?|picked up"
        rf"|play)(?: the)? {_INSTRUMENT}"
        rf"(?: lessons)?{NOW}",
    ),
    _replaced(
        "instrument",
        "instrument",
        rf"{ANYBODY}(?:quit|gave up|given up|dropped|sold|stopped(?: playing| learning)?"
        rf"|ditched)(?: the| my)?"
        rf" {_INSTRUMENT}(?: lessons)?{NOW}",
        denies=True,
    ),
    _replaced(
        "favourite",
        "favourite",
        rf"(?:my )?(?:new )?favou?rite (?P<of>[a-z]+) (?:these days |now |right now "
        rf"|at the moment )?"
        rf"(?:['’]s|is|are) (?:now )?{_X}{NOW}",
    ),
    _replaced(
        "favourite",
        "favourite",
        rf"{_X}(?:['’]s| is| are) my new (?:all-time )?favou?rite (?P<of>[a-z]+){NOW}",
    ),
    _replaced(
        "person",
        NAMED,
        rf"(?:my|the|our) (?:new )?(?P<of>{_PERSON}){_BE}(?: now)?(?: called"
        rf"| named)? {_NAMED}{NOW}",
    ),
    _replaced(
        "person",
        NAMED,
        rf"(?P<x>(?-i:[A-Z])[\w'’-]*)(?:['’]s| is| took over as"
        rf"| has taken over as) (?:now )?(?:my|the|our) (?:new )?"
        rf"(?P<of>{_PERSON}){NOW}",
    ),
    _replaced("person", "boss", rf"{ANYBODY}(?:report|answer)(?:ing)? to {_NAMED}{NOW}"),
    _replaced(
        "flatmate",
        "flatmate",
        rf"(?:{ANYBODY}(?:living alone|live alone|live by myself|live on my own"
        rf"|got the place to myself)|(?:my"
        rf"|the) (?:flat|room|house)-?mate[^,.;]{{0,20}}? moved out){NOW}",
        denies=True,
    ),
    _replaced(
        "appointment",
        NAMED,
        rf"(?:my |our |the )?(?P<of>[a-z]+(?: (?:class|practice|lessons?|club|training|night"
        rf"|rehearsal))?)"
        rf"(?:['’]s| is| are| has| got)?(?: been)? (?:now on|on|moved to|changed to|switched to"
        rf"|now) "
        rf"(?P<x>{_DAY})(?: now| instead| from now on)+",
    ),
    _replaced(
        "glasses",
        "glasses",
        rf"{ANYBODY}(?:had|got|gone for)(?: the| my)? (?P<x>laser (?:eye )?surgery|lasik"
        rf"|eyes lasered)"
        rf"(?: on [^,.;]+)?{NOW}",
    ),
    _replaced(
        "way to work",
        "commute",
        rf"{ANYBODY}(?P<x>(?:cycl|bik|driv|walk)(?:e|es|ing)|(?:take|taking|get|getting|catch"
        rf"|catching) the (?:bus|train|tube"
        rf"|metro|tram|subway|ferry))(?: in| to work| into work| to the office)?{NOW}(?: now"
        rf"| instead)",
    ),
    _replaced(
        "shift",
        "schedule:work",
        rf"(?:i['’]m|i am|they['’]ve put me|they put me|moved me|i work) (?:now |back )?(?:on"
        rf"|onto|to)? ?"
        rf"(?P<x>(?:night|day|early|late)s?(?: shifts?)?|nights|days|earlies|lates){NOW}(?: now"
        rf"| at [^,.;]+)?",
    ),
)
"""Tried after all other rules."""
