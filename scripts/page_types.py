"""The page's types, as JSDoc, from the shapes that its resources answer."""

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

_HEAD = """/**
 * What the plugin's resources answer. Written by `python -m scripts.render` from
 * commands/web: edit the shapes there, not this file.
 */
export {};
"""
_PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    types.NoneType: "null",
    Any: "any",
}


def page_types(modules: Sequence[ModuleType]) -> str:
    """A typedef for every dataclass that the modules define, in their order."""
    shapes = [
        value
        for module in modules
        for value in vars(module).values()
        if is_dataclass(value) and getattr(value, "__module__", "") == module.__name__
    ]
    return _HEAD + "".join(_typedef(shape) for shape in shapes if isinstance(shape, type))


def _typedef(shape: type) -> str:
    lines = ["", "/**", f" * @typedef {{object}} {shape.__name__}"]
    lines += [f" * @property {{{kind}}} {name}" for name, kind in _properties(shape)]
    return "\n".join([*lines, " */", ""])


def _properties(shape: type) -> Iterator[tuple[str, str]]:
    hints = get_type_hints(shape)
    for field in fields(shape):
        yield field.name, js_type(hints[field.name])


def js_type(hint: Any) -> str:
    """The JSDoc type of a Python one. Raises TypeError for what JSON cannot say."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
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
