"""Questions that name what is kept of somebody: "where do I live", 我养了什么宠物. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .attribute_question import AttributeQuestions, Keys
from .registry import languages_in

LONGEST = 80
"""Characters of a clause that is read as such a question."""

MOST = 8
"""Clauses that are read, the last ones: what is asked comes after what it is about."""

_CLAUSE_END = re.compile(r"[。！!？?；;\n]+|[,，](?!\d)|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Attributes asked for, the likeliest first, and `who` as it was said; "" for the speaker."""

    keys: Keys
    who: str = ""


def inquiries(text: str) -> tuple[Inquiry, ...]:
    """What a turn asks of the attributes of people, in its order, each once."""
    asking = [each.attributes for each in languages_in(text) if each.attributes is not None]
    clauses = [each.strip() for each in _CLAUSE_END.split(text) if each.strip()]
    clauses = [each for each in clauses if len(each) <= LONGEST][-MOST:]
    found = (
        inquiry for clause in clauses for language in asking for inquiry in _asked(clause, language)
    )
    return tuple(dict.fromkeys(found))


def _asked(clause: str, language: AttributeQuestions) -> Iterator[Inquiry]:
    if language.advice.search(clause):
        return
    match = language.lead.match(clause)
    body = clause[match.end() if match else 0 :]
    body = language.trailing.sub("", body).strip()
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
