"""English pronouns of the third person, and the people they may mean, as patterns. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern
from .kin import KIN

_KIN = "|".join(KIN.values())

PRONOUN = lazy_pattern(
    r"(?P<lead>(?:(?:and|but|also|oh|plus|because|so|actually|well|though|then),? )*)"
    r"(?:(?P<she>she(?=['’ ])|her(?= ))|(?P<he>he(?=['’ ])|his(?= ))|(?P<it>it(?=['’ ])|its(?= )))"
    r"(?:(?:(?<=her)|(?<=his)|(?<=its))(?P<possessive> ))?",
    re.IGNORECASE,
)
SOMEBODY = lazy_pattern(
    r"\b(?:my|our|(?:have|got|has) (?:an?|one))"
    rf" (?:(?:older|elder|younger|little|big|baby|best|new) )?(?P<kin>{_KIN})\b",
    re.IGNORECASE,
)
INTRODUCES = lazy_pattern(
    r"(?:(?:i|we)(?:['’]ve)?|my (?:wife|husband|partner) and i) (?:\w+ )?(?:have|got)"
    rf" (?:an?|one|two|three) (?:[\w-]+ ){{0,3}}?(?P<kin>{_KIN})\b",
    re.IGNORECASE,
)
_NOT_PARTNER = "|".join(called for kin, called in KIN.items() if kin != "partner")
"""Who a partner is by name is a fact of its own, see `self_description`."""
_NAME = (
    r"(?!(?:he|she|it|this|that|these|those|who|what|which|there|here|one|you|they|not|never"
    r"|favou?rite|today|tomorrow)\b)[^\W\d_][\w-]+"
)
APPOSITIONS = (
    lazy_pattern(
        rf"my (?:(?:older|elder|younger|little|big|baby) )?(?P<kin>{_NOT_PARTNER}),? "
        r"(?P<name>(?-i:[A-Z])[a-z-]+),?(?P<rest>(?:['’]s(?=\s+(?:an?|\d+|allergic|been|got|going|not|just)\b)"
        r"|\s+(?:is|has|was|turned|loves|likes|hates"
        r"|lives|works|studies|can['’]t|doesn['’]t|just|got|moved))\s.+)",
        re.IGNORECASE,
    ),
    lazy_pattern(rf"(?P<name>{_NAME})(?:['’]s|\s+is) my (?P<kin>{_KIN})(?P<rest>)", re.IGNORECASE),
)
"""Who somebody of theirs is by name, and what is said of them as the group `rest`."""

_STATE = (
    r"(?:vegan|vegetarian|pescatarian|pregnant|diabetic|asthmatic|coeliac|celiac|married|single"
    r"|(?:lactose|gluten)[ -]intolerant)"
)
COORDINATED = (
    lazy_pattern(
        rf"(?P<who>(?:i['’]m|i am|we['’]re|we are|my (?:{_KIN})(?:['’]s| is)) (?:(?:also|both) )?)"
        rf"(?P<one>{_STATE}|allergic to [^,.]{{2,40}}?) and (?:also )?"
        rf"(?P<two>{_STATE}|allergic to [^,.]{{2,40}})",
        re.IGNORECASE,
    ),
)
"""Two things said of one subject: the groups `who`, `one` and `two`."""

COMPANY = lazy_pattern(
    r"\b(?:with|and|doctor|vet|teacher|friends?|colleagues?|boss|manager|neighbou?rs?|someone"
    r"|somebody|they|everyone|everybody|guy|man|woman|girl|boy|people|person)\b",
    re.IGNORECASE,
)
"""Wider than needed: where in doubt a pronoun means nobody."""
