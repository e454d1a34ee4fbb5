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
COMPANY = lazy_pattern(
    r"\b(?:with|and|doctor|vet|teacher|friends?|colleagues?|boss|manager|neighbou?rs?|someone"
    r"|somebody|they|everyone|everybody|guy|man|woman|girl|boy|people|person)\b",
    re.IGNORECASE,
)
"""Wider than needed: where in doubt a pronoun means nobody."""
