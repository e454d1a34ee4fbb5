"""What a declared setting takes, and values written as NAME=VALUE. Pure."""

from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any, Literal, get_args, get_origin

from ..model.declaration import Declaration, declaration_of
from .wanted import Want, Wanted


def declarations(shape: Any) -> Iterator[tuple[Field[Any], Declaration]]:
    """The fields of a group that are settings or groups."""
    for item in fields(shape):
        told = declaration_of(item)
        if told is not None:
            yield item, told


def wanted_of(kind: Any, told: Declaration) -> Wanted:
    """What a field of that type, so declared, takes."""
    if told.choices:
        return Wanted(Want.CHOICE, choices=told.choices)
    if get_origin(kind) is Literal:
        return Wanted(Want.CHOICE, choices=get_args(kind))
    if kind is bool:
        return Wanted(Want.SWITCH)
    if kind is str:
        return Wanted(Want(told.written))
    return Wanted(Want.WHOLE if kind is int else Want.NUMBER, told.low, told.high)
