"""An English speaker's own words, told about the speaker. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern

_VERB = lazy_pattern(
    r"i\s+(?P<adverbs>(?:\w+ly\s+|also\s+|still\s+|always\s+|just\s+|now\s+|both\s+|quite\s+"
    r"|kind\s+of\s+|very\s+much\s+)*)"
    r"(?P<verb>like|love|enjoy|adore|prefer|hate|dislike|detest|live|work|study|teach|come|have|own"
    r"|plan|intend|want|need|drive|speak|use|take|play|get|go|wake|run|swim|train|walk|cycle|sleep|weigh|eat|drink|smoke"
    r"|support|rent|volunteer|wear|owe)\b",
    re.I,
)
_POLITE = lazy_pattern(
    r"(?:(?:and|also|please|pls|(?:can|could|will|would) you) )+(?=remind )", re.I
)
_TO_SPEAKER = lazy_pattern(r"\b(?P<verb>remind) me\b", re.I)
TODAY = lazy_pattern(r"[ ,]*\btoday\b(?!['’]s)", re.I)
PLURAL = lazy_pattern(r"(?:we|our|us)\b", re.I)
OF_ITS_OWN = lazy_pattern(
    r"(?:we|our|us|the|an?|this|that|it|they|there|wedding)\b|(?!i['’])\w+['’]s\b", re.I
)
"""Begins a clause with a subject that is not the speaker, who is named before a colon."""
_OPENING = (
    (lazy_pattern(r"(?:i am|i['’]m)\b", re.I), "{who} is"),
    (lazy_pattern(r"(?:i do not|i don['’]t)\b", re.I), "{who} doesn't"),
    (lazy_pattern(r"i['’]ve\b", re.I), "{who} has"),
    (lazy_pattern(r"i['’]ll\b", re.I), "{who} will"),
    (lazy_pattern(r"my\b", re.I), "{who}'s"),
    (lazy_pattern(r"i\b", re.I), "{who}"),
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
_PRONOUN = lazy_pattern(FIRST_PERSON, re.I)


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
    """A request to the bot: without what only makes it polite."""
    plain = _POLITE.sub("", clause)
    return pronouns(_TO_SPEAKER.sub(lambda match: f"{match['verb']} {who}", plain))


def pronouns(text: str) -> str:
    """First-person pronouns as third-person ones."""
    return _PRONOUN.sub(lambda m: _PRONOUNS[m.group().lower().replace("’", "'")], text)


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith(("ch", "sh", "s", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("dy") else f"{verb}s"
