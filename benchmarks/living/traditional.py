"""The same data in traditional Chinese script."""

import importlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ..datasets.reading import NoData


def in_traditional[T](value: T) -> T:
    """Every text within a value converted, labels included, so that they still fit together.

    Raises NoData without the package that converts.
    """
    try:
        converter = importlib.import_module("opencc").OpenCC("s2t")
    except ImportError as error:
        raise NoData("needs opencc-python-reimplemented") from error
    return _with(value, converter.convert)


def _with(value: Any, convert: Callable[[str], str]) -> Any:
    # A member of an enumeration is a str too, and is not meant.
    if type(value) is str:
        return value if value.isascii() else convert(value)
    if isinstance(value, tuple | list | frozenset):
        return type(value)(_with(each, convert) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        own = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
        return replace(value, **{name: _with(each, convert) for name, each in own.items()})
    return value
