"""Removes the bot's name where a turn calls it by that name. Pure."""

import re
from collections.abc import Iterator

from .language import Marker
from .markers import marker
from .registry import languages

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
