"""How English speakers say that something was done, or given up. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern
from ..reports import ReportWords
from .phrases import phrases
from .put_off import PUT_OFF

_ADVERB = r"(?:finally|just|already|actually|now|eventually|at last|both|all|only just|today)"
_I = rf"(?:i|we|i['’]ve|we['’]ve|i have|we have)(?: {_ADVERB})*"
_BE = r"(?: is| are| was| were|['’]s| got| has been| have been| has| have)"
_WHAT = r"(?P<x>[^,.]{2,60}?)"
_WHEN = (
    r"(?: (?:yesterday|today|tonight|this (?:morning|afternoon|evening|week|weekend|month)"
    r"|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter)|already|at last"
    r"|finally|now|(?:on|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day|successfully))*"
)
_PAST = (
    # "I've got to call" is to be done, and "I've got a meeting" as much.
    "finished|completed|did|wrapped up|finalized|finalised|sorted out|submitted|handed in"
    "|turned in|sent off|sent in|booked|reserved|bought|ordered|purchased|(?<!ve[ ])got(?! to\\b)"
    "|sold|renewed|signed up for|enrolled in|registered for|joined|went to|visited|travelled to"
    "|traveled to|flew to|came back from|got back from|saw|fixed|repaired|painted|cleaned|tidied"
    "|washed|returned|paid|read|wrote|watched|moved to|moved into|called|phoned|rang|met|passed"
    "|took|ran|built|planted|adopted|quit|left|applied for|cooked|baked|learned|learnt|started"
    "|installed|assembled|had|attended|gave|threw|hosted|organised|organized|picked up"
    "|dropped off|mailed|posted|published|packed|climbed|hiked|recorded|knitted|sewed|rented out"
    "|returned"
)
_GAVE_UP = (
    "(?:cancelled|canceled|called off|gave up(?: on)?|given up(?: on)?|dropped(?! [^,.]* off\\b)"
    "|scrapped|abandoned|decided against)"
)
_PARTICIPLE = (
    "done|finished|completed|over|sorted|submitted|handed in|sent|booked|bought|sold|renewed"
    "|fixed|repaired|painted|cleaned|tidied|returned|paid|written|built|planted|assembled"
    "|installed|packed|published|organised|organized"
)


REPORTS = ReportWords(
    done=(
        phrases(
            rf"(?:{_I} |(?:i['’]m|we['’]re|i am|we are) )(?:{_ADVERB} )*back from {_WHAT}{_WHEN}"
        ),
        phrases(
            rf"(?:i['’]m|we['’]re|i am|we are) (?:{_ADVERB} )*(?:done|finished|through) with"
            rf" {_WHAT}"
        ),
        phrases(
            rf"{_I} (?:got|had) {_WHAT}"
            rf" (?P<v>done|serviced|fixed|repaired|cut|painted|cleaned){_WHEN}"
        ),
        phrases(rf"{_I} (?P<v>{_PAST}) {_WHAT}{_WHEN}"),
        # "Sold the car!" leaves out the "I"; "read the report" may be a request.
        phrases(
            rf"(?:{_ADVERB} )*(?P<v>(?!(?:read|quit)\b)(?:{_PAST}))"
            rf" (?P<x>(?:the|my|our|that|those) [^,.]{{2,60}}?){_WHEN}"
        ),
        phrases(rf"{_WHAT}{_BE}(?: {_ADVERB})* (?P<v>{_PARTICIPLE}){_WHEN}"),
        phrases(
            rf"{_WHAT} went (?:really |very |quite )?(?:well|fine|great|smoothly|ok|okay){_WHEN}"
        ),
    ),
    given_up=(
        phrases(rf"{_I} {_GAVE_UP} {_WHAT}{_WHEN}"),
        phrases(rf"(?:{_ADVERB} )*{_GAVE_UP} (?P<x>(?:the|my|our|that) [^,.]{{2,60}}?){_WHEN}"),
        phrases(
            rf"{_WHAT}{_BE}(?: {_ADVERB})* (?:been )?(?:cancelled|canceled|called off|off"
            rf"|scrapped){_WHEN}"
        ),
        phrases(
            r"(?:i['’]m|we['’]re|i am|we are) (?:no longer|not) (?:going to|planning to)"
            rf" (?P<v>\w+)(?: to| for| from| on)? {_WHAT}(?: any ?more| after all)?"
        ),
        phrases(
            r"(?:i['’]m|we['’]re|i am|we are) (?:no longer|not) (?P<v>\w+ing)(?: to| for| on)?"
            rf" {_WHAT}(?: any ?more| after all)"
        ),
        phrases(
            r"(?:i|we) (?:won['’]t|will not|don['’]t want to|do not want to|decided not to"
            rf"|no longer (?:want|plan|intend) to) (?P<v>\w+)(?: to| for| from| on)? {_WHAT}"
            r"(?: any ?more| after all)?"
        ),
    ),
    verbs={
        "finish": "",
        "complet": "",
        "did": "",
        "done": "",
        "wrap": "",
        "final": "",
        "sort": "",
        "over": "",
        "had": "",
        "serviced": "servic",
        "submit": "submit|hand|turn|send|file",
        "hand": "hand|submit|turn|write|send",
        "turn": "turn|hand|submit",
        "sent": "send|submit|mail|post",
        "book": "book|reserv",
        "reserv": "book|reserv",
        "bought": "buy|get|order|purchas",
        "buy": "buy|get|order|purchas",
        "order": "order|buy|get",
        "purchas": "buy|get|purchas",
        "got": "get|buy|adopt|pick",
        "sold": "sell",
        "sell": "sell",
        "sign": "sign|enrol|regist|join|start|take",
        "enrol": "sign|enrol|regist|join|start",
        "regist": "sign|enrol|regist|join",
        "join": "sign|enrol|regist|join|start",
        "went": "go|visit|travel|trip|see|fly|attend|take",
        "visit": "visit|see|go|travel|trip",
        "travel": "go|visit|travel|trip|fly",
        "flew": "go|visit|travel|trip|fly",
        "came": "go|visit|travel|trip|fly",
        "go": "go|visit|travel|trip|see|fly",
        "saw": "see|visit|watch|go",
        "fix": "fix|repair|mend",
        "repair": "fix|repair|mend",
        "paid": "pay",
        "read": "read",
        "wrote": "writ",
        "written": "writ",
        "mov": "mov",
        "call": "call|phone|ring",
        "phone": "call|phone|ring",
        "rang": "call|phone|ring",
        "met": "meet|see|visit",
        "pass": "pass|take|sit|exam|test",
        "took": "take|sit|go|test",
        "tak": "take",
        "ran": "run",
        "run": "run",
        "built": "build|make",
        "quit": "quit|leav|resign",
        "left": "leav|quit",
        "learn": "learn|study",
        "gave": "give|hold|present",
        "threw": "throw|host|give|party",
        "cut": "cut",
        "appl": "apply|appli",
        "apply": "apply|appli",
        "start": "start|begin|take|join",
        "attend": "attend|go|take",
        "pick": "pick|get|collect",
        "adopt": "adopt|get",
        "clean": "clean|tidy",
        "tidi": "tidy|tidi|clean",
        "tidy": "tidy|tidi|clean",
        "hik": "hik|climb|walk",
        "climb": "climb|hik",
    },
    nobody=lazy_pattern(
        r"\b(?:almost|nearly|half|not quite|hardly|barely|should|could|if|when|once|until|unless"
        r"|before|he|she|they|his|her|their|you|your|hope|hopefully|wish|to be|want to have|never"
        r"|soon)\b",
        re.I,
    ),
    around=lazy_pattern(
        r"^(?:(?:my|our|the|a|an|all|to|on|up|that|this|those|these|some|new|learning|buying|doing"
        r"|going|taking|getting|whole)\s+)+|\s+(?:trip|thing|stuff|plan|plans|idea)$",
        re.I,
    ),
    reconsider="Whether to reconsider: {text}",
    empty=frozenset(
        {"thing", "stuff", "work", "job", "it", "lot", "day", "time", "plan", "idea", "one"}
    ),
    put_off=PUT_OFF,
)
