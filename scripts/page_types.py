"""The page's types, as JSDoc, from the shapes that its resources answer, and what they hold."""

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, get_args, get_origin, get_type_hints

from ..commands.web.shapes import MemoryShape
from ..core.actions.answers import CodeNeeded, Refused
from ..core.actions.browsing import BrowsedMemory
from ..core.actions.downloads import Download

_HEAD = """/**
 * What the plugin's resources answer. Written by `python -m scripts.render` from
 * commands/web: edit the shapes there, not this file.
 */
export {};
"""
_NOW = ("now", "number")
"""Goes out with every answer."""

_PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    types.NoneType: "null",
    Any: "any",
}


def page_types(answers: Iterable[Any]) -> str:
    """A typedef for every dataclass that these answers are or hold, in the order of the answers.

    What is refused, and a file, is nothing that the page reads the fields of.
    """
    found: dict[type, str] = {}
    for answer in answers:
        _add(answer, found, _NOW)
    return _HEAD + "".join(found.values())


def _add(hint: Any, found: dict[type, str], *more: tuple[str, str]) -> None:
    hint = _sent(hint)
    for inner in get_args(hint):
        _add(inner, found, *more)
    known = hint in (Refused, CodeNeeded, Download) or hint in found
    if known or not (isinstance(hint, type) and is_dataclass(hint)):
        return
    found[hint] = _typedef(hint, *more)
    for inner in get_type_hints(hint).values():
        _add(inner, found)


def _sent(hint: Any) -> Any:
    """What a type goes out as."""
    return MemoryShape if hint is BrowsedMemory else getattr(hint, "__value__", hint)


def _typedef(shape: type, *more: tuple[str, str]) -> str:
    lines = ["", "/**", f" * @typedef {{object}} {shape.__name__}"]
    lines += [f" * @property {{{kind}}} {name}" for name, kind in (*_properties(shape), *more)]
    return "\n".join([*lines, " */", ""])


def _properties(shape: type) -> Iterator[tuple[str, str]]:
    hints = get_type_hints(shape)
    for field in fields(shape):
        yield field.name, js_type(hints[field.name])


def js_type(hint: Any) -> str:
    """The JSDoc type of a Python one. Raises TypeError for what JSON cannot say."""
    hint = _sent(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (list, tuple, Sequence):
        return f"{_bracketed(js_type(arguments[0]))}[]"
    if origin in (dict, Mapping):
        return f"Record<{js_type(arguments[0])}, {js_type(arguments[1])}>"
    if origin is types.UnionType:
        return " | ".join(js_type(each) for each in arguments)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return " | ".join(f'"{each.value}"' for each in hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return hint.__name__
    raise TypeError(hint)


def _bracketed(written: str) -> str:
    return f"({written})" if "|" in written else written
