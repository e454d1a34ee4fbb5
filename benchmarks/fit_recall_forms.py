"""The same question as others write it: with and without its mark, or without its pronoun.

In chat many questions have no mark. Whoever wrote a data set wrote all of it one way, and
a fit would take that for what a question is about.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from random import Random

from ..core.languages.language import Marker
from ..core.languages.markers import codes_in, marker
from .fit_recall_worlds import Asked

DROPPED = 1 / 3
"""Share of the questions about oneself in Chinese that are asked without 我 as well."""

SHORTEST = 4
"""Characters of a question without its pronoun."""

_MARK = re.compile(r"[?？\s]+$")
_STOP = re.compile(r"[.。\s]+$")
_MYSELF = re.compile("我(?:自己|的)?(?!们)")
_QUESTIONS = frozenset(
    "knowledge unanswerable question_to_bot need lacking foreign adversarial".split()
)
_OF_A_LIFE = frozenset("need lacking foreign".split())


class Form(StrEnum):
    """How a question is written."""

    AS_GIVEN = ""
    UNMARKED = "unmarked"
    MARKED = "marked"
    DROPPED = "dropped"


def in_every_form(asked: Sequence[Asked], language: str, chance: Random) -> Iterator[Asked]:
    """Each as it is given, and what else it may look like. Chit-chat stays as it is."""
    for one in asked:
        yield one
        if one.kind == "chit_chat":
            continue
        text = one.probe.text
        if (bare := _MARK.sub("", text)) != text.rstrip():
            yield _written(one, bare, Form.UNMARKED)
        elif one.kind in _QUESTIONS and _asks(text):
            yield _written(one, _STOP.sub("", text) + _mark(language), Form.MARKED)
        if language != "zh" or one.kind not in _OF_A_LIFE or chance.random() >= DROPPED:
            continue
        dropped = _MYSELF.sub("", bare).lstrip("，, ")
        if dropped != bare and len(dropped) >= SHORTEST:
            yield _written(one, dropped, Form.DROPPED)


def _asks(text: str) -> bool:
    return marker(Marker.QUESTION, codes_in(text)).search(text) is not None


def _mark(language: str) -> str:
    return "？" if language == "zh" else "?"


def _written(one: Asked, text: str, form: Form) -> Asked:
    before = one.probe.before
    if before and before[-1].text == one.probe.text:
        before = (*before[:-1], replace(before[-1], text=text))
    return replace(one, probe=replace(one.probe, text=text, before=before), form=form.value)
