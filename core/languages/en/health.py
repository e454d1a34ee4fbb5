"""Allergies that English speakers say they have, as patterns. Pure."""

from ..extraction_rule import ExtractionRule
from .extraction_rules import KIN, SOMETHING
from .phrases import phrases

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
)
"""Tried before what people say they have."""
