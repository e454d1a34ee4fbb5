"""The languages there are: one for each folder beside this module. Pure."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..model.knowledge import MediaType
from .language import BlockWording, Language, LearningWording, MediaWording


@cache
def languages() -> tuple[Language, ...]:
    """All of them, in the order in which their rules are tried."""
    name = __name__.rpartition(".")[0]
    room = import_module(name)
    found = [
        import_module(f"{name}.{folder.name}").LANGUAGE
        for folder in iter_modules(room.__path__)
        if folder.ispkg
    ]
    return tuple(sorted(found, key=lambda language: (language.later, language.code)))


@cache
def block_wording(code: str) -> BlockWording:
    """What stands around memories in a prompt."""
    return _worded(code, {each.code: each.block for each in languages() if each.block})


def learning_wording(code: str) -> LearningWording:
    """What the learning prompt says."""
    return _worded(code, {each.code: each.learning for each in languages() if each.learning})


def media_wording(code: str) -> MediaWording:
    """What stands for pictures, voices and files among words."""
    return _worded(code, {each.code: each.media for each in languages() if each.media})


def media_words(kind: MediaType) -> str:
    """What people call media of this kind, in every language."""
    worded = [each.media for each in languages() if each.media]
    return " ".join(f"{words.labels[kind]} {words.asked[kind]}".strip() for words in worded)


def _worded[W](code: str, worded: Mapping[str, W]) -> W:
    """For a language without words of its own in English.

    English comes last, and is what most models know best.
    """
    return worded.get(code) or [*worded.values()][-1]


def languages_in(text: str) -> tuple[Language, ...]:
    """Those that a text may be in, in the order of `languages`; none for one of no known script."""
    found = [
        each
        for each in languages()
        if each.script.search(text) and not (each.foreign and each.foreign.search(text))
    ]
    if len(found) > 1:
        replaced = frozenset[str]().union(*(language.instead_of for language in found))
        found = [language for language in found if language.code not in replaced]
    return tuple(found)


@cache
def question_ends() -> tuple[str, ...]:
    """What a question may end in, in any language."""
    return ("?", "？", *(end for language in languages() for end in language.question_ends))


@cache
def nameless() -> frozenset[str]:
    """What stands in any language for a person whose name is not known; no name at all is too."""
    return frozenset[str]({""}).union(*(language.nobody for language in languages()))
