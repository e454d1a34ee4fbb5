"""How English speakers say that somebody has another name, as patterns over sentences. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern
from .kin import KIN
from .name_words import NAME_WORDS

_NO_NAMES = "|".join(
    re.escape(word) for word in sorted(NAME_WORDS.no_names | NAME_WORDS.openers, key=str.lower)
)
_PART = rf"(?!(?i:{_NO_NAMES}|{'|'.join(KIN.values())})\b)[A-Z][\w'’-]*(?<!['’]s)"
_WHO = rf"\b(?P<who>{_PART}(?: {_PART}){{0,2}})"
_X = rf"['\"“]?(?P<x>{_PART}(?: {_PART})?)['\"”]?(?=$|[,.;!]| at (?:work|home|school)\b)"
_THEY = (
    r"(?:(?i:we|everyone|everybody|people|they|all of us|the team)"
    r"|(?:his|her|their|my|our|all his|all her) (?:friends|colleagues|family))"
)
_CALL = r"(?: all| always| usually| mostly| just| also| simply| really)* calls?"
_THEM = "(?:him|her|them)"
_REAL = "(?:real|full|actual|proper|given|official) name(?: is|['’]s)"

CALLED: tuple[re.Pattern[str], ...] = tuple(
    map(
        lazy_pattern,
        (
            rf"{_WHO},? whom? (?:{_THEY}|I){_CALL} {_X}",
            rf"(?<!when )(?<!if )\b{_THEY}{_CALL} \b(?P<who>{_PART}(?: {_PART})?) {_X}",
            rf"{_WHO}(?: (?:at|from|in) [^,;]{{1,30}})?, (?:(?:but|and|so|though) )?"
            rf"(?:{_THEY}|I){_CALL} {_THEM} {_X}",
            rf"(?:{_THEY}|I){_CALL} {_THEM} (?P<x>{_PART}),? (?:but )?(?:his|her|their) {_REAL} "
            rf"{_WHO}",
            rf"\b(?P<x>{_PART})['’]s {_REAL} {_WHO}",
            rf"{_WHO}['’]s nickname is {_X}",
            rf"{_WHO},? (?:(?:also|better) known as|a\.?k\.?a\.?|nicknamed|goes by"
            rf"|is nicknamed) {_X}",
            rf"\b(?P<x>{_PART}) is short for {_WHO}",
        ),
    )
)
"""Each finds somebody by the group `who`, and another name of theirs, `x`."""
