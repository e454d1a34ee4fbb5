"""What a turn is after, by its words; how much each leg then counts. Pure.

Algorithms, section 7.1. A turn may have several intents: "why did we move last week" asks for a
cause and for a time. English markers are whole words: "whenever" is not "when".
"""

import re
from collections.abc import Mapping

from .trace import Intent, Leg

_MARKERS: dict[Intent, tuple[str, str]] = {
    Intent.CAUSAL: ("为什么|为何|为啥|怎么会|导致|原因", "why|cause|caused|reason|how come"),
    Intent.TEMPORAL: (
        "什么时候|几时|哪天|哪一天|多久|上周|上个月|最近|之前|刚才|昨天|前天|去年",
        "when|recent|recently|before|last week|last month|last year|yesterday|how long|what date",
    ),
    Intent.PROCEDURAL: ("如何|怎么做|怎样|步骤|方法", "how to|how do|how can|step|steps"),
    Intent.EXPLORATORY: (
        "关于|所有|都有哪些|说说|讲讲|介绍一下",
        "all about|everything about|related to|tell me about",
    ),
    Intent.FACTUAL: (
        "什么是|谁是|是谁|哪个|哪里|哪位|叫什么|几岁|多少",
        "what is|what's|what|who is|who|which|where|whose",
    ),
}
_PATTERNS = {
    intent: re.compile(rf"{chinese}|\b(?:{english})\b", re.IGNORECASE)
    for intent, (chinese, english) in _MARKERS.items()
}

_TEXT_SHARE: dict[Intent, float] = {
    Intent.FACTUAL: 0.6,
    Intent.TEMPORAL: 0.6,
    Intent.CAUSAL: 0.6,
    Intent.PROCEDURAL: 0.6,
    Intent.EXPLORATORY: 0.5,
    Intent.GENERAL: 0.5,
}
"""What the text leg counts; the semantic leg counts the rest. See docs/benchmarks.md."""


def intents_of(text: str) -> dict[Intent, float]:
    """The intents whose markers occur, with equal weights that sum to 1; general without any."""
    found = [intent for intent, pattern in _PATTERNS.items() if pattern.search(text)]
    held = found or [Intent.GENERAL]
    return {intent: 1.0 / len(held) for intent in held}


def leg_weights(intents: Mapping[Intent, float]) -> dict[Leg, float]:
    """The weights of the legs, the mean over the intents."""
    text = sum(weight * _TEXT_SHARE[intent] for intent, weight in intents.items())
    return {Leg.TEXT: text, Leg.SEMANTIC: 1.0 - text}


def stripped(text: str) -> str:
    """The turn without its markers, for the text leg; the whole of it if nothing else is left."""
    rest = text
    for pattern in _PATTERNS.values():
        rest = pattern.sub(" ", rest)
    return rest if re.search(r"\w", rest) else text
