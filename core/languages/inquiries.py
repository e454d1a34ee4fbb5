"""Questions for an attribute of a person: "where do I live", 我养了什么宠物. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..text.lazy_pattern import lazy_pattern
from .attribute_question import AttributeQuestions, Keys
from .kin import kin_of
from .language import Marker
from .markers import codes_in, marker
from .registry import languages_in, written_out

LONGEST = 80
"""Characters of a clause that is read as such a question."""

MOST_MENTIONED = 3
"""Words of a question by which it is told what it is about, the longest."""

MOST = 8
"""Clauses that are read, the last ones: what is asked comes after what it is about."""

PEOPLE = frozenset("boss child dentist doctor family flatmate landlord partner pet".split())
"""Attributes whose values are people or pets."""

OF_ANYBODY = frozenset("age birthday height name nickname weight".split())
"""Attributes that people and pets have, too."""

_CLAUSE_END = lazy_pattern(r"[。！!？?；;\n]+|[,，](?!\d)|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Attributes asked for, the likeliest first, and `who` as it was said; "" for the speaker.

    By `words` alone it is known what the question is about, not that it asks for just that.
    """

    keys: Keys
    who: str = ""
    words: bool = False


def asks_of_self(text: str) -> bool:
    """Whether a turn, by its form, asks about the speaker's own life or what suits them."""
    text = written_out(text)
    codes = codes_in(text)

    def has(what: Marker) -> bool:
        return marker(what, codes).search(text) is not None

    if has(Marker.SUITS_SELF):
        return True
    elsewhere = has(Marker.BOT) or has(Marker.ADVICE) or has(Marker.REQUEST)
    return has(Marker.ASKED_OF_SELF) and not elsewhere


def inquiries(text: str) -> tuple[Inquiry, ...]:
    """What a turn asks of the attributes of people, in its order, each once.

    If no form of a question that is known says so, its words do.
    """
    text = written_out(text)
    asking = [each.attributes for each in languages_in(text) if each.attributes is not None]
    clauses = [each.strip() for each in _CLAUSE_END.split(text) if each.strip()]
    clauses = [each for each in clauses if len(each) <= LONGEST][-MOST:]
    found = (
        inquiry for clause in clauses for language in asking for inquiry in _asked(clause, language)
    )
    told = tuple(dict.fromkeys(found))
    if told or not asks_of_self(text):
        return told
    about = (each for clause in clauses for language in asking for each in _about(clause, language))
    return tuple(dict.fromkeys(about))


def whose(text: str) -> str | None:
    """Of whom a question asks that is `asks_of_self`: "" for the speaker, else somebody of theirs.

    None if it asks of somebody else, or of an occasion.
    """
    text = written_out(text)
    asking = [each.attributes for each in languages_in(text) if each.attributes is not None]
    if any(each.occasion.search(text) or each.others.search(text) for each in asking):
        return None
    named = (match["who"] for each in asking if (match := each.theirs.search(text)))
    return next(named, "")


def is_told_of(text: str, inquiry: Inquiry) -> bool:
    """Whether a statement is about one of the two likeliest attributes, and of whom is asked."""
    likeliest = inquiry.keys[:2]
    return any(
        _is_of(text, inquiry.who, each.attributes)
        and any(keys[0] in likeliest and one.search(text) for one, keys in each.attributes.words)
        for each in languages_in(text)
        if each.attributes is not None
    )


def _is_of(text: str, who: str, language: AttributeQuestions) -> bool:
    theirs = {kin_of(match["who"]) for match in language.theirs.finditer(text)}
    if not who:
        return not theirs and language.others.search(text) is None
    return kin_of(who) in theirs if kin_of(who) else who.casefold() in text.casefold()


def _about(clause: str, language: AttributeQuestions) -> Iterator[Inquiry]:
    """What a question is about by its words, the longest first."""
    if language.occasion.search(clause) or language.others.search(clause):
        return
    theirs = language.theirs.search(clause)
    # My wife's job is no wife; who my wife is, is.
    rest = clause if theirs is None else clause.replace(theirs.group(), " ", 1)
    found = _mentioned(rest, language)
    if theirs is not None and found:
        yield Inquiry(found, theirs["who"], words=True)
    elif found := found or _mentioned(clause, language):
        yield Inquiry(found, words=True)


def _mentioned(text: str, language: AttributeQuestions) -> Keys:
    found = [(len(m.group()), keys) for one, keys in language.words if (m := one.search(text))]
    ordered = sorted(found, key=lambda each: -each[0])[:MOST_MENTIONED]
    told = dict.fromkeys(key for _, keys in ordered for key in keys)
    # What my flatmate is called is no name of mine.
    left_out = OF_ANYBODY if not PEOPLE.isdisjoint(told) else frozenset[str]()
    return tuple(key for key in told if key not in left_out)


def _asked(clause: str, language: AttributeQuestions) -> Iterator[Inquiry]:
    if language.advice.search(clause):
        return
    match = language.lead.match(clause)
    body = clause[match.end() if match else 0 :]
    bare = language.trailing.sub("", body).strip()
    # 养的猫叫什么: who asks of themselves may leave themselves out.
    if language.myself and not language.to_you.search(body):
        of_myself = tuple(_in_a_form(language.myself + bare, language))
        if of_myself and not any(each.who for each in of_myself):
            yield from of_myself
            return
    yield from _in_a_form(bare, language)


def _in_a_form(body: str, language: AttributeQuestions) -> Iterator[Inquiry]:
    for frame in language.frames:
        if (match := frame.fullmatch(body)) is not None:
            noun = match["noun"]
            keys = next((keys for one, keys in language.nouns if one.fullmatch(noun)), ())
            yield Inquiry(keys, _who(match, language))
            return
    for pattern, keys in language.patterns:
        if (match := pattern.fullmatch(body)) is not None:
            yield Inquiry(keys, _who(match, language))


def _who(match: re.Match[str], language: AttributeQuestions) -> str:
    who = language.possessive.sub("", (match.groupdict().get("who") or "").strip())
    return "" if language.speaker.fullmatch(who) else who
