"""What words tell of a turn in any language: intent, who speaks, a call by name. Pure."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import batched

from .language import Marker
from .registry import languages, languages_in, question_ends
from .scripts import in_one_script
from .terms import content_terms

_EVERYWHERE = {Marker.ASKING: "[?？]", Marker.CLAUSE_END: r"[。！？!?；;\n]+|\.(?=\s|$)"}
"""What holds in every language, known or not."""


@lru_cache(16)
def _read(text: str) -> tuple[str, tuple[str, ...]]:
    """A text in the characters of the markers, and the codes of the languages it may be in."""
    return in_one_script(text), tuple(language.code for language in languages_in(text))


@cache
def _marker(what: Marker, codes: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of a marker in these languages; one that matches nothing where none has it."""
    by_language = [each.markers.get(what, "") for each in languages() if each.code in codes]
    parts = [part for part in (_EVERYWHERE.get(what), *by_language) if part]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def marked(what: Marker, text: str) -> list[tuple[int, int]]:
    """Where a text has a marker, from its first character to behind its last."""
    plain, codes = _read(text)
    return [found.span() for found in _marker(what, codes).finditer(plain)]


def without_denials(text: str) -> str:
    """What is left without them: nothing of "I remember nothing about that."."""
    places = [0, *(place for end in marked(Marker.CLAUSE_END, text) for place in end), len(text)]
    clauses = [text[start:end] for start, end in batched(places, 2)]
    return "\n".join(clause for clause in clauses if not marked(Marker.DENIAL, clause))


def after_first_person(text: str) -> str:
    """The text behind the last place where somebody speaks of themselves; "" without one."""
    found = marked(Marker.FIRST_PERSON, text)
    return text[found[-1][1] :] if found else ""


def is_first_person(text: str) -> bool:
    """Whether somebody speaks of themselves in it, so that its meaning depends on who says it."""
    return bool(marked(Marker.FIRST_PERSON, text))


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
    said = instructions[:READ].casefold()
    return any(
        said.startswith(name.casefold(), end) and not re.match(r"[a-z0-9]", said[end + len(name) :])
        for _, end in marked(Marker.NAMES_THE_BOT, said)
    )
