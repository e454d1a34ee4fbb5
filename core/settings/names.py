"""Every setting by its dotted name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from .tree import Settings
from .wanted import Want, Wanted

type Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. A `secret` is never shown; one that is not `changeable` is read at the start."""

    name: str
    wanted: Wanted
    default: Value
    secret: bool
    changeable: bool


def value_of(settings: Settings, name: str) -> Value:
    """The value with this dotted name. Raises AttributeError for a name that there is not."""
    return attrgetter(name)(settings)


def _every(shape: Any, path: str) -> Iterator[Setting]:
    kinds = get_type_hints(shape)
    for item in fields(shape):
        name, kind = path + item.name, kinds[item.name]
        if is_dataclass(kind):
            yield from _every(kind, f"{name}.")
        else:
            yield Setting(
                name=name,
                wanted=_wanted(kind, item.metadata),
                default=item.default,  # pyright: ignore[reportArgumentType] - each has one
                secret=item.metadata.get("secret", False),
                changeable=not name.startswith("storage."),
            )


def _wanted(kind: Any, metadata: Mapping[str, Any]) -> Wanted:
    low, high = metadata.get("low"), metadata.get("high")
    if get_origin(kind) is Literal:
        return Wanted(Want.CHOICE, choices=get_args(kind))
    if kind is bool:
        return Wanted(Want.SWITCH)
    if kind is str:
        return Wanted(Want.ZONE if metadata.get("zone") else Want.TEXT)
    return Wanted(Want.WHOLE if kind is int else Want.NUMBER, low, high)


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {setting.name: setting for setting in _every(Settings, "")}
)
"""In the order of the form."""
