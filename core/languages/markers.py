"""What words tell of a turn in any language: intent, who speaks, a call by name. Pure."""

import re
from collections.abc import Iterator
from functools import cache

from .language import Marker
from .registry import languages, languages_in, question_ends
from .scripts import in_all_scripts
from .terms import content_terms

_EVERYWHERE = {Marker.ASKING: "[?？]", Marker.CLAUSE_END: r"[。！？!?；;\n]+|\.(?=\s|$)"}
"""What holds in every language, known or not."""


def codes_in(text: str) -> tuple[str, ...]:
    """The codes of the languages that a text may be in."""
    return tuple(language.code for language in languages_in(text))


@cache
def marker(what: Marker, codes: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of a marker in these languages; one that matches nothing where none has it."""
    by_language = [
        in_all_scripts(each.markers.get(what, ""), each.folding)
        for each in languages()
        if each.code in codes
    ]
    parts = [part for part in (_EVERYWHERE.get(what), *by_language) if part]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def without_denials(text: str) -> str:
    """What is left without them: nothing of "I remember nothing about that."."""
    codes = codes_in(text)
    denial = marker(Marker.DENIAL, codes)
    clauses = marker(Marker.CLAUSE_END, codes).split(text)
    return "\n".join(clause for clause in clauses if not denial.search(clause))


def after_first_person(text: str) -> str:
    """The text behind the last place where somebody speaks of themselves; "" without one."""
    found = [*marker(Marker.FIRST_PERSON, codes_in(text)).finditer(text)]
    return text[found[-1].end() :] if found else ""


def is_first_person(text: str) -> bool:
    """Whether somebody speaks of themselves in it, so that its meaning depends on who says it."""
    return marker(Marker.FIRST_PERSON, codes_in(text)).search(text) is not None


SAYS_SOMETHING = 2
"""Content terms of a clause that tells: of the turns that a question of the development lives
needs, .999 have such a clause, of chit-chat .46; with three .989 and .29."""

_SENTENCE = re.compile(
    r"[^.!?。！？;；~～…\n]+(?:\.(?=\S)[^.!?。！？;；~～…\n]+)*[.!?。！？;；~～…]*"
)
_CLAUSE_END = re.compile(r"(?<=[.!?。！？\n,，;；])")

_MARKS = " \t.!?。！？,，;；~～…"


def tells(text: str, least: int = SAYS_SOMETHING) -> bool:
    """Whether some clause says something: "OK", "why?" do not.

    It has so many content terms at `least`. What is told inside a question or a request is told:
    我有高血压能喝咖啡吗.
    """
    return any(len(content_terms(clause)) >= least for clause in _CLAUSE_END.split(text))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text that are no questions."""
    return (each.strip() for each in _SENTENCE.findall(text) if not is_question(each))


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, without the marks at their ends."""
    parts = (part.strip(_MARKS) for part in _CLAUSE_END.split(sentence))
    return [part for part in parts if part]


def is_question(text: str) -> bool:
    """Whether a text asks rather than tells, by its last mark or particle."""
    return text.rstrip(" \t\n。.!！~～").endswith(question_ends())


LONGEST = 20
"""Characters of a name that the bot may be called by."""

READ = 20_000
"""Characters of the instructions in which its name is looked for."""

_BREAK = r"\s,，、。.!！~～:：…"
_FIRST = re.compile(
    rf"^\W*(?P<name>[^{_BREAK}?？][^,，、。!！~～:：…?？\n]{{0,{LONGEST - 1}}}?)[{_BREAK}]+(?=\w)"
)
_LAST = re.compile(
    rf"[,，、]\s*(?P<name>[^{_BREAK}?？][^,，、。!！~～:：…?？\n]{{0,{LONGEST - 1}}}?)\W*$"
)


def without_own_name(text: str, instructions: str) -> str:
    """The turn without the name by which it calls the bot, at its beginning or its end.

    It is the bot's name if the model's `instructions` name it so: "You are Tide", 你叫潮汐.
    Whatever else a turn begins with is what it is about.
    """
    if not instructions:
        return text
    for place in _places(text):
        if _is_own(text[place[0] : place[1]], instructions):
            rest = text[: place[0]].rstrip(f" {_BREAK[2:]}") + text[place[1] :].lstrip(
                f" {_BREAK[2:]}"
            )
            return rest if re.search(r"\w", rest) else text
    return text


def _places(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_FIRST, _LAST):
        if (match := pattern.search(text)) is not None:
            yield match.span("name")


def _is_own(name: str, instructions: str) -> bool:
    codes = tuple(each.code for each in languages())
    naming = marker(Marker.NAMES_THE_BOT, codes)
    said = instructions[:READ].casefold()
    return any(
        said.startswith(name.casefold(), match.end())
        and not re.match(r"[a-z0-9]", said[match.end() + len(name) :])
        for match in naming.finditer(said)
    )
