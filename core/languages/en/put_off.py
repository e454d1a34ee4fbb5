"""How English speakers say that something was put off to another day. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern
from ..reports import PutOffWords
from .phrases import phrases

_BE = (
    r"(?: is| are| was| were|['’]s| got| has been| have been| has| have|['’]ve)"
    r"(?: (?:now|just|also|been|being|going to be|had to be))*"
)
_MOVED = (
    "(?:(?:put|pushed|moved|brought|shifted|bumped)(?: (?:back|off|forward|forwards|up|out))?"
    "|postponed|rescheduled|delayed|changed)"
)
_MOVE = f"(?:{_MOVED}|(?:push|move|bring|shift)(?: (?:back|off|forward|forwards|up|out))?)"
_WHAT = r"(?P<x>[^,.]{2,60}?)"
_TO = r"(?: from [^,.]{2,20}?)? (?:to|until|till|for|by) (?P<to>[^.]{2,40})"
_WHO = (
    r"(?:i|we|they|he|she|the [\w-]+|my [\w-]+)(?:['’]ve| have|['’]s| has|['’]d)?(?: had to| just)*"
)

PUT_OFF = PutOffWords(
    patterns=(
        phrases(rf"{_WHAT}{_BE} {_MOVED}(?: again)?{_TO}"),
        phrases(rf"{_WHO} {_MOVE} {_WHAT}(?: (?:back|off|forward|forwards|up|out))?{_TO}"),
        phrases(rf"(?:(?:just|had to) )*{_MOVED} (?P<x>(?:the|my|our) [^,.]{{2,60}}?){_TO}"),
        phrases(rf"{_WHAT}(?: is|['’]s) (?:actually |now )+(?:on|in|at) (?P<to>[^.]{{2,40}})"),
        phrases(
            r"(?:actually )?(?:can (?:you|we) )?(?:make|move) (?:that|it) (?:to )?"
            rf"(?P<to>[^.]{{2,30}}?) for {_WHAT}"
        ),
        phrases(
            rf"{_WHAT}{_BE} (?:put off|pushed back|postponed)(?: again| indefinitely| for now)?"
        ),
    ),
    unsure=lazy_pattern(
        r"\b(?:should|could|would|might|may (?:be|have|get)|if|when|unless|whether|hope"
        r"|hopefully|wish|want|maybe"
        r"|perhaps|probably|never|not|n['’]t|almost|nearly|trying|asked)\b|n['’]t\b",
        re.I,
    ),
    nouns={
        "appointment": "",
        "wedding": "wedding|marr",
        "booking": "",
        "visit": "visit|see|go|com",
        "trip": "",
        "exam": "exam|test",
        "test": "exam|test",
        "op": "op\\b|operat|surg|replac",
        "operation": "op\\b|operat|surg|replac",
        "viewing": "view",
        "checkup": "check",
        "check-up": "check",
    },
    today=lazy_pattern(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.I),
    own=lazy_pattern(r"\b(?:my|our)\b", re.I),
    later=lazy_pattern(
        r"\b(?:(?:put|pushed) (?:[\w' -]+ )?(?:back|off)|postponed|delayed)\b", re.I
    ),
    readings=("{to}", "on {to}", "at {to}"),
    at="on ",
    hour=lazy_pattern(
        r"\s+(?:at|from|around|about)\s+\d{1,2}(?:[:.]\d\d)?(?:\s*(?:am|pm|o['’]clock))?\b", re.I
    ),
    unset="on a day not set yet",
)
