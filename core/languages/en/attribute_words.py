"""Words from which English questions for attributes are built. Pure."""

import re
from collections.abc import Iterable

from ..attribute_question import Keys
from .kin import WIDER_FAMILY
from .phrases import phrases

KIN = "|".join(WIDER_FAMILY.values()) + (
    r"|(?:grand)?(?:mother|father|ma|pa|mum|mom|dad)|parents|wife|husband|partner|girlfriend"
    r"|boyfriend|fianc[eé]e?|spouse|(?:little |big |older |younger )?(?:son|daughter|brother|sister"
    r"|lad|boy|girl)|sis|kids?|child(?:ren)?|baby|gran|nan|aunt(?:ie)?|uncle|cousin"
    r"|(?:best )?(?:mate|friend)|flatmate|roommate|boss|colleague|dogs?|cats?|puppy|kitten|rabbit"
    r"|hamster"
)
NO_NAME = (
    "what|who|where|when|how|why|this|that|these|those|it|there|here|the|an?|your?|i|we|they|he"
    "|she|any|some|most|all|each|every|people|one|my|our|his|her|their|do|does|did|am|is|are|was"
    "|were|have|has|had"
)
NAME = rf"(?!(?:{NO_NAME})\b)[^\W\d_][\w.-]*"
WHO = rf"(?P<who>i|we|(?:my|our) (?:{KIN})|{NAME})"
ME = rf"(?P<who>i|we|(?:my|our) (?:{KIN}))"
WHOSE = rf"(?P<who>my|our|(?:(?:my|our) (?:{KIN})|{NAME})(?:['’]s?|(?<=s)['’]))"
BE = r"(?:['’]?s|['’]re| is| are| was| were)"
DO = r"(?:do|does|did|am|is|are|was|were|have|has|had)"
ADVERB = (
    r"(?:(?:currently|now|still|actually|usually|really|mostly|mainly|normally|even|again|also"
    r"|ever|already|these days|at the moment|at present|right now|originally|previously|just"
    r"|used? to|most|always|like to|tend to) )*"
)
ADJECTIVE = (
    r"(?:(?:current|present|new|old|previous|former|last|first|own|full|exact|home|main|real"
    r"|usual|go-to|hot|cold|foreign|best|present-day|latest|mobile|cell) )*"
)
ADVICE = r"(?:need|want|get|going|have to|supposed|allowed|should|can|could|would|might|must)"
DOING = rf"(?!{ADVICE}\b)[\w'’-]+(?: (?!{ADVICE}\b)[\w'’-]+){{0,3}}"
SORT = r"(?:(?:kind|sort|type|make|model|brand|breed|line)s? of )?"
HOW = r"(?:what|which|who|whose|where|when|how (?:long|much|old|many|tall|high|big))"


def keyed(table: Iterable[tuple[str, ...]]) -> tuple[tuple[re.Pattern[str], Keys], ...]:
    """A pattern each, with its keys."""
    return tuple(
        (phrases(pattern), tuple(keys.split())) for keys, *patterns in table for pattern in patterns
    )
