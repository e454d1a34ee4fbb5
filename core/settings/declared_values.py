"""What a declared setting takes, and values written as NAME=VALUE. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ..model.declaration import Declaration, declaration_of
from .wanted import Problem, Want, Wanted, glimpse

_SEPARATORS = re.compile(r"[\s,;，；]+")


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
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return Wanted(Want.CHOICE, choices=tuple(kind))
    if kind is bool:
        return Wanted(Want.SWITCH)
    if kind is str:
        return Wanted(Want.ZONE if told.zone else Want.RULES if told.rules else Want.TEXT)
    return Wanted(Want.WHOLE if kind is int else Want.NUMBER, told.low, told.high)


def written_values(text: str, group: Any, name: str) -> tuple[Mapping[str, Any], list[Problem]]:
    """Values for fields of `group`, from "cycle_days=2 speed=1"; what is wrong is a Problem of
    the setting `name`, and left out.
    """
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    kinds = get_type_hints(type(group))
    known = {
        item.name: wanted_of(kinds[item.name], told)
        for item, told in declarations(group)
        if item.name != "enabled"
    }
    for part in filter(None, _SEPARATORS.split(text)):
        field, _, typed = part.partition("=")
        wanted = known.get(field)
        if wanted is None:
            choices = tuple(f"{each}=…" for each in known)
            problems.append(Problem(name, Wanted(Want.CHOICE, choices=choices), glimpse(part)))
            continue
        value = wanted.read(typed)
        if wanted.accepts(value):
            values[field] = type(getattr(group, field))(value)
        else:
            problems.append(Problem(f"{name} {field}", wanted, glimpse(typed)))
    return values, problems
