"""An English speaker's own words, told about the speaker. Pure."""

import re

_VERB = re.compile(
    r"i\s+(?P<adverbs>(?:\w+ly\s+|also\s+|still\s+|always\s+|just\s+|now\s+|both\s+|quite\s+"
    r"|kind\s+of\s+|very\s+much\s+)*)"
    r"(?P<verb>like|love|enjoy|adore|prefer|hate|dislike|detest|live|work|study|teach|come|have|own"
    r"|plan|intend|want|need)\b",
    re.I,
)
PLURAL = re.compile(r"(?:we|our|us)\b", re.I)
_OPENING = (
    (re.compile(r"(?:i am|i['’]m)\b", re.I), "{who} is"),
    (re.compile(r"(?:i do not|i don['’]t)\b", re.I), "{who} doesn't"),
    (re.compile(r"i['’]ve\b", re.I), "{who} has"),
    (re.compile(r"i['’]ll\b", re.I), "{who} will"),
    (re.compile(r"my\b", re.I), "{who}'s"),
    (re.compile(r"i\b", re.I), "{who}"),
)
_PRONOUNS = {
    "i": "they",
    "i'm": "they're",
    "i've": "they've",
    "i'll": "they'll",
    "i'd": "they'd",
    "me": "them",
    "my": "their",
    "mine": "theirs",
    "myself": "themselves",
    "am": "are",
}
FIRST_PERSON = r"\b(?:i['’](?:m|ve|ll|d)|i|me|my|mine|myself|am)\b"
_PRONOUN = re.compile(FIRST_PERSON, re.I)


def told(clause: str, who: str) -> str:
    """The subject becomes `who` with the verb to match; later pronouns become they."""
    verb = _VERB.match(clause)
    if verb:
        head = f"{who} {verb['adverbs']}{_third(verb['verb'].lower())}"
        return head + pronouns(clause[verb.end() :])
    for pattern, subject in _OPENING:
        opening = pattern.match(clause)
        if opening:
            return subject.format(who=who) + pronouns(clause[opening.end() :])
    return pronouns(clause)


def asked(clause: str, who: str) -> str:
    """A request to the bot, which does not name its speaker."""
    return pronouns(clause)


def pronouns(text: str) -> str:
    """First-person pronouns as third-person ones."""
    return _PRONOUN.sub(lambda m: _PRONOUNS[m.group().lower().replace("’", "'")], text)


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith(("ch", "sh", "s")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("dy") else f"{verb}s"
