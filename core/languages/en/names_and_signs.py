"""What English speakers' people are called and whose star sign is which, as patterns. Pure.

Tried first: rules for what somebody is or has read the same words as something less.
"""

from ..extraction_rule import ExtractionRule
from .facts import KIN, fact

RULES: tuple[ExtractionRule, ...] = (
    fact(
        "name of kin",
        "name",
        r"(?:i|we)(?:['’]ve| have)?(?: got| have) an? (?:(?:little|big|older|younger|elder|baby"
        rf"|twin|step|half|good|close)[ -])*{KIN} (?:called|named) (?P<x>[\w'’-]+)",
    ),
    fact(
        "zodiac",
        "zodiac",
        rf"(?:i(?:['’]m| am)|my {KIN}(?:['’]s| is)) an? (?P<x>aries|taurus|gemini|cancer|leo"
        r"|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)",
    ),
)
