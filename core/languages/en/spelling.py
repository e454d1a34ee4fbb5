"""English as it is typed on a phone, with what is left out put back. Pure.

Rules read "I'm" and "tomorrow"; people type "im" and "tmrw". Only what can be nothing else is
written out: "its" is "it's" before "my", "were" is "we're" where a statement begins.
"""

import re

from ...text.lazy_pattern import lazy_pattern

_CONTRACTED = (
    "i'm i've you're you've you'll you'd they're they've they'll they'd we've he's she's that's"
    " that'll it'll there's here's what's where's when's who's how's why's don't doesn't didn't"
    " isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't"
    " mustn't needn't ain't"
).split()
_SHORT = {
    "gf": "girlfriend",
    "bf": "boyfriend",
    "hubby": "husband",
    "u": "you",
    "ur": "your",
    "pls": "please",
    "plz": "please",
    "gonna": "going to",
    "wanna": "want to",
    "cos": "because",
    "coz": "because",
    "cuz": "because",
    "bday": "birthday",
    "bdays": "birthday's",
    "appt": "appointment",
    "tmr": "tomorrow",
    "tmrw": "tomorrow",
    "tmoz": "tomorrow",
    "tomoz": "tomorrow",
    "2moro": "tomorrow",
    "2mrw": "tomorrow",
    "tommorow": "tomorrow",
    "tommorrow": "tomorrow",
    "tomorow": "tomorrow",
    "tonite": "tonight",
    "2nite": "tonight",
    "wknd": "weekend",
}
_WORDS = {word.replace("'", ""): word for word in _CONTRACTED} | _SHORT
_ANY_WORD = lazy_pattern(
    r"(?<![\w'’/.@#-])"
    rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?![\w'’/@(-])",
    re.I,
)
_ONE_OF_ONE = (
    "mother|mum|mom|mummy|father|dad|daddy|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?"
    "|spouse|boss|nan|gran"
)
"""People of whom somebody has one: "my mums" is no plural."""
_ONE_OF_SEVERAL = (
    "son|daughter|brother|sister|uncle|aunt|cousin|friend|mate|flatmate|dog|cat|rabbit"
)
_OPENING = r"(?:\A|(?<=[.!?,;\n])|\b(?:and|but|so|because|then|now)(?=\s))\s*"
_ASKED = (
    "you|they|we|he|she|it|the|my|your|our|his|her|their|there|those|these|any|all|both|some|i|a|an"
)

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (lazy_pattern(r"(?<=\w\w) (?:n|&) (?=\w\w|i\b)", re.I), " and "),
    (
        lazy_pattern(
            r"\bits(?=\s+(?:an?|the|my|our|his|her|their|your|not|been|on|in|at|\d)\b)", re.I
        ),
        "it's",
    ),
    (lazy_pattern(rf"({_OPENING})were(?=\s+(?!(?:{_ASKED})\b)\w)", re.I), r"\1we're"),
    (
        lazy_pattern(rf"({_OPENING})ill(?=\s+(?:be|have|go|get|take|do|see|make|call)\b)", re.I),
        r"\1i'll",
    ),
    (lazy_pattern(r"\bid(?=\s+(?:like|love|rather|prefer|be|say)\b)", re.I), "i'd"),
    # Beside Chinese: 我lactose intolerant.
    (
        lazy_pattern(
            r"我(?:是|现在|一直)*\s?(?=(?:vegan|vegetarian|(?:lactose|gluten)[ -]intolerant"
            r"|allergic to)(?![A-Za-z]))",
            re.I,
        ),
        "I'm ",
    ),
    (lazy_pattern(r"\b(it['’]s not [^,.;!?\n]{1,30}?),? it['’]?s(?= )", re.I), r"\1, it's"),
    (lazy_pattern(r"(?<=\w) (?:lol|lmao|rofl|btw)(?= \w)", re.I), ","),
    # "alfies allergic to eggs": a plural has "are".
    (
        lazy_pattern(
            r"(\A\W*|[.!?,;\n]\s*|\b(?:and|but|so|because) )((?!my\b)\w{2,})s(?= allergic to\b)",
            re.I,
        ),
        r"\1\2's",
    ),
    (lazy_pattern(r"\b(wedding)s(?= (?:on|at|in|is|next)\b)", re.I), r"\1's"),
    # A plural has "have" before "been": the weddings been put back.
    (
        lazy_pattern(
            r"\b(?!(?:ha|wa|i|alway|perhap|ye|thi|hi|u|sometime|a)s\b)(\w{2,})s(?= been\b)", re.I
        ),
        r"\1's",
    ),
    (lazy_pattern(rf"\b(my (?:{_ONE_OF_ONE}))s(?=\s+\w)", re.I), r"\1's"),
    (
        lazy_pattern(
            rf"\b(my (?:[a-z]+ )?(?:{_ONE_OF_SEVERAL}))s(?=\s+(?:an?|allergic|birthday|wedding|name"
            r"|job|\d+|(?:called|named) (?!me|us|you|him|her|them|it|and|to|in)\w+)\b)",
            re.I,
        ),
        r"\1's",
    ),
    (lazy_pattern(r"(?:['’]ve|\bhave)\s+gotta\b", re.I), " have to"),
    (lazy_pattern(r"\bgotta\b", re.I), "have to"),
)


def written_out(text: str) -> str:
    """The text as it would be written with care."""
    plain = _ANY_WORD.sub(_written, text)
    for pattern, instead in _RULES:
        plain = pattern.sub(instead, plain)
    return plain


def _written(found: re.Match[str]) -> str:
    word = found.group()
    # IM and UR in capitals are names of something.
    if word.isupper() and word not in ("U", "I"):
        return word
    told = _WORDS[word.lower()]
    return told[0].upper() + told[1:] if word[0].isupper() else told
