"""Allergies that English speakers say they have, as patterns. Pure."""

from ..extraction_rule import ExtractionRule
from .extraction_rules import KIN, SOMETHING
from .phrases import phrases

_NAMED = (
    r"(?P<named>(?-i:(?!(?:Everyone|Everybody|Nobody|Someone|Somebody|Anyone|She|He|It|They|We|You"
    r"|Who|That|This|Now|Also|And|But)\b)[A-Z][a-z]+))"
)

RULES: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "allergy that one has",
        phrases(
            rf"(?:(?:i|we)(?:['’]ve| have)(?: got)?|my {KIN}(?: has|['’]s)(?: got)?)"
            r"(?: an?| some)?(?: (?:really|very|pretty|bad|nasty|severe|serious|mild|proper))*"
            r" (?P<x>(?!(?:an?|the|no|bit|got|some|any)\b)[\w-]+(?: [\w-]+)?) allerg(?:y|ies)"
            r"(?: (?:and|as well|too)\b[^,.]{0,40})?"
        ),
        0.9,
        thing="thing",
        cues=("allergies", "must not eat"),
        slot="allergy",
    ),
    ExtractionRule(
        "allergy to something",
        phrases(
            rf"(?:(?:i|we)(?:['’]ve| have)(?: got)?|my {KIN}(?: has|['’]s)(?: got)?) an?"
            rf"(?: [\w-]+){{0,2}}? allergy to {SOMETHING}"
        ),
        0.9,
        thing="thing",
        cues=("allergies", "must not eat"),
        slot="allergy",
    ),
    ExtractionRule(
        "allergy of somebody by name",
        phrases(
            rf"{_NAMED}(?:(?: is|['’]s) (?:\w+ly |very |also )?allergic to {SOMETHING}"
            r")"
        ),
        0.85,
        template="{clause}",
        cues=("allergies", "must not eat"),
        slot="allergy",
    ),
)
"""Tried before what people say they have."""
