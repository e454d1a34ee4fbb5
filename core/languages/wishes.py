"""Plain wishes about memory: that a message is not kept, or that something is forgotten. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .registry import languages_in
from .terms import content_terms

LONGEST_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class Wish:
    """That a message is not to be kept (`unkept`), or else that what it is `about` is forgotten.

    `about` are content terms of what it `names`; none if it is about what was said just before.
    What is not to be kept is meant `before`, too, where the wish points there.
    """

    unkept: bool
    about: frozenset[str] = frozenset()
    names: str = ""
    before: bool = False


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
            yield Wish(True, before=_points_back(unkept))
        for found in forms.forget.finditer(text):
            names = found[found.lastgroup or 0].strip()
            yield Wish(False, content_terms(names), names)


def _points_back(wish: re.Match[str]) -> bool:
    """Whether it says "this", and no colon what that is, has an object before it, or stands alone.

    Where that is doubtful it does: what somebody wants unkept is worse kept than lost.
    """
    said, told = wish.string[: wish.start()], wish.string[wish.end() :].lstrip()
    names_it = any(value for name, value in wish.groupdict().items() if name.startswith("this"))
    return (
        (names_it and not told.startswith((":", "：")))
        or (said[-1:].isalnum() and not told)
        or not content_terms(f"{said} {told}")
    )
