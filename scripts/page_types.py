"""The page's types, as JSDoc, from the shapes that its resources answer, and what they hold."""

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, Union, get_args, get_origin, get_type_hints

from ..core.actions.answers import UNSENT, MemoryView
from ..core.model.memory import Memory

_HEAD = """/**
 * What the plugin's resources answer. Written by `python -m scripts.render` from what the actions
 * answer: edit it there, not this file.
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

    A file is nothing that the page reads the fields of.
    """
    found: dict[Any, str] = {}
    for answer in answers:
        _add(answer, found, _NOW)
    return _HEAD + "".join(found.values())


def _add(hint: Any, found: dict[Any, str], *more: tuple[str, str]) -> None:
    hint = _sent(hint)
    either = get_origin(hint) in (types.UnionType, Union)
    for inner in get_args(hint):
        _add(inner, found, *(more if either else ()))
    if hint in found or not is_dataclass(get_origin(hint) or hint):
        return
    # A generic one is written out where it stands.
    found[hint] = "" if get_origin(hint) else _typedef(hint, *more)
    for inner in _fields(hint).values():
        _add(inner, found)


def _sent(hint: Any) -> Any:
    """What a type goes out as."""
    return getattr(hint, "__value__", hint)


def _typedef(shape: type, *more: tuple[str, str]) -> str:
    lines = ["", "/**", f" * @typedef {{object}} {shape.__name__}"]
    lines += [
        f" * @property {{{kind}}} {name}" for name, kind in (*_properties(shape).items(), *more)
    ]
    return "\n".join([*lines, " */", ""])


def _properties(hint: Any) -> dict[str, str]:
    return {name: js_type(kind) for name, kind in _fields(hint).items()}


def _fields(hint: Any) -> dict[str, Any]:
    """What a dataclass holds, by name; of a generic one with what it is given."""
    shape, given = get_origin(hint) or hint, get_args(hint)
    if shape is MemoryView:
        own = {name: kind for name, kind in _fields(Memory).items() if name not in UNSENT}
        told = get_type_hints(shape)
        del told["memory"]
        return told | own
    hints = get_type_hints(shape)
    named = dict(zip(getattr(shape, "__type_params__", ()), given, strict=False))
    return {each.name: _given(hints[each.name], named) for each in fields(shape)}


def _given(hint: Any, named: Mapping[Any, Any]) -> Any:
    if hint in named:
        return named[hint]
    wanted = getattr(hint, "__parameters__", ())
    return hint[tuple(named[each] for each in wanted)] if wanted else hint


def js_type(hint: Any) -> str:
    """The JSDoc type of a Python one. Raises TypeError for what JSON cannot say."""
    hint = _sent(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"[{', '.join(map(js_type, arguments))}]"
    if origin in (list, tuple, Sequence):
        return f"{_bracketed(js_type(arguments[0]))}[]"
    if origin in (dict, Mapping):
        return f"Record<{js_type(arguments[0])}, {js_type(arguments[1])}>"
    if origin in (types.UnionType, Union):
        return " | ".join(js_type(each) for each in arguments)
    if is_dataclass(origin):
        inside = (f"{name}: {kind}" for name, kind in _properties(hint).items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return " | ".join(f'"{each.value}"' for each in hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return hint.__name__
    raise TypeError(hint)


def _bracketed(written: str) -> str:
    return f"({written})" if "|" in written else written
