"""Plain wishes about memory: that a message is not kept, or that something is forgotten. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from .registry import languages_in
from .terms import content_terms

LONGEST_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class Wish:
    """That a message is not to be kept (`unkept`), or else that what it is `about` is forgotten.

    `about` are content terms of what it `names`; none if it is about what was said just before.
    """

    unkept: bool
    about: frozenset[str] = frozenset()
    names: str = ""


def wishes_in(text: str) -> Iterator[Wish]:
    """The wishes of a message that somebody has typed: a long one is pasted, or told at length.

    A short list a language tells them, as no model is asked before a message is kept.
    """
    if len(text) > LONGEST_MESSAGE:
        return
    for language in languages_in(text):
        forms = language.wishes
        if forms is None:
            continue
        if (unkept := forms.unkept.search(text)) is not None:
            rest = content_terms(text[: unkept.start()] + " " + text[unkept.end() :])
            yield Wish(True, rest)
        for found in forms.forget.finditer(text):
            names = found[found.lastgroup or 0].strip()
            yield Wish(False, content_terms(names), names)
